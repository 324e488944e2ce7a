import type { Logger } from 'pino';
import { causeOf } from '../contract/causeTexts.ts';
import type { Clock } from '../clock.ts';
import type { Health } from '../settings/health.ts';
import { isoTime } from '../telemetry/presentPosition.ts';

/** How often the clock is looked at. */
const LOOK_MS = 5_000;
/** Between two looks nothing else takes as long. */
const ASLEEP_MS = 60_000;
/** So long it is reported that the machine slept. */
const REPORTED_MS = 3_600_000;

/**
 * Notices that this machine slept, or that the host could not run for as long, by the gap between two looks. While it
 * lasted the host heard nobody: its terminals were not silent, and get the time after it that they get after a start.
 */
export function createSleepWatch(deps: {
  clock: Clock;
  health: Pick<Health, 'set'>;
  log: Pick<Logger, 'warn'>;
}) {
  const { clock, health, log } = deps;
  let since_ms = clock.now();
  let looked = { wall_ms: since_ms, uptime_ms: clock.uptime() };
  let woken_at = -Infinity;

  function look(): void {
    const now = { wall_ms: clock.now(), uptime_ms: clock.uptime() };
    const passed_ms = now.uptime_ms - looked.uptime_ms;
    // A clock that is set forward makes every vehicle look silent as well.
    const gap_ms = Math.max(now.wall_ms - looked.wall_ms, passed_ms);
    looked = now;
    // A clock that is set back would leave the beginning of listening in the future.
    since_ms = gap_ms > ASLEEP_MS ? now.wall_ms : Math.min(since_ms, now.wall_ms);
    if (passed_ms <= ASLEEP_MS) return;
    woken_at = clock.monotonic();
    const from = isoTime(now.wall_ms - passed_ms);
    const to = isoTime(now.wall_ms);
    log.warn({ from, to }, 'the machine slept, or the host could not run');
    // What it said before was of another time.
    health.set('host_asleep', null);
    health.set('host_asleep', causeOf('health.slept', { from, to }));
  }

  return {
    /** Since when the host has listened without a gap, Unix ms: its start, or the end of the last sleep. */
    listeningSince: (): number => {
      // Timers that were due meanwhile may run before the look that would notice it.
      if (Math.abs(clock.now() - looked.wall_ms) > ASLEEP_MS) look();
      return since_ms;
    },
    /** Looks from now on; returns its end. */
    start(): () => void {
      function lookAgain(): void {
        stopTimer = clock.after(LOOK_MS, lookAgain);
        look();
        if (clock.monotonic() - woken_at >= REPORTED_MS) health.set('host_asleep', null);
      }
      let stopTimer = clock.after(LOOK_MS, lookAgain);
      return () => stopTimer();
    },
  };
}
