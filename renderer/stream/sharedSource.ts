import type { ProblemCode } from '../../server/contract/problem.ts';
import { isProblem } from '../api/errors.ts';
import { LoggedOut, type Tokens } from '../auth/tokens.ts';
import type { Clock } from '../clock/clock.ts';
import {
  sessionOverCodes,
  type PageMessage,
  type TokenAnswer,
  type WorkerMessage,
} from './sharedProtocol.ts';
import type { StreamSource } from './streamSource.ts';

/** The page's end of the line to the shared worker. */
export interface WorkerPort {
  post(says: PageMessage): void;
  onSays(handle: (says: WorkerMessage) => void): void;
  /** The worker could not be started. */
  onBroken(handle: () => void): void;
  close(): void;
  /** Runs when the page goes away (false), and when the browser brings it back as it was (true). Returns its undo. */
  onPage(handle: (isThere: boolean) => void): () => void;
}

export interface SharedSourceDeps {
  /** null where the browser has no shared workers. */
  openPort: (sessionId: string) => WorkerPort | null;
  tokens: Pick<Tokens, 'current' | 'renew' | 'end' | 'sessionId'>;
  /** The page reads by itself where sharing is not to be had. */
  alone: StreamSource;
  clock: Clock;
}

/** Heartbeats come every 15 s. */
const SILENCE_MS = 25_000;
const ANSWER_WITHIN_MS = 10_000;

/**
 * The stream by the worker that all pages of this session in this browser share. The worker runs in the process of one
 * of them and goes with it when that crashes, of which browsers tell the others nothing: a page that hears nothing asks,
 * and begins another worker where nobody answers.
 */
export function createSharedSource({ openPort, tokens, alone, clock }: SharedSourceDeps): StreamSource {
  let tryNow: () => void = () => undefined;

  return {
    start(sink) {
      const sessionId = tokens.sessionId();
      let stop: () => void = () => undefined;
      share(false);
      return () => stop();

      function readAlone(): void {
        tryNow = () => alone.tryNow();
        stop = alone.start(sink);
      }

      function share(isAgain: boolean): void {
        const port = sessionId === null ? null : openPort(sessionId);
        if (port === null) {
          readAlone();
          return;
        }
        let missedSome = isAgain;
        let stopWaiting: () => void = () => undefined;
        const close = () => {
          stopWaiting();
          port.close();
          undoPage();
        };
        const listenForSilence = () => {
          stopWaiting();
          stopWaiting = clock.after(SILENCE_MS, () => {
            port.post({ kind: 'still_there' });
            stopWaiting = clock.after(ANSWER_WITHIN_MS, () => {
              stop();
              sink.link({ phase: 'lost', since: clock.now(), nextTryAt: null });
              share(true);
            });
          });
        };
        stop = () => {
          port.post({ kind: 'leave' });
          close();
        };
        const undoPage = port.onPage((isThere) => port.post({ kind: isThere ? 'join' : 'leave' }));
        port.onBroken(() => {
          close();
          readAlone();
        });
        port.onSays((says) => {
          listenForSilence();
          switch (says.kind) {
            case 'message':
              sink.message(says.message);
              break;
            case 'link':
              sink.link(says.link);
              if (says.link.phase !== 'live' || !missedSome) break;
              missedSome = false;
              sink.message({ topic: 'reset', data: { reason: 'the worker was gone' } });
              break;
            case 'malformed':
              sink.malformed(says.topic);
              break;
            case 'token_wanted':
              void giveToken(says.stale);
              break;
            case 'session_over':
              tokens.end(says.code satisfies ProblemCode);
              break;
            case 'here':
              break;
          }
        });
        const giveToken = async (stale: string | null) => {
          port.post({ kind: 'token', answer: await tokenAnswer(stale) });
        };
        tryNow = () => port.post({ kind: 'try_now' });
        port.post({ kind: 'join' });
        listenForSilence();
      }
    },
    tryNow: () => tryNow(),
  };

  async function tokenAnswer(stale: string | null): Promise<TokenAnswer> {
    try {
      return { jwt: await (stale === null ? tokens.current() : tokens.renew(stale)) };
    } catch (error) {
      const isOver = error instanceof LoggedOut || isProblem(error, ...sessionOverCodes);
      return isOver ? 'none' : 'later';
    }
  }
}

/** The line to this browser's shared worker; pages of another session have another one. */
export function openSharedWorker(sessionId: string): WorkerPort | null {
  if (!('SharedWorker' in window)) return null;
  const worker = new SharedWorker(new URL('./shared.worker.ts', import.meta.url), {
    type: 'module',
    name: `fleetdeck ${sessionId}`,
  });
  return {
    post: (says) => worker.port.postMessage(says),
    onSays(handle) {
      worker.port.onmessage = (event: MessageEvent<WorkerMessage>) => handle(event.data);
    },
    onBroken(handle) {
      worker.onerror = handle;
    },
    close: () => worker.port.close(),
    onPage(handle) {
      const onHide = () => handle(false);
      const onShow = (event: PageTransitionEvent) => event.persisted && handle(true);
      window.addEventListener('pagehide', onHide);
      window.addEventListener('pageshow', onShow);
      return () => {
        window.removeEventListener('pagehide', onHide);
        window.removeEventListener('pageshow', onShow);
      };
    },
  };
}
