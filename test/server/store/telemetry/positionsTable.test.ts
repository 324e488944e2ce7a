import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyOf } from '../../telemetry/positions.ts';
import { batch, position } from './sampleRows.ts';
import { openSampleStore, wholeTrack } from './sampleStore.ts';

const measured = fc.option(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }));
const anyPosition = fc
  .record({
    vehicle_id: fc.constantFrom('a', 'b', 'c'),
    time_ms: fc.integer({ min: 0, max: 50 }),
    received_ms: fc.integer({ min: 0, max: 4e12 }),
    lat: fc.double({ noNaN: true, min: -90, max: 90 }),
    lon: fc.double({ noNaN: true, min: -180, max: 180 }),
    altitude_m: measured,
    speed_kmh: measured,
    course_deg: measured,
    accuracy_m: measured,
    satellites: fc.option(fc.nat(99)),
    hdop: measured,
    valid: fc.boolean(),
    ignition: fc.option(fc.boolean()),
    odometer_m: measured,
    battery_pct: measured,
    alarms: fc.array(fc.string(), { maxLength: 3 }),
    attributes: fc.dictionary(
      fc.string({ minLength: 1 }).filter((key) => key !== '__proto__'),
      fc.oneof(fc.string(), fc.boolean(), fc.integer()),
    ),
  })
  // SQLite does not distinguish the two zeros.
  .map((row) => position(JSON.parse(JSON.stringify(row)) as typeof row));

test('positions of several vehicles come back as they were written, each under its own, the last of a key alone', async () => {
  const store = await openSampleStore();
  await fc.assert(
    fc.asyncProperty(fc.array(anyPosition, { maxLength: 30 }), async (positions) => {
      for (const id of ['a', 'b', 'c']) await store.forgetVehicle(id);
      await store.sweepPurged();
      await store.commit(batch({ positions }));
      const last = new Map(positions.map((row) => [keyOf(row), row]));
      for (const id of ['a', 'b', 'c']) {
        const expected = [...last.values()].filter((row) => row.vehicle_id === id);
        expect(await wholeTrack(store, id)).toEqual(expected.toSorted((a, b) => a.time_ms - b.time_ms));
      }
    }),
    { numRuns: 30 },
  );
});
