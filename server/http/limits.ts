import { createWindow, type SlidingWindow, type RateLimitResult } from './rateLimit.ts';

/** Calls in any 60 seconds; what each counts stands in the API's description. */
export interface Limits {
  failed_attempts: number;
  authorized_calls: number;
  unauthorized_calls: number;
}

export const contractLimits: Limits = { failed_attempts: 10, authorized_calls: 180, unauthorized_calls: 60 };

const windowMs = 60_000;
/** Longer than a window of failed attempts: a flood from 30 addresses then is new for 30 hashes in ten minutes. */
const triedMs = 600_000;

export interface CallLimits {
  /** Per user id. */
  authorized: SlidingWindow;
  /** Per address. */
  unauthorized: SlidingWindow;
  /** Per address; an anonymous call is also rejected while this one is full. */
  failed: SlidingWindow;
  /** Per address: a password was checked for it, whatever came of it. Orders the queue for hashes, refuses nobody. */
  tried: SlidingWindow;
}

export function createCallLimits(limits: Limits): CallLimits {
  return {
    authorized: createWindow({ limit: limits.authorized_calls, windowMs }),
    unauthorized: createWindow({ limit: limits.unauthorized_calls, windowMs }),
    failed: createWindow({ limit: limits.failed_attempts, windowMs }),
    tried: createWindow({ limit: 1, windowMs: triedMs }),
  };
}

/** Counts an anonymous call; it is rejected, and not counted, while its address is blocked for either reason. */
export function countUnauthorized(limits: CallLimits, address: string, now: number): RateLimitResult {
  const failed = limits.failed.check(address, now);
  return failed.allowed ? limits.unauthorized.count(address, now) : failed;
}
