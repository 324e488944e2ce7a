import { describe, expect, it } from 'vitest';
import {
  areaM2,
  differences,
  geofenceFacts,
  formatSize,
} from '../../../renderer/geofences/geofenceLabels.ts';
import { createI18n, createTranslate } from '../../../renderer/i18n/text.ts';
import { sampleGeofence } from './sampleGeofence.ts';

const t = createTranslate(createI18n());
const groupName = (id: string) => (id === 'g1' ? 'North' : '?');
const NBSP = '\u00a0';

const square = (west: number): [number, number][][] => [
  [
    [west, 52],
    [west + 0.01, 52],
    [west + 0.01, 52.01],
    [west, 52.01],
    [west, 52],
  ],
];
const polygon = sampleGeofence({
  shape: 'polygon',
  geometry: { type: 'Polygon', coordinates: square(13) },
  radius_m: null,
});
const line = sampleGeofence({
  shape: 'line',
  geometry: {
    type: 'LineString',
    coordinates: [
      [13, 52],
      [13, 52.1],
    ],
  },
  radius_m: null,
  width_m: 120,
});

describe('a geofence in words', () => {
  it('a geofence in words is as large as its radius, its area, or its length and width', () => {
    expect(formatSize(sampleGeofence(), t)).toBe('radius 400 m');
    expect(formatSize(polygon, t)).toBe('0.76 km²');
    expect(formatSize(line, t)).toBe('11.1 km × 120 m');
  });

  it('a geofence in words adds up the parts of one that has several', () => {
    const both = sampleGeofence({
      shape: 'polygon',
      radius_m: null,
      geometry: { type: 'MultiPolygon', coordinates: [square(13), square(14)] },
    });
    expect(areaM2(both)).toBeCloseTo(2 * areaM2(polygon), 0);
    expect(formatSize(both, t)).toBe('1.52 km²');
  });

  it('a geofence in words orders shapes of every kind by their area', () => {
    expect(areaM2(sampleGeofence())).toBeCloseTo(Math.PI * 400 ** 2, 0);
    expect(areaM2(line)).toBeGreaterThan(areaM2(polygon));
  });

  it('the area of a geofence is computed once per version for the list, which is sorted at every change', () => {
    let reads = 0;
    const counted = {
      ...{ shape: polygon.shape, radius_m: null, width_m: null },
      get geometry() {
        reads += 1;
        return polygon.geometry;
      },
    };
    areaM2(counted);
    const first = reads;
    for (let sorted = 0; sorted < 1_000; sorted++) areaM2(counted);
    formatSize(counted, t);
    expect(reads).toBe(first);
  });

  it('a geofence in words names its vehicles, its hours and its reporting delay', () => {
    const facts = geofenceFacts(
      sampleGeofence({
        group_ids: ['g1'],
        min_inside_s: 90,
        speed_limit_kmh: 30,
        schedule: { timezone: 'Europe/Berlin', ranges: [{ days: [6, 7], from: '22:00', to: '04:00' }] },
      }),
      groupName,
      t,
    );
    const text = Object.fromEntries(facts.map((fact) => [fact.id, fact.text]));
    expect(text).toMatchObject({
      shape: 'Circle, radius 400 m',
      groups: 'North',
      limit: '30 km/h',
      schedule: 'Sat, Sun 22:00 – 04:00 (Europe/Berlin)',
      inside: `1${NBSP}min${NBSP}30${NBSP}s`,
      outside: 'none',
      hysteresis: '20 m beyond the border',
    });
    expect(geofenceFacts(sampleGeofence(), groupName, t).find(({ id }) => id === 'groups')?.text).toBe(
      'every vehicle',
    );
  });
});

describe('two states of a geofence', () => {
  it('two states of a geofence differ in the fields that differ', () => {
    const theirs = sampleGeofence({ name: 'Yard North', radius_m: 500 });
    const mine = sampleGeofence({ name: 'Yard South', radius_m: 500 });
    expect(differences(theirs, mine, groupName, t)).toEqual([
      { label: 'Name', theirs: 'Yard North', yours: 'Yard South' },
    ]);
  });

  it('two states of a geofence differ in their shape when it was only moved', () => {
    const mine = sampleGeofence({ geometry: { type: 'Point', coordinates: [13.5, 52.52] } });
    expect(differences(sampleGeofence(), mine, groupName, t)).toEqual([
      { label: 'Shape', theirs: 'Circle, radius 400 m', yours: 'other corners' },
    ]);
  });

  it('two states of a geofence hold the same when nothing differs', () => {
    expect(differences(sampleGeofence(), sampleGeofence({ version: 2 }), groupName, t)).toEqual([]);
  });
});
