import type { Clock } from '../../clock.ts';
import { fromTerminal } from '../protocols/jt808/messageIds.ts';
import { answeredSerial, readGeneralAnswer } from '../protocols/jt808/terminalBodies.ts';
import { LinkClosed, TerminalRefusal, TerminalTimeout, type LinkRequest } from './terminalLinks.ts';

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
