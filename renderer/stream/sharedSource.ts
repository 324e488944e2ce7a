import type { ProblemCode } from '../../server/contract/problem.ts';
import { isProblem } from '../api/errors.ts';
import { LoggedOut, type Tokens } from '../auth/tokens.ts';
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
}

/** The stream by the worker that all pages of this session in this browser share. */
export function createSharedSource({ openPort, tokens, alone }: SharedSourceDeps): StreamSource {
  let tryNow: () => void = () => undefined;

  return {
    start(sink) {
      const readAlone = () => {
        tryNow = () => alone.tryNow();
        return alone.start(sink);
      };
      const sessionId = tokens.sessionId();
      const port = sessionId === null ? null : openPort(sessionId);
      if (port === null) return readAlone();

      let stop = () => {
        port.post({ kind: 'leave' });
        port.close();
        undoPage();
      };
      const undoPage = port.onPage((isThere) => port.post({ kind: isThere ? 'join' : 'leave' }));
      port.onBroken(() => {
        port.close();
        undoPage();
        stop = readAlone();
      });
      port.onSays((says) => {
        switch (says.kind) {
          case 'message':
            sink.message(says.message);
            break;
          case 'link':
            sink.link(says.link);
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
        }
      });
      const giveToken = async (stale: string | null) => {
        port.post({ kind: 'token', answer: await tokenAnswer(stale) });
      };
      tryNow = () => port.post({ kind: 'try_now' });
      port.post({ kind: 'join' });
      return () => stop();
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
