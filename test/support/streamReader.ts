import type { z } from 'zod';
import { streamMessages, type StreamTopic } from '../../server/contract/stream.ts';
import type { ApiClient } from './caller.ts';

export interface Message<T extends StreamTopic = StreamTopic> {
  topic: T;
  id: string | null;
  data: z.infer<(typeof streamMessages)[T]>;
}

/** An open stream; every message is checked by its contract as it comes. */
export interface StreamReader {
  /** All that has come so far. */
  messages: Message[];
  /** The id of the newest message that had one. */
  lastId(): string | undefined;
  /** The next message of this topic, not yet given out by `next`, for which `wanted` holds. */
  next<T extends StreamTopic>(topic: T, wanted?: (data: Message<T>['data']) => boolean): Promise<Message<T>>;
  /** Resolves when the server ends the stream, cleanly or not. */
  ended: Promise<void>;
  close(): void;
}

/**
 * Opens the stream and resolves once the snapshot has come.
 *
 * @param query what follows `?`
 */
export async function openStream(
  url: string,
  caller: Pick<ApiClient, 'jwt'>,
  options: { query?: string; lastId?: string | undefined } = {},
): Promise<StreamReader> {
  const controller = new AbortController();
  const query = options.query === undefined ? '' : `?${options.query}`;
  const response = await fetch(`${url}/api/v1/stream${query}`, {
    headers: {
      Authorization: `JWT ${caller.jwt}`,
      ...(options.lastId === undefined ? {} : { 'Last-Event-ID': options.lastId }),
    },
    signal: controller.signal,
  });
  if (response.status !== 200 || response.body === null) {
    throw new Error(`the stream answered ${response.status}: ${await response.text()}`);
  }
  const messages: Message[] = [];
  const given = new Set<Message>();
  let isOver = false;
  const wakers: (() => void)[] = [];

  function wake(): void {
    for (const waker of wakers.splice(0)) waker();
  }

  async function read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    let text = '';
    try {
      for await (const chunk of body) {
        const frames = (text + decoder.decode(chunk, { stream: true })).split('\n\n');
        text = frames.pop() ?? '';
        messages.push(...frames.map(parseFrame));
        wake();
      }
    } finally {
      isOver = true;
      wake();
    }
  }
  const ended = read(response.body).catch((error: unknown) => {
    if (!(error instanceof TypeError || (error instanceof Error && error.name === 'AbortError'))) throw error;
  });

  const reader: StreamReader = {
    messages,
    ended,
    lastId: () => messages.findLast((it) => it.id !== null)?.id ?? undefined,
    async next(topic, wanted = () => true) {
      for (;;) {
        const found = messages.find((it) => !given.has(it) && it.topic === topic && wanted(it.data as never));
        if (found !== undefined) {
          given.add(found);
          return found as never;
        }
        if (isOver) throw new Error(`the stream ended without the ${topic} that was waited for`);
        await new Promise<void>((resolve) => {
          wakers.push(resolve);
        });
      }
    },
    close: () => controller.abort(),
  };
  await reader.next('snapshot');
  return reader;
}

function parseFrame(frame: string): Message {
  const fields = new Map(
    frame.split('\n').map((line) => {
      const at = line.indexOf(': ');
      return [line.slice(0, at), line.slice(at + 2)];
    }),
  );
  const topic = fields.get('event') as StreamTopic;
  const data = streamMessages[topic].parse(JSON.parse(fields.get('data') ?? ''));
  return { topic, id: fields.get('id') ?? null, data };
}
