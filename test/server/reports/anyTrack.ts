import fc from 'fast-check';
import type { PositionRow } from '../../../server/store/telemetry/rows.ts';
import { driveFrom, minute, second } from './drives.ts';

const start = Date.parse('2026-11-20T08:00:00Z');

/** Some hours of a vehicle's life, with gaps, jumps, odd speeds and terminals that say little. */
export const anyTrack: fc.Arbitrary<PositionRow[]> = fc
  .array(
    fc.record({
      kind: fc.constantFrom('go', 'go', 'stand', 'idle', 'creep', 'silent', 'away', 'jump'),
      minutes: fc.integer({ min: 1, max: 25 }),
      kmh: fc.integer({ min: 6, max: 110 }),
      every_s: fc.constantFrom(10, 30, 60, 170),
      says: fc.constantFrom('all', 'all', 'noIgnition', 'noSpeed'),
    }),
    { minLength: 1, maxLength: 14 },
  )
  .map((steps) => {
    const drive = driveFrom(start);
    for (const { kind, minutes, kmh, every_s, says } of steps) {
      const more = {
        every_s,
        ...(says === 'noIgnition' ? { ignition: null } : {}),
        ...(says === 'noSpeed' ? { speed_kmh: null } : {}),
      };
      const ms = minutes * minute;
      if (kind === 'go') drive.go(kmh, ms, more);
      else if (kind === 'stand') drive.stand(ms, more);
      else if (kind === 'idle') drive.go(0, ms, more);
      else if (kind === 'creep') drive.go(2, ms, more);
      else if (kind === 'silent') drive.keepSilent(ms * 10);
      else if (kind === 'away') drive.keepSilent(ms * 10, 20_000);
      else drive.go(kmh, 30 * second, { every_s: 10, lon: 13 + minutes });
    }
    return drive.rows;
  });
