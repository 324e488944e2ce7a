import { describe, expect, it } from 'vitest';
import type { Geofence } from '../../../server/contract/geofences.ts';
import { formatCoordinates, formatPlace } from '../../../renderer/telemetry/placeFinder.ts';

const geofence = (name: string, created_at: string, radius_m: number): Geofence => ({
  geozone_id: name,
  name,
  shape: 'circle',
  geometry: { type: 'Point', coordinates: [13.4, 52.5] },
  radius_m,
  width_m: null,
  color: null,
  speed_limit_kmh: null,
  hysteresis_m: 20,
  min_inside_s: 0,
  min_outside_s: 0,
  schedule: null,
  group_ids: [],
  version: 1,
  created_at,
  updated_at: created_at,
});

const nowhere = { addressOf: () => null, nameOf: () => null };

const here = { lat: 52.5, lon: 13.4 };

describe('the place of a vehicle, in words', () => {
  it('the place of a vehicle, in words is the geofence that it is in, the one drawn last of several', () => {
    const geofences = [
      geofence('Quay 4', '2026-01-02T00:00:00.000Z', 100),
      geofence('Town', '2026-01-01T00:00:00.000Z', 5_000),
    ];
    expect(formatPlace(here, geofences, nowhere)).toBe('Quay 4');
  });

  it('the place of a vehicle, in words is its address, with the geofence; without both what the land is called, else its coordinates', () => {
    expect(formatPlace(here, [], { ...nowhere, nameOf: () => 'Mill Road' })).toBe('Mill Road');
    const known = { addressOf: () => 'Elm Street 12, Elmswell', nameOf: () => '3 km N of Elmswell' };
    expect(formatPlace(here, [], known)).toBe('Elm Street 12, Elmswell');
    expect(formatPlace(here, [geofence('Quay 4', '2026-01-02T00:00:00.000Z', 100)], known)).toBe(
      'Quay 4, Elm Street 12, Elmswell',
    );
    expect(formatPlace(here, [], nowhere)).toBe('52.5000° N 13.4000° E');
    expect(formatCoordinates(-33.9, -18.42)).toBe('33.9000° S 18.4200° W');
  });
});
