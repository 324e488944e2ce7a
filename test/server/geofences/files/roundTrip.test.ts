import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newGeofence, type Geofence } from '../../../../server/contract/geofences.ts';
import type { FenceWriter, FileFeature } from '../../../../server/geofences/files/feature.ts';
import { featuresOfGeoJson, geoJsonWriter } from '../../../../server/geofences/files/geojson.ts';
import { featuresOfKml } from '../../../../server/geofences/files/kml.ts';
import { kmlWriter } from '../../../../server/geofences/files/kmlWriter.ts';
import { wantedGeofence } from '../../../../server/geofences/files/wantedGeofence.ts';
import { geometryFaults } from '../../../../server/geofences/geometryFaults.ts';
import { distanceM } from '../../../../server/geofences/geodesy.ts';
import { circle, fenceOf } from '../fences.ts';
import { anyGeofence, asNew } from './anyGeofence.ts';

const fileOf = ({ head, fence, tail }: FenceWriter, fences: readonly Geofence[]) =>
  [head, ...fences.map((it, at) => fence(it, at === 0)), tail].join('');
const formats: [string, (fences: Geofence[]) => FileFeature[]][] = [
  ['GeoJSON', (fences) => featuresOfGeoJson(JSON.parse(fileOf(geoJsonWriter, fences)))],
  ['KML', (fences) => featuresOfKml(fileOf(kmlWriter(fences), fences))],
];

describe('geofences written and read back', () => {
  it.each(formats)('as %s are what they were', (_, throughFile) => {
    fc.assert(
      fc.property(fc.array(anyGeofence, { maxLength: 5 }), (fences) => {
        const read = throughFile(fences).map((it, at) => newGeofence.parse(wantedGeofence(it, at + 1, {})));
        expect(read).toEqual(fences.map(asNew));
      }),
    );
  });

  it.each(formats)('as %s may have several parts, with holes', (_, throughFile) => {
    const square = (lon: number, lat: number, half: number): [number, number][] => [
      [lon - half, lat - half],
      [lon + half, lat - half],
      [lon + half, lat + half],
      [lon - half, lat + half],
      [lon - half, lat - half],
    ];
    const coordinates = [[square(179, 10, 1), square(179, 10, 0.5)], [square(-179, 10, 1)]];
    const fence = fenceOf({ shape: 'polygon', geometry: { type: 'MultiPolygon', coordinates } });
    const [feature] = throughFile([fence]);
    if (feature === undefined) throw new Error('nothing was read');
    const read = newGeofence.parse(wantedGeofence(feature, 1, {}));
    expect(read).toEqual(asNew(fence));
    expect(geometryFaults(read)).toEqual([]);
  });
});

describe('a circle in KML', () => {
  it('is drawn as a polygon of its size for programs that know no circles', () => {
    const centre = { lat: 52.5, lon: 13.4 };
    const fences = [circle(centre, 500)];
    const file = fileOf(kmlWriter(fences), fences);
    const rings = /<LinearRing><coordinates>(.*?)<\/coordinates>/.exec(file);
    const corners = (rings?.[1] ?? '').split(' ').map((it) => it.split(',').map(Number));
    expect(corners).toHaveLength(65);
    expect(corners.at(-1)).toEqual(corners[0]);
    for (const [lon = 0, lat = 0] of corners) expect(distanceM(centre, { lat, lon })).toBeCloseTo(500, 0);
  });
});
