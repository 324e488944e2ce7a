import type { StreamItem } from './streamItems.ts';

/** A change as it stands in the log, and all that came after it. */
export interface LogEntry {
  item: StreamItem;
  next: LogEntry | null;
  /** Bytes of all entries up to the end of this one. */
  end: number;
}

/** What an entry takes beside its text. */
const entryBytes = 200;

/**
 * The changes of late, kept once for all streams: each stream remembers the entry that it has sent last. What all of them
 * have passed is held by nobody, and so collected.
 */
export type ChangeLog = ReturnType<typeof createChangeLog>;

export function createChangeLog() {
  const nothing: StreamItem = {
    topic: 'heartbeat',
    seq: null,
    json: () => '',
    sees: () => false,
    gone: null,
  };
  let newest: LogEntry = { item: nothing, next: null, end: 0 };
  return {
    add(item: StreamItem): void {
      const entry = { item, next: null, end: newest.end + item.json().length + entryBytes };
      newest.next = entry;
      newest = entry;
    },
    newest: (): LogEntry => newest,
    /** Bytes that came after this entry. */
    behind: (entry: LogEntry): number => newest.end - entry.end,
  };
}

/**
 * The vehicles in the order in which their newest positions came. A stream that takes in less than comes remembers one
 * number, and gets of each vehicle the newest position alone.
 */
export type PositionOrder = ReturnType<typeof createPositionOrder>;

export function createPositionOrder() {
  const numbers = new Map<string, number>();
  let newest = 0;
  return {
    /** Returns the number of this coming; numbers rise by one. */
    came(vehicleId: string): number {
      newest += 1;
      numbers.delete(vehicleId);
      numbers.set(vehicleId, newest);
      return newest;
    },
    forget: (vehicleId: string): void => void numbers.delete(vehicleId),
    newest: (): number => newest,
    /** Each vehicle whose newest position came after `number`, the longest ago first. */
    *since(number: number): Iterable<[vehicleId: string, number: number]> {
      if (number >= newest) return;
      for (const entry of numbers) if (entry[1] > number) yield entry;
    },
  };
}
