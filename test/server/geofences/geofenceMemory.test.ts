import { expect, it } from 'vitest';
import { advanceGeofences } from '../../../server/geofences/geofenceEngine.ts';
import { positionRow } from '../telemetry/positions.ts';
import { circle, indexOf, offset } from './geofences.ts';

it('the geofence memory remembers of a fix that turns to the other side no more than the engine needs', () => {
  const yard = { lat: 52.5, lon: 13.4 };
  const geofence = circle(yard, 100, { min_inside_s: 60 });
  const { after } = advanceGeofences({
    index: indexOf([geofence]),
    before: {},
    previous: positionRow({ ...offset(yard, 500, 0), attributes: { fuel: 1 } }),
    fix: positionRow({ ...yard, time_ms: 10_000, speed_kmh: 30, attributes: { fuel: 1 } }),
    appliesTo: () => true,
    isFirstLook: () => false,
    crossing_max_gap_s: 300,
  });
  expect(after[geofence.geozone_id]?.turning).toEqual({ ...yard, time_ms: 10_000, speed_kmh: 30 });
});
