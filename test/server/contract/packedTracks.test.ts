import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packTracks, unpackTracks, type TrackColumns } from '../../../server/contract/packedTracks.ts';

const fix = fc.record({
  pause_ms: fc.oneof(fc.constant(1_000), fc.integer({ min: 1, max: 900_000_000 })),
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lon: fc.double({ min: -180, max: 180, noNaN: true }),
  speed_kmh: fc.oneof(fc.constant(Number.NaN), fc.double({ min: 0, max: 400, noNaN: true })),
  course_deg: fc.oneof(fc.constant(Number.NaN), fc.integer({ min: 0, max: 360 })),
  flag: fc.integer({ min: 0, max: 7 }),
  odometer_m: fc.oneof(fc.constant(Number.NaN), fc.double({ min: -1e11, max: 1e11, noNaN: true })),
});
const tracks = fc.array(
  fc.record({ vehicle_id: fc.uuid(), start_ms: fc.integer({ min: 0, max: 4e12 }), fixes: fc.array(fix) }),
);

function columnsOf(
  vehicle_id: string,
  start_ms: number,
  fixes: readonly ReturnType<typeof fix.generate>['value'][],
): TrackColumns {
  let time = start_ms;
  return {
    vehicle_id,
    time_ms: Float64Array.from(fixes, (it) => (time += it.pause_ms)),
    lat: Float64Array.from(fixes, (it) => it.lat),
    lon: Float64Array.from(fixes, (it) => it.lon),
    speed_kmh: Float64Array.from(fixes, (it) => it.speed_kmh),
    course_deg: Float64Array.from(fixes, (it) => it.course_deg),
    flags: Uint8Array.from(fixes, (it) => it.flag),
    values: { odometer_m: Float64Array.from(fixes, (it) => it.odometer_m) },
  };
}

/** To the last digit that is packed. */
const rounded = (column: Float64Array, scale: number) =>
  [...column].map((it) => (Number.isNaN(it) ? null : Math.round(it * scale) + 0));

it('tracks that are packed and unpacked are the same to 0.1 m, 0.1 km/h, one degree and a thousandth', () => {
  fc.assert(
    fc.property(tracks, (some) => {
      const packed = some.map(({ vehicle_id, start_ms, fixes }) => columnsOf(vehicle_id, start_ms, fixes));
      const unpacked = unpackTracks(packTracks(packed));
      const digits = (it: TrackColumns) => ({
        ...{ vehicle_id: it.vehicle_id, time_ms: [...it.time_ms], flags: [...it.flags] },
        ...{ lat: rounded(it.lat, 1e6), lon: rounded(it.lon, 1e6) },
        ...{ speed: rounded(it.speed_kmh, 10), course: rounded(it.course_deg, 1) },
        odometer: rounded(it.values['odometer_m'] ?? new Float64Array(), 1_000),
      });
      expect(unpacked.map(digits)).toEqual(packed.map(digits));
    }),
  );
});

it('bytes that are no tracks, or cut off, are refused and take no memory that they do not bring', () => {
  const whole = packTracks([
    columnsOf('0f9a8b7c-0000-4000-8000-000000000001', 1_700_000_000_000, [
      { pause_ms: 1_000, lat: 1, lon: 2, speed_kmh: 3, course_deg: 4, flag: 0, odometer_m: 5 },
    ]),
  ]);
  for (let length = 0; length < whole.length; length++) {
    expect(() => unpackTracks(whole.slice(0, length)), `${length} bytes`).toThrow(RangeError);
  }
  expect(() => unpackTracks(Uint8Array.of(1, 2, 3, 4, 5))).toThrow('no tracks');
  const huge = Uint8Array.of(...whole.slice(0, 21), 255, 255, 255, 255, 127);
  expect(() => unpackTracks(huge)).toThrow('end too early');
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      try {
        unpackTracks(Uint8Array.of(...whole.slice(0, 4), ...bytes));
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }),
  );
});

it('a track without fixes and further values is read as one', () => {
  const vehicle_id = '0f9a8b7c-0000-4000-8000-000000000001';
  const empty = { ...columnsOf(vehicle_id, 0, []), values: {} };
  expect(unpackTracks(packTracks([empty]))).toEqual([empty]);
  expect(unpackTracks(packTracks([empty, empty, empty]))).toHaveLength(3);
});
