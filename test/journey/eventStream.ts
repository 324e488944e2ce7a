import { setMaxListeners } from 'node:events';
import type { z } from 'zod';
import { streamMessages, type StreamMessage, type StreamTopic } from '../../server/contract/stream.ts';

export type Heard = StreamMessage & { id: string | null };
type DataOf<T extends StreamTopic> = z.infer<(typeof streamMessages)[T]>;

/** A listener of `GET /api/v1/stream` that checks each message by its contract. */
export interface EventStream {
  /** All that was heard, in order. */
  readonly heard: readonly Heard[];
  of<T extends StreamTopic>(topic: T): DataOf<T>[];
  /** Resolves as soon as `isSo` holds for what was heard; rejects when the stream ends before that. */
  until(isSo: (heard: readonly Heard[]) => boolean): Promise<void>;
  /** The `id` of the last message that had one. */
  lastId(): string | null;
  close(): Promise<void>;
}

/** Resolves after the snapshot's head. */
export async function openEventStream(
  url: string,
  jwt: string,
  options: { topics?: string; lastId?: string } = {},
): Promise<EventStream> {
  const abort = new AbortController();
  setMaxListeners(100, abort.signal);
  const query = options.topics === undefined ? '' : `?topics=${options.topics}`;
  const response = await fetch(`${url}/api/v1/stream${query}`, {
    signal: abort.signal,
    headers: {
      Authorization: `JWT ${jwt}`,
      ...(options.lastId === undefined ? {} : { 'Last-Event-ID': options.lastId }),
    },
  });
  if (response.status !== 200 || response.body === null)
    throw new Error(`the stream answered ${response.status}: ${await response.text()}`);

  const heard: Heard[] = [];
  let ended: Error | null = null;
  const waiting = new Set<{
    isSo: (heard: readonly Heard[]) => boolean;
    resolve: () => void;
    reject: (e: Error) => void;
  }>();
  function look(): void {
    for (const one of waiting) {
      if (!one.isSo(heard)) continue;
      waiting.delete(one);
      one.resolve();
    }
  }

  const body = response.body.pipeThrough(new TextDecoderStream());
  const reading = (async () => {
    let text = '';
    let fault: unknown = null;
    try {
      for await (const chunk of body) {
        text += chunk;
        const frames = text.split('\n\n');
        text = frames.pop() ?? '';
        heard.push(...frames.map(readFrame));
        look();
      }
    } catch (error) {
      if (!abort.signal.aborted) fault = error;
    }
    const topics = heard.map((it) => it.topic).join(', ');
    ended = new Error(`the stream has ended after ${topics}`, { cause: fault });
    for (const one of waiting) one.reject(ended);
  })();

  const stream: EventStream = {
    heard,
    of: <T extends StreamTopic>(topic: T): DataOf<T>[] =>
      heard.flatMap((it) => (it.topic === topic ? [it.data as DataOf<T>] : [])),
    until: (isSo) =>
      new Promise((resolve, reject) => {
        if (ended === null) waiting.add({ isSo, resolve, reject });
        else if (isSo(heard)) resolve();
        else reject(ended);
        look();
      }),
    lastId: () => heard.findLast((it) => it.id !== null)?.id ?? null,
    async close() {
      abort.abort();
      await reading;
    },
  };
  await stream.until((all) => all.some((it) => it.topic === 'snapshot'));
  return stream;
}

function readFrame(frame: string): Heard {
  const fields = new Map(
    frame.split('\n').map((line): [string, string] => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    }),
  );
  const topic = fields.get('event') ?? '';
  if (!isTopic(topic)) throw new Error(`the stream has no topic ${topic}`);
  const data = streamMessages[topic].parse(JSON.parse(fields.get('data') ?? ''));
  return { topic, data, id: fields.get('id') ?? null } as Heard;
}

function isTopic(topic: string): topic is StreamTopic {
  return Object.hasOwn(streamMessages, topic);
}
