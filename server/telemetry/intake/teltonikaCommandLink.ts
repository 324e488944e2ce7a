import type { Clock } from '../../clock.ts';
import { commandPacket } from '../protocols/teltonika/commands.ts';
import type { CommandLink, CommandResult } from './commandLinks.ts';
import type { HandlerConnection } from './protocolHandler.ts';

/** The commands of this server to one terminal over its connection. */
export interface TeltonikaCommands {
  readonly link: CommandLink;
  /** Hands in what the terminal answers to a command. @returns whether somebody waits for it */
  answered(text: string): boolean;
  ended(): void;
}

/**
 * A Teltonika terminal takes texts. Its answers do not say what they answer: one command is on its way at a time, and
 * after one that was not answered the connection takes no other, as a late answer would pass for the next one's. It may
 * still do so where the terminal gives it by its next connection, and later than some seconds after its login there, or
 * after a new start of this host.
 *
 * @param onOwed called with whether a response is outstanding: the terminal may send it over its next connection
 */
export function createTeltonikaCommands(
  wire: Pick<HandlerConnection, 'write' | 'destroy' | 'isOpen'>,
  clock: Clock,
  onOwed: (isOwed: boolean) => void,
): TeltonikaCommands {
  let settle: ((result: CommandResult) => void) | null = null;
  let isAnswerOwed = false;
  let last: Promise<unknown> = Promise.resolve();

  function sendCommand(text: string, timeoutMs: number): Promise<CommandResult> {
    if (isAnswerOwed) wire.destroy();
    if (!wire.isOpen()) return Promise.resolve({ outcome: 'not_written' });
    return new Promise((resolve) => {
      const stopWaiting = clock.after(timeoutMs, () => {
        isAnswerOwed = true;
        settle?.({ outcome: 'silent' });
      });
      settle = (result) => {
        settle = null;
        stopWaiting();
        resolve(result);
      };
      onOwed(true);
      wire.write(commandPacket(text));
    });
  }

  return {
    link: {
      protocol: 'teltonika',
      kinds: ['text'],
      isOpen: () => wire.isOpen(),
      textFault(text) {
        const other = Array.from(text).find((it) => !/^[\x20-\x7e]$/.test(it));
        if (other === undefined) return null;
        const excerpt = /^\p{C}$/u.test(other) ? `U+${hex(other)}` : other;
        return `Teltonika's commands are in ASCII, which does not have the character ${excerpt}.`;
      },
      send(order, timeoutMs) {
        if (order.kind !== 'text')
          return Promise.resolve({ outcome: 'unsupported', detail: 'Teltonika has texts alone.' });
        const current = last.then(() => sendCommand(order.text, timeoutMs));
        last = current;
        return current;
      },
    },
    answered(text) {
      isAnswerOwed = false;
      onOwed(false);
      const response = text.trim();
      const isAwaited = settle !== null;
      settle?.({ outcome: 'responded', text: response === '' ? null : response });
      return isAwaited;
    },
    ended: () => settle?.({ outcome: 'ended' }),
  };
}

function hex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
