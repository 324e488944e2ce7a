import { expect } from 'vitest';
import type { GeofenceCrossing } from '../../../server/geofences/geofenceEngine.ts';
import { doubtMs, type NaiveCrossing } from './naiveGeofences.ts';

/** Compares what both report of one geofence on one track: only interpolated moments may differ. */
export function expectSameCrossings(
  published: readonly GeofenceCrossing[],
  naive: readonly NaiveCrossing[],
): void {
  expect(published.map((it) => it.kind)).toEqual(naive.map((it) => it.kind));
  for (const [at, { time_ms, isInterpolated }] of naive.entries()) {
    const difference = Math.abs((published[at]?.at.time_ms ?? Number.NaN) - time_ms);
    expect(difference).toBeLessThanOrEqual(isInterpolated ? doubtMs : 0);
  }
}
