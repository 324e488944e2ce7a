import type { FragmentRequest } from '../terminal.ts';
import type { StreamChoice } from './signalling.ts';

/**
 * How long clips were that ended earlier than their terminals had announced. A terminal that is asked again and ends at
 * the same moment has no more, whatever its list says: a network breaks off here and there.
 */
export interface TruncatedClips {
  /** Of the order's last try; null where that was whole, or there was none. */
  of(order: FragmentSpec): number | null;
  note(order: FragmentSpec, length_ms: number): void;
  forget(order: FragmentSpec): void;
}

export type FragmentSpec = Pick<FragmentRequest, 'terminal_id' | 'channel' | 'from_ms' | 'to_ms'> & {
  stream: StreamChoice;
};

/** What is given up for good is never forgotten otherwise. */
const maxEnds = 1_000;

export function createTruncatedClips(): TruncatedClips {
  const ends = new Map<string, number>();
  return {
    of: (order) => ends.get(keyOf(order)) ?? null,
    note(order, length_ms) {
      const key = keyOf(order);
      ends.delete(key);
      ends.set(key, length_ms);
      const [oldest] = ends.keys();
      if (ends.size > maxEnds && oldest !== undefined) ends.delete(oldest);
    },
    forget: (order) => void ends.delete(keyOf(order)),
  };
}

function keyOf({ terminal_id, channel: { channel }, from_ms, to_ms, stream }: FragmentSpec): string {
  return [terminal_id, channel, from_ms, to_ms, stream].join(' ');
}
