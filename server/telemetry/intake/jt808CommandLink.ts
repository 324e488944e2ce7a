import { readLocationResponse } from '../protocols/jt808/location.ts';
import { type Header, fromPlatform, fromTerminal } from '../protocols/jt808/message.ts';
import { result, textBody, answeredSerial, readGeneralAnswer } from '../protocols/jt808/bodies.ts';
import { gbkOf, notInGbk } from '../protocols/jt808/encodings.ts';
import {
  type CommandLink,
  type TerminalCommandRequest,
  type CommandResult,
  LinkClosed,
  TerminalRefusal,
  TerminalTimeout,
  type TerminalLink,
  type LinkRequest,
} from './terminalLinks.ts';
import type { Clock } from '../../clock.ts';

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

// JT/T 808-2013, 5.2: T(n+1) = T(n) x (n+1). Of the first time and of the number it leaves the choice to the platform.
const firstWaitMs = 5_000;
const maxRetransmissions = 3;

interface Pending {
  id: number;
  answer: number;
  /** The terminal has the message: it is not sent again. */
  understood: () => void;
  resolve: (body: Uint8Array) => void;
  reject: (error: unknown) => void;
}

/** What this host asked of one terminal and has no answer to yet. */
export type Jt808Requests = ReturnType<typeof createJt808Requests>;

/** @param deps.takeSerial the next serial of this server on the connection */
export function createJt808Requests(deps: {
  takeSerial: () => number;
  write: (id: number, body: Uint8Array, serial: number) => void;
  ended: AbortSignal;
  clock: Clock;
}) {
  const { clock, ended } = deps;
  const pending = new Map<number, Pending>();

  /** Sends a message and then again, each time after a longer pause. Returns what stops it. */
  function sendRepeatedly(id: number, body: Uint8Array, serial: number, more: number): () => void {
    let stop = (): void => undefined;
    const send = (sent: number, waitMs: number): void => {
      deps.write(id, body, serial);
      if (sent > more) return;
      stop = clock.after(waitMs, () => send(sent + 1, waitMs * (sent + 1)));
    };
    send(1, firstWaitMs);
    return () => stop();
  }

  function generalAnswer(body: Uint8Array): void {
    const answer = readGeneralAnswer(body);
    const one = answer === null ? undefined : pending.get(answer.serial);
    if (answer === null || one === undefined || one.id !== answer.id) return;
    if (answer.outcome !== 0) one.reject(new TerminalRefusal(one.id, answer.outcome));
    else if (one.answer === fromTerminal.generalResponse) one.resolve(Uint8Array.of(answer.outcome));
    else one.understood();
  }

  return {
    request({ id, body, answer, timeoutMs, once, signal }: LinkRequest): Promise<Uint8Array> {
      return new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        if (ended.aborted) throw new LinkClosed();
        const serial = deps.takeSerial();
        const stopSending = sendRepeatedly(id, body, serial, once === true ? 0 : maxRetransmissions);
        const stopWaiting = clock.after(timeoutMs, () => settled(reject)(new TerminalTimeout(id, timeoutMs)));
        const onAbort = () => settled(reject)(signal?.reason);
        const onEnd = () => settled(reject)(new LinkClosed());
        const settled =
          <T>(settle: (value: T) => void) =>
          (value: T) => {
            pending.delete(serial);
            stopSending();
            stopWaiting();
            signal?.removeEventListener('abort', onAbort);
            ended.removeEventListener('abort', onEnd);
            settle(value);
          };
        signal?.addEventListener('abort', onAbort);
        ended.addEventListener('abort', onEnd);
        pending.set(serial, {
          id,
          answer,
          understood: stopSending,
          resolve: settled(resolve),
          reject: settled(reject),
        });
      });
    },

    /** Hands a message of the terminal to whoever waits for it. */
    answered(id: number, body: Uint8Array): void {
      if (id === fromTerminal.generalResponse) {
        generalAnswer(body);
        return;
      }
      const serial = answeredSerial(body);
      const one = serial === null ? undefined : pending.get(serial);
      if (one?.answer === id) one.resolve(body);
    },
  };
}
