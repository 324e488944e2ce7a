import { streamRoute } from '../../server/contract/stream.ts';
import type { Api } from '../api/client.ts';
import { isProblem } from '../api/errors.ts';
import { LoggedOut } from '../auth/tokens.ts';
import type { Clock } from '../clock/clock.ts';
import { bytesOf } from './bytesOf.ts';
import { sessionOverCodes } from './sharedProtocol.ts';
import { createStreamReader } from './streamReader.ts';
import { readStreamMessage, type StreamSource } from './streamSource.ts';

/** The stream read by this page itself. */
export function createDirectSource({ api, clock }: { api: Api; clock: Clock }): StreamSource {
  let tryNow: () => void = () => undefined;
  return {
    start(sink) {
      const reader = createStreamReader({
        clock,
        isFinal: isSessionOver,
        onLink: sink.link,
        onMessage: (message) => readStreamMessage(message, sink),
        open: async (lastEventId, signal) => {
          const response = await api.open(
            streamRoute,
            { signal },
            lastEventId === null ? {} : { 'Last-Event-ID': lastEventId },
          );
          return bytesOf(response);
        },
      });
      tryNow = () => reader.tryNow();
      return reader.start();
    },
    tryNow: () => tryNow(),
  };
}

function isSessionOver(error: unknown): boolean {
  return error instanceof LoggedOut || isProblem(error, ...sessionOverCodes);
}
