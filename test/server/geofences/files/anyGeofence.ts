import fc from 'fast-check';
import { newGeofence, type Geofence, type NewGeofence } from '../../../../server/contract/geofences.ts';
import { anyFence } from '../geofences.ts';

const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((it) => String(it).padStart(2, '0')).join(':'));
const schedule = fc.record({
  timezone: fc.constantFrom('UTC', 'Asia/Kathmandu'),
  ranges: fc.array(
    fc.record({
      days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
      from: clock,
      to: clock,
    }),
    { minLength: 1, maxLength: 3 },
  ),
});
/** What XML cannot hold is no name that anybody types; spaces at its ends are taken off by the API. */
const name = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .filter(
    (it) =>
      it.trim() === it && it !== '' && !/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(it),
  );
const number = (max: number) => fc.integer({ min: 0, max: max * 10 }).map((it) => it / 10);

/** A geofence with any of the fields that one can have, as REST shows it; anywhere, the antimeridian too. */
export const anyGeofence: fc.Arbitrary<Geofence> = fc
  .record({
    form: fc
      .constantFrom({ lat: 52.5, lon: 13.4 }, { lat: -17, lon: 179.999 }, { lat: 0, lon: 0 })
      .chain((centre) => anyFence(centre, 1_500))
      .filter(({ geometry }) => geometry.type !== 'Polygon' || !isOver(geometry.coordinates)),
    own: fc.record({
      name,
      color: fc.option(
        fc.integer({ min: 0, max: 0xffffff }).map((it) => `#${it.toString(16).padStart(6, '0')}`),
      ),
      speed_limit_kmh: fc.option(number(300)),
      hysteresis_m: number(1_000),
      min_inside_s: number(8_640),
      min_outside_s: number(8_640),
      schedule: fc.option(schedule),
      group_ids: fc.array(fc.uuid(), { maxLength: 3 }),
    }),
  })
  .map(({ form, own }) => ({ ...form, ...own }));

function isOver(rings: readonly (readonly number[][])[]): boolean {
  const lons = rings.flat().map(([lon = 0]) => lon);
  return Math.max(...lons) - Math.min(...lons) > 180;
}

/** What somebody who adds it would send. */
export function asNew(geofence: Geofence): NewGeofence {
  const fields = Object.keys(newGeofence.shape);
  return newGeofence.parse(
    Object.fromEntries(Object.entries(geofence).filter(([key]) => fields.includes(key))),
  );
}
