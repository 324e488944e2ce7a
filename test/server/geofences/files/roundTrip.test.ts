import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newGeofence, type Geofence } from '../../../../server/contract/geofences.ts';
import type { GeofenceWriter, FileFeature } from '../../../../server/geofences/files/feature.ts';
import { featuresOfGeoJson, geoJsonWriter } from '../../../../server/geofences/files/geojson.ts';
import { featuresOfKml } from '../../../../server/geofences/files/kml.ts';
import { kmlWriter } from '../../../../server/geofences/files/kmlWriter.ts';
import { parseGeofence } from '../../../../server/geofences/files/parseGeofence.ts';
import { geometryErrors } from '../../../../server/geofences/geometryErrors.ts';
import { distanceM } from '../../../../server/geofences/geodesy.ts';
import { circle, geofenceOf } from '../geofences.ts';
import { anyGeofence, asNew } from './anyGeofence.ts';

const fileOf = ({ head, geofence, tail }: GeofenceWriter, geofences: readonly Geofence[]) =>
  [head, ...geofences.map((it, at) => geofence(it, at === 0)), tail].join('');
const formats: [string, (geofences: Geofence[]) => FileFeature[]][] = [
  ['GeoJSON', (geofences) => featuresOfGeoJson(JSON.parse(fileOf(geoJsonWriter, geofences)))],
  ['KML', (geofences) => featuresOfKml(fileOf(kmlWriter(geofences), geofences))],
];

describe('geofences written and read back', () => {
  it.each(formats)('geofences written and read back as %s are what they were', (_, throughFile) => {
    fc.assert(
      fc.property(fc.array(anyGeofence, { maxLength: 5 }), (geofences) => {
        const read = throughFile(geofences).map((it, at) => newGeofence.parse(parseGeofence(it, at + 1, {})));
        expect(read).toEqual(geofences.map(asNew));
      }),
    );
  });

  it.each(formats)(
    'geofences written and read back as %s may have several parts, with holes',
    (_, throughFile) => {
      const square = (lon: number, lat: number, half: number): [number, number][] => [
        [lon - half, lat - half],
        [lon + half, lat - half],
        [lon + half, lat + half],
        [lon - half, lat + half],
        [lon - half, lat - half],
      ];
      const coordinates = [[square(179, 10, 1), square(179, 10, 0.5)], [square(-179, 10, 1)]];
      const geofence = geofenceOf({ shape: 'polygon', geometry: { type: 'MultiPolygon', coordinates } });
      const [feature] = throughFile([geofence]);
      if (feature === undefined) throw new Error('nothing was read');
      const read = newGeofence.parse(parseGeofence(feature, 1, {}));
      expect(read).toEqual(asNew(geofence));
      expect(geometryErrors(read)).toEqual([]);
    },
  );
});

describe('a circle in KML', () => {
  it('a circle in KML is drawn as a polygon of its size for programs that know no circles', () => {
    const centre = { lat: 52.5, lon: 13.4 };
    const geofences = [circle(centre, 500)];
    const file = fileOf(kmlWriter(geofences), geofences);
    const rings = /<LinearRing><coordinates>(.*?)<\/coordinates>/.exec(file);
    const corners = (rings?.[1] ?? '').split(' ').map((it) => it.split(',').map(Number));
    expect(corners).toHaveLength(65);
    expect(corners.at(-1)).toEqual(corners[0]);
    for (const [lon = 0, lat = 0] of corners) expect(distanceM(centre, { lat, lon })).toBeCloseTo(500, 0);
  });
});
