import { streamMessages, type StreamMessage, type StreamTopic } from '../../server/contract/stream.ts';
import type { LinkState } from './linkState.ts';
import type { SseMessage } from './streamReader.ts';

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
