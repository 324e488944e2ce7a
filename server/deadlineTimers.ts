import type { Clock } from './clock.ts';

/** Between two calls; many moments that lie close together are one call. */
const minPauseMs = 1_000;
/** Timers of the system stand still while the machine sleeps: moments that passed meanwhile are found this late. */
const maxSleepMs = 60_000;

/**
 * When time alone changes something, vehicle by vehicle.
 * @param onDue given those whose moment has come, at most once a second; they have no moment then until it is set
 */
export function createDeadlineTimers(clock: Clock, onDue: (vehicleIds: string[]) => void) {
  const moments = new Map<string, number>();
  let armedFor = Number.POSITIVE_INFINITY;
  let disarm = (): void => undefined;

  function arm(at_ms: number, minMs: number): void {
    disarm();
    armedFor = at_ms;
    if (at_ms === Number.POSITIVE_INFINITY) return;
    disarm = clock.after(Math.min(Math.max(minMs, at_ms - clock.now()), maxSleepMs), fireDue);
  }

  function fireDue(): void {
    const now = clock.now();
    let next = Number.POSITIVE_INFINITY;
    const due: string[] = [];
    for (const [vehicleId, at_ms] of moments) {
      if (at_ms <= now) due.push(vehicleId);
      else if (at_ms < next) next = at_ms;
    }
    for (const vehicleId of due) moments.delete(vehicleId);
    arm(next, minPauseMs);
    if (due.length > 0) onDue(due);
  }

  return {
    /** Unix ms; null: never. */
    set(vehicleId: string, at_ms: number | null): void {
      if (at_ms === null) {
        moments.delete(vehicleId);
        return;
      }
      moments.set(vehicleId, at_ms);
      if (at_ms < armedFor) arm(at_ms, 0);
    },
    /** No more calls. */
    close(): void {
      disarm();
      armedFor = Number.NEGATIVE_INFINITY;
    },
  };
}
