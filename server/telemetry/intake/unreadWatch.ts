import type { Socket } from 'node:net';
import type { Clock } from '../../clock.ts';

/** For how long the other side of a connection has taken in nothing of what was written to it. */
export function createUnreadWatch(clock: Pick<Clock, 'monotonic'>) {
  let seen = { bytes: 0, at_ms: 0 };
  return {
    /** Milliseconds, as seen whenever it is asked; 0 while nothing is unread. */
    silent_ms({ writableLength }: Pick<Socket, 'writableLength'>): number {
      const now = clock.monotonic();
      // More to read is no sign of life; less is.
      if (writableLength === 0 || seen.bytes === 0 || writableLength < seen.bytes)
        seen = { bytes: writableLength, at_ms: now };
      else seen.bytes = writableLength;
      return writableLength === 0 ? 0 : now - seen.at_ms;
    },
  };
}
