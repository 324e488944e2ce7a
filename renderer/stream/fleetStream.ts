import type { StreamMessage, StreamTopic } from '../../server/contract/stream.ts';
import type { LinkState } from './streamReader.ts';
import type { StreamSource } from './streamSource.ts';
import type { Clock } from '../clock/clock.ts';

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

/** So long the reading waits for the stream. */
const PATIENCE_MS = 1_000;

export interface ReadDeps {
  stream: Pick<FleetStream, 'on' | 'onLink'>;
  clock: Clock;
  read: () => void;
  /** Reads again what could not be read. */
  retry: () => void;
}

/**
 * Reads lists that the stream then keeps. What changes between the reading of a list and the beginning of the stream
 * would be missed, so the reading waits until the stream listens. A stream that is slow or lost does not hold it up:
 * then lists are read without it, and once more when it listens. Returns its end.
 */
export function readOnceListening({ stream, clock, read, retry }: ReadDeps): () => void {
  let wasRead = false;
  let listens = false;
  const readNow = () => {
    stopWaiting();
    wasRead = true;
    read();
  };
  const stopWaiting = clock.after(PATIENCE_MS, readNow);
  const undo = [
    stopWaiting,
    stream.on('reset', readNow),
    stream.onLink(({ phase }) => {
      if (phase === 'live' && !listens) {
        listens = true;
        readNow();
      } else if (phase === 'live') retry();
      else if (phase === 'lost' && !wasRead) readNow();
    }),
  ];
  return () => undo.forEach((run) => run());
}
