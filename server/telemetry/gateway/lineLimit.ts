import type { Clock } from '../../clock.ts';

/** Asked before each line: null when it must not be written, else what belongs into it. */
export type LineLimit = () => { not_logged_before?: number } | null;

const mostLines = 10;
const windowMs = 60_000;

/** Ten lines a minute: whoever can reach a port could fill the disk with them. */
export function createLineLimit(clock: Pick<Clock, 'monotonic'>): LineLimit {
  let since = Number.NEGATIVE_INFINITY;
  let lines = 0;
  let unsaid = 0;
  return () => {
    const now = clock.monotonic();
    if (now - since >= windowMs) {
      since = now;
      lines = 0;
    }
    if (lines >= mostLines) {
      unsaid += 1;
      return null;
    }
    lines += 1;
    const left = unsaid === 0 ? {} : { not_logged_before: unsaid };
    unsaid = 0;
    return left;
  };
}
