import { readLocationResponse } from '../protocols/jt808/location.ts';
import type { Header } from '../protocols/jt808/message.ts';
import { fromPlatform, fromTerminal } from '../protocols/jt808/messageIds.ts';
import { result, textBody } from '../protocols/jt808/platformBodies.ts';
import { gbkOf, notInGbk } from '../protocols/jt808/gbk.ts';
import type { CommandLink, TerminalCommandRequest, CommandResult } from './commandLinks.ts';
import { LinkClosed, TerminalRefusal, TerminalTimeout, type TerminalLink } from './terminalLinks.ts';

/** A terminal of JT/T 808 takes texts (0x8300), and says where it is when it is asked (0x8201). */
export function createJt808CommandLink(deps: {
  link: Pick<TerminalLink, 'request'>;
  header: Pick<Header, 'phoneBcd' | 'version'>;
  isOpen: () => boolean;
}): CommandLink {
  const { link, header, isOpen } = deps;

  /** A terminal would execute a repeated command twice. */
  const request = (id: number, body: Uint8Array, answer: number, timeoutMs: number) =>
    link.request({ id, body, answer, timeoutMs, once: true });

  async function sendOrder(order: TerminalCommandRequest, timeoutMs: number): Promise<CommandResult> {
    if (order.kind === 'position') {
      const { askPosition } = fromPlatform;
      const body = await request(askPosition, new Uint8Array(), fromTerminal.askedPosition, timeoutMs);
      const whole = { ...header, id: fromTerminal.askedPosition, serial: 0 };
      return { outcome: 'position', report: readLocationResponse(body, whole) };
    }
    const text = textBody(gbkOf(order.text), header);
    await request(fromPlatform.text, text, fromTerminal.generalResponse, timeoutMs);
    return { outcome: 'responded', text: null };
  }

  return {
    protocol: 'jt808',
    kinds: ['text', 'position'],
    isOpen,
    textFault(text) {
      const lacking = notInGbk(text);
      return lacking === null ? null : `JT/T 808 cannot say the character ${lacking}: GBK does not have it.`;
    },
    async send(order, timeoutMs) {
      if (!isOpen()) return { outcome: 'not_written' };
      try {
        return await sendOrder(order, timeoutMs);
      } catch (error) {
        if (error instanceof TerminalRefusal) return refusal(error.result);
        if (error instanceof TerminalTimeout) return { outcome: 'silent' };
        if (error instanceof LinkClosed) return { outcome: 'ended' };
        throw error;
      }
    },
  };
}

function refusal(code: number): CommandResult {
  if (code === result.unsupported)
    return { outcome: 'unsupported', detail: 'The terminal says that it does not support this.' };
  const why = code === result.badMessage ? 'did not understand it' : 'failed';
  return { outcome: 'refused', detail: `The terminal says that it ${why} (result ${code}).` };
}
