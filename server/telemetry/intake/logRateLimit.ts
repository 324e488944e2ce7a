import type { Clock } from '../../clock.ts';

/** Asked before each line: null when it must not be written, else what belongs into it. */
export type LogRateLimit = () => { not_logged_before?: number } | null;

const maxLines = 10;
const windowMs = 60_000;

/** Ten lines a minute: whoever can reach a port could fill the disk with them. */
export function createLogRateLimit(clock: Pick<Clock, 'monotonic'>): LogRateLimit {
  let since = Number.NEGATIVE_INFINITY;
  let lines = 0;
  let unsaid = 0;
  return () => {
    const now = clock.monotonic();
    if (now - since >= windowMs) {
      since = now;
      lines = 0;
    }
    if (lines >= maxLines) {
      unsaid += 1;
      return null;
    }
    lines += 1;
    const left = unsaid === 0 ? {} : { not_logged_before: unsaid };
    unsaid = 0;
    return left;
  };
}
