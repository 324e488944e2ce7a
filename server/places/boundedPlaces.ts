import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { formatDecimal, type LatLon } from '../contract/coordinates.ts';
import type { Place } from '../contract/places.ts';
import type { WorkAsk } from '../workerChannel.ts';
import type { Places } from './places.ts';

/** One order of the thread: what is short waits no longer than for so many. */
const pointsAtOnce = 250;

/**
 * Names points for something that must not wait for it, nor fail for it.
 * @returns null for a point without an address, and for all that was not named in time
 * @throws the caller's signal's reason alone
 */
export type NamePlaces = (points: readonly (LatLon | null)[]) => Promise<(Place | null)[]>;

export interface PlacesBudget {
  /** So long is waited for addresses in all. */
  wait_ms: number;
  /** So many different points are asked for in all. */
  points: number;
}

export type PlacesWithin = (budget: PlacesBudget, caller: WorkAsk) => NamePlaces;

/** For each piece of work one that spends its budget; what it has named once it knows. */
export function createPlacesWithin(deps: {
  places: Pick<Places, 'of'>;
  clock: Pick<Clock, 'after' | 'monotonic'>;
  log: Logger;
}): PlacesWithin {
  const { places, clock, log } = deps;

  /** Null when they did not come in time; they are then still worked on, so that the next one finds them read. */
  function inTime(points: readonly LatLon[], ms: number, caller: WorkAsk): Promise<(Place | null)[] | null> {
    return new Promise((resolve, reject) => {
      const stopTimer = clock.after(ms, () => resolve(null));
      places.of(points, caller).then(resolve, reject).finally(stopTimer);
    });
  }

  return (budget, caller) => {
    const known = new Map<string, Place | null>();
    let left_ms = budget.wait_ms;

    async function ask(points: readonly LatLon[]): Promise<void> {
      const began_ms = clock.monotonic();
      try {
        const found = await inTime(points, left_ms, caller);
        left_ms = found === null ? 0 : left_ms - (clock.monotonic() - began_ms);
        found?.forEach((place, at) => {
          const point = points[at];
          if (point !== undefined) known.set(formatDecimal(point), place);
        });
        if (found === null)
          log.warn({ points: points.length, wait_ms: budget.wait_ms }, 'addresses did not come in time');
      } catch (error) {
        caller.signal.throwIfAborted();
        left_ms = 0;
        log.warn({ err: error, points: points.length }, 'addresses could not be found');
      }
    }

    return async (points) => {
      caller.signal.throwIfAborted();
      const wanted = new Map<string, LatLon>();
      for (const point of points) {
        if (known.size + wanted.size >= budget.points) break;
        if (point === null || known.has(formatDecimal(point))) continue;
        wanted.set(formatDecimal(point), point);
      }
      const left = [...wanted.values()];
      while (left.length > 0 && left_ms > 0) await ask(left.splice(0, pointsAtOnce));
      return points.map((point) => (point === null ? null : (known.get(formatDecimal(point)) ?? null)));
    };
  };
}
