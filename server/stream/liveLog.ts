import type { StreamItem } from './streamItem.ts';

/** A change as it stands in the log, and all that came after it. */
export interface LogEntry {
  item: StreamItem;
  next: LogEntry | null;
  /** Bytes of all entries up to the end of this one. */
  end: number;
}

/**
 * The changes of late, kept once for all streams: each stream remembers the entry that it has sent last. What all of them
 * have passed is held by nobody, and so collected.
 */
export interface ChangeLog {
  add(item: StreamItem): void;
  newest(): LogEntry;
  /** Bytes that came after this entry. */
  behind(entry: LogEntry): number;
}

/** What an entry takes beside its text. */
const entryBytes = 200;

export function createChangeLog(): ChangeLog {
  const nothing: StreamItem = {
    topic: 'heartbeat',
    seq: null,
    json: () => '',
    sees: () => false,
    gone: null,
  };
  let newest: LogEntry = { item: nothing, next: null, end: 0 };
  return {
    add(item) {
      const entry = { item, next: null, end: newest.end + item.json().length + entryBytes };
      newest.next = entry;
      newest = entry;
    },
    newest: () => newest,
    behind: (entry) => newest.end - entry.end,
  };
}

/**
 * The vehicles in the order in which their newest positions came. A stream that takes in less than comes remembers one
 * number, and gets of each vehicle the newest position alone.
 */
export interface PositionOrder {
  /** Returns the number of this coming; numbers rise by one. */
  came(vehicleId: string): number;
  forget(vehicleId: string): void;
  newest(): number;
  /** Each vehicle whose newest position came after `number`, the longest ago first. */
  since(number: number): Iterable<[vehicleId: string, number: number]>;
}

export function createPositionOrder(): PositionOrder {
  const numbers = new Map<string, number>();
  let newest = 0;
  return {
    came(vehicleId) {
      newest += 1;
      numbers.delete(vehicleId);
      numbers.set(vehicleId, newest);
      return newest;
    },
    forget: (vehicleId) => void numbers.delete(vehicleId),
    newest: () => newest,
    *since(number) {
      if (number >= newest) return;
      for (const entry of numbers) if (entry[1] > number) yield entry;
    },
  };
}
