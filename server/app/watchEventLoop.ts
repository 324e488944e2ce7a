import type { Logger } from 'pino';
import { causeOf } from '../contract/causeTexts.ts';
import { systemClock, type Clock } from '../clock.ts';
import type { Health } from '../settings/health.ts';

/** How often the thread shows that it runs. */
const BEAT_MS = 500;
/** Nobody is answered for so long: a position is late, and a map stands still. */
const BLOCKED_MS = 1_000;
/** Of the time, this much was work of the thread; with less the computer was busy with something else, or slept. */
const OWN_WORK = 0.5;
/** So long it is reported; and no more than one line of the log says so in that time. */
const REPORTED_MS = 300_000;

export interface EventLoopWatchDeps {
  /** Left out where no host reports its troubles: it is only logged. */
  health?: Pick<Health, 'set'>;
  clock?: Clock;
  log: Pick<Logger, 'warn'>;
  /** What this thread has worked, in milliseconds; for tests. */
  worked_ms?: () => number;
}

/** Measures for how long the main thread answers nobody. Returns the undo. */
export function watchEventLoop({
  health,
  clock = systemClock,
  log,
  worked_ms = threadTime,
}: EventLoopWatchDeps): () => void {
  let due_ms = clock.monotonic() + BEAT_MS;
  let before_ms = worked_ms();
  let stopTimer = clock.after(BEAT_MS, beat);
  /** The longest of those since the last line. */
  let longest_ms = 0;
  let blocked_ms = -Infinity;
  let logged_ms = -Infinity;

  function beat(): void {
    const now = clock.monotonic();
    const late_ms = Math.round(now - due_ms);
    const own_ms = Math.round(worked_ms() - before_ms);
    if (late_ms >= BLOCKED_MS) late(late_ms, own_ms, now);
    else if (now - blocked_ms >= REPORTED_MS) {
      health?.set('unresponsive', null);
      longest_ms = 0;
    }
    due_ms = now + BEAT_MS;
    before_ms += own_ms;
    stopTimer = clock.after(BEAT_MS, beat);
  }

  function late(late_ms: number, own_ms: number, now: number): void {
    const isBlocked = own_ms >= OWN_WORK * late_ms;
    const isLonger = late_ms > longest_ms;
    if (isBlocked) {
      blocked_ms = now;
      longest_ms = Math.max(longest_ms, late_ms);
      health?.set(
        'unresponsive',
        causeOf('health.unresponsive', { seconds: (longest_ms / 1_000).toFixed(1) }),
      );
    }
    if (now - logged_ms < REPORTED_MS && !(isBlocked && isLonger)) return;
    logged_ms = now;
    log.warn(
      { late_ms, worked_ms: own_ms },
      isBlocked
        ? 'the event loop was blocked'
        : 'the event loop did not run: the computer was busy or asleep',
    );
  }

  return () => stopTimer();
}

function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
