import type { StreamMessage, StreamTopic } from '../../server/contract/stream.ts';
import type { LinkState } from './linkState.ts';
import type { StreamSource } from './streamSource.ts';

type DataOf<T extends StreamTopic> = Extract<StreamMessage, { topic: T }>['data'];

/** The stream as the domains see it: handlers by topic. Every `on…` returns its undo. */
export interface FleetStream {
  /** Begins; returns its end. Handlers stay through ends and beginnings. */
  start(): () => void;
  tryNow(): void;
  on<T extends StreamTopic>(topic: T, handle: (data: DataOf<T>) => void): () => void;
  onAny(handle: (topic: StreamTopic) => void): () => void;
  onLink(handle: (link: LinkState) => void): () => void;
  onMalformed(handle: (topic: string) => void): () => void;
}

export function createFleetStream(source: () => StreamSource): FleetStream {
  const byTopic = new Map<StreamTopic, Set<(data: never) => void>>();
  const any = new Set<(topic: StreamTopic) => void>();
  const links = new Set<(link: LinkState) => void>();
  const malformed = new Set<(topic: string) => void>();
  let running: StreamSource | null = null;

  return {
    start() {
      const mine = source();
      running = mine;
      const stop = mine.start({
        message(message) {
          for (const handle of byTopic.get(message.topic) ?? []) handle(message.data as never);
          for (const handle of any) handle(message.topic);
        },
        link: (link) => links.forEach((handle) => handle(link)),
        malformed: (topic) => malformed.forEach((handle) => handle(topic)),
      });
      return () => {
        if (running === mine) running = null;
        stop();
      };
    },
    tryNow: () => running?.tryNow(),
    on(topic, handle) {
      const handlers = byTopic.get(topic) ?? new Set();
      byTopic.set(topic, handlers);
      return keep(handlers, handle as (data: never) => void);
    },
    onAny: (handle) => keep(any, handle),
    onLink: (handle) => keep(links, handle),
    onMalformed: (handle) => keep(malformed, handle),
  };
}

function keep<T>(set: Set<T>, value: T): () => void {
  set.add(value);
  return () => {
    set.delete(value);
  };
}
