import type { Geofence } from '../../../server/contract/geofences.ts';

const NOON = '2026-11-21T12:00:00.000Z';

/** A circle of 400 m round the middle of a town, but for what is given. */
export function sampleGeofence(fields: Partial<Geofence> = {}): Geofence {
  return {
    geozone_id: '0e0f6f3c-1c52-4d3f-8c49-9d0a0d3f0a3b',
    name: 'Yard',
    shape: 'circle',
    geometry: { type: 'Point', coordinates: [13.4, 52.52] },
    radius_m: 400,
    width_m: null,
    color: null,
    speed_limit_kmh: null,
    hysteresis_m: 20,
    min_inside_s: 0,
    min_outside_s: 0,
    schedule: null,
    group_ids: [],
    version: 1,
    created_at: NOON,
    updated_at: NOON,
    ...fields,
  };
}
