import type { Clock } from '../../clock.ts';
import { ApiError } from '../../http/apiError.ts';
import { createWindow, type SlidingWindow } from '../../http/rateLimit.ts';

/** Counts one test of a rule, or throws 429 with `Retry-After`. */
export type CountTest = (userId: string) => void;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/**
 * Whoever sets a rule up tries it a few times in a row; more than that is a mailing. All users together may send a few
 * times as much, so that one of them does not keep the others waiting.
 */
export const testLimits = {
  user: { minute: 5, hour: 30 },
  all: { minute: 20, hour: 120 },
};

export function createTestLimits(clock: Pick<Clock, 'monotonic'>): CountTest {
  const window = (limit: number, windowMs: number) => createWindow({ limit, windowMs });
  const ofUser = [window(testLimits.user.minute, minuteMs), window(testLimits.user.hour, hourMs)];
  const ofAll = [window(testLimits.all.minute, minuteMs), window(testLimits.all.hour, hourMs)];

  return (userId) => {
    const now = clock.monotonic();
    const counted: [SlidingWindow, string][] = [
      ...ofUser.map((it): [SlidingWindow, string] => [it, userId]),
      ...ofAll.map((it): [SlidingWindow, string] => [it, 'all']),
    ];
    // A test that one of them refuses is counted by none.
    const wait_s = Math.max(...counted.map(([it, key]) => it.check(key, now).retryAfterS));
    if (wait_s > 0) {
      const { minute, hour } = testLimits.user;
      throw new ApiError(
        'rate_limited',
        `A user may test rules ${minute} times a minute and ${hour} times an hour, all users together ${testLimits.all.minute} and ${testLimits.all.hour} times. Wait ${wait_s} s.`,
        { headers: { 'Retry-After': String(wait_s) } },
      );
    }
    for (const [it, key] of counted) it.count(key, now);
  };
}
