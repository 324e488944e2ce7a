import {
  streamMessages,
  type StreamMessage,
  type StreamTopic,
  streamRoute,
} from '../../server/contract/stream.ts';
import { type LinkState, type SseMessage, bytesOf, createStreamReader } from './streamReader.ts';
import type { Api } from '../api/client.ts';
import { isProblem } from '../api/errors.ts';
import { LoggedOut } from '../auth/tokens.ts';
import type { Clock } from '../clock/clock.ts';
import { sessionOverCodes } from './sharedProtocol.ts';

/** Where the messages of the stream come out. */
export interface StreamSink {
  message: (message: StreamMessage) => void;
  link: (link: LinkState) => void;
  /** A message that is not what the contract says was left out. */
  malformed: (topic: string) => void;
}

/** Something that brings the stream: the page itself, or the worker that all pages of this browser share. */
export interface StreamSource {
  /** Begins to bring it; returns its end. */
  start(sink: StreamSink): () => void;
  tryNow(): void;
}

/** Reads a raw message by the contract and hands it on; topics of a newer server are left alone. */
export function readStreamMessage(raw: SseMessage, sink: Pick<StreamSink, 'message' | 'malformed'>): void {
  if (!isTopic(raw.event)) return;
  let data: unknown;
  try {
    data = JSON.parse(raw.data);
  } catch {
    sink.malformed(raw.event);
    return;
  }
  const parsed = streamMessages[raw.event].safeParse(data);
  if (!parsed.success) sink.malformed(raw.event);
  else sink.message({ topic: raw.event, data: parsed.data } as StreamMessage);
}

function isTopic(name: string): name is StreamTopic {
  return Object.hasOwn(streamMessages, name);
}

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
