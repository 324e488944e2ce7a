import type { FragmentOrder } from '../terminal.ts';
import type { StreamChoice } from './signalling.ts';

/**
 * How far films came that ended before what their terminals had promised. A terminal that is asked again and ends at the
 * same moment has no more, whatever its list says: a network breaks off here and there.
 */
export interface ShortEnds {
  /** Of the order's last try; null where that was whole, or there was none. */
  of(order: Asked): number | null;
  note(order: Asked, length_ms: number): void;
  forget(order: Asked): void;
}

export type Asked = Pick<FragmentOrder, 'terminal_id' | 'channel' | 'from_ms' | 'to_ms'> & {
  stream: StreamChoice;
};

/** What is given up for good is never forgotten otherwise. */
const mostEnds = 1_000;

export function createShortEnds(): ShortEnds {
  const ends = new Map<string, number>();
  return {
    of: (order) => ends.get(keyOf(order)) ?? null,
    note(order, length_ms) {
      const key = keyOf(order);
      ends.delete(key);
      ends.set(key, length_ms);
      const [oldest] = ends.keys();
      if (ends.size > mostEnds && oldest !== undefined) ends.delete(oldest);
    },
    forget: (order) => void ends.delete(keyOf(order)),
  };
}

function keyOf({ terminal_id, channel: { channel }, from_ms, to_ms, stream }: Asked): string {
  return [terminal_id, channel, from_ms, to_ms, stream].join(' ');
}
