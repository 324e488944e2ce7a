import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distanceM, interpolate } from '../../../server/geofences/geodesy.ts';
import { thinTrack } from '../../../server/history/thinTrack.ts';
import type { DriveFix } from '../../../server/store/telemetry/historyReader.ts';

const gap_ms = 600_000;
const step = fc.record({
  pause_s: fc.oneof({ weight: 20, arbitrary: fc.integer({ min: 1, max: 60 }) }, fc.constant(3_600)),
  north_m: fc.integer({ min: -300, max: 300 }),
  east_m: fc.integer({ min: -300, max: 300 }),
  speed_kmh: fc.oneof(fc.constant(null), fc.constant(0), fc.integer({ min: 0, max: 120 })),
  ignition: fc.constantFrom(null, true, false),
  valid: fc.oneof({ weight: 20, arbitrary: fc.constant(true) }, fc.constant(false)),
});
/** Longer than what is looked at together. */
const drives = fc.array(step, { maxLength: 1_200 });

function fixesOf(steps: readonly ReturnType<typeof step.generate>['value'][], lon0 = 179.9999): DriveFix[] {
  let [time_ms, lat, lon] = [1_700_000_000_000, 52, lon0];
  return steps.map(({ pause_s, north_m, east_m, ...rest }) => {
    time_ms += pause_s * 1_000;
    lat += north_m / 111_195;
    lon += east_m / 68_000;
    if (lon > 180) lon -= 360;
    if (lon < -180) lon += 360;
    return { ...rest, time_ms, lat, lon, course_deg: null };
  });
}

const isStanding = (fix: DriveFix) => (fix.speed_kmh ?? 0) <= 1;

describe('a thinned track', () => {
  it('a thinned track is nowhere further from the track than the tolerance, nor its speed by more than 5 km/h', () => {
    fc.assert(
      fc.property(drives, fc.constantFrom(5, 50, 500), (steps, tolerance_m) => {
        const fixes = fixesOf(steps).filter((it) => it.valid);
        const kept = [...thinTrack(fixesOf(steps), { tolerance_m, gap_ms })];
        let next = 0;
        for (const fix of fixes) {
          while ((kept[next]?.time_ms ?? Infinity) < fix.time_ms) next++;
          const [a, b] = [kept[next - 1], kept[next]];
          if (b?.time_ms === fix.time_ms) continue;
          if (a === undefined || b === undefined) throw new Error('an end is missing');
          const share = (fix.time_ms - a.time_ms) / (b.time_ms - a.time_ms);
          expect(distanceM(interpolate(a, b, share), fix)).toBeLessThan(tolerance_m * 1.02 + 0.1);
          const [from, to] = [a.speed_kmh ?? 0, b.speed_kmh ?? 0];
          expect(Math.abs(from + (to - from) * share - (fix.speed_kmh ?? 0))).toBeLessThanOrEqual(5.000_001);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('a thinned track keeps its ends, the sides of gaps and stops, what the ignition says, and its fastest fix', () => {
    fc.assert(
      fc.property(drives, (steps) => {
        const fixes = fixesOf(steps).filter((it) => it.valid);
        const kept = [...thinTrack(fixesOf(steps), { tolerance_m: 10_000, gap_ms })];
        const times = kept.map((it) => it.time_ms);
        expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
        for (const [at, fix] of fixes.entries()) {
          const before = fixes[at - 1];
          const isGap = before !== undefined && fix.time_ms - before.time_ms > gap_ms;
          const turns =
            before === undefined ||
            isGap ||
            isStanding(before) !== isStanding(fix) ||
            before.ignition !== fix.ignition;
          if (turns) {
            expect(times).toContain(fix.time_ms);
            if (before !== undefined) expect(times).toContain(before.time_ms);
          }
          expect(kept.find((it) => it.time_ms === fix.time_ms)?.isAfterGap ?? false).toBe(isGap);
        }
        const fastest = Math.max(...fixes.map((it) => it.speed_kmh ?? 0));
        if (fixes.length > 0) expect(Math.max(...kept.map((it) => it.speed_kmh ?? 0))).toBe(fastest);
        expect(times.at(-1)).toBe(fixes.at(-1)?.time_ms);
      }),
      { numRuns: 60 },
    );
  });

  it('a straight drive at one speed is two fixes, and with no tolerance every fix', () => {
    const steps = Array.from({ length: 400 }, () => ({
      ...{ pause_s: 10, north_m: 100, east_m: 0, speed_kmh: 36, ignition: true, valid: true },
    }));
    const thin = (tolerance_m: number) => [...thinTrack(fixesOf(steps), { tolerance_m, gap_ms })];
    expect(thin(5)).toHaveLength(2);
    expect(thin(0)).toHaveLength(400);
  });
});
