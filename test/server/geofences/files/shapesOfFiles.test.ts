import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FileError, type FileFeature } from '../../../../server/geofences/files/feature.ts';
import { featuresOfGeoJson } from '../../../../server/geofences/files/geojson.ts';
import { featuresOfKml } from '../../../../server/geofences/files/kml.ts';
import { parseGeofence, type ImportDefaults } from '../../../../server/geofences/files/parseGeofence.ts';

function wanted(features: readonly FileFeature[], defaults: ImportDefaults = {}) {
  return features.map((it, at) => parseGeofence(it, at + 1, defaults));
}

function fixture(name: string): string {
  return readFileSync(new URL(`../../../fixtures/geofences/${name}`, import.meta.url), 'utf8');
}

function placemark(inside: string): string {
  return `<kml><Placemark>${inside}</Placemark></kml>`;
}

const point = { type: 'Point', coordinates: [1, 2] };
const triangle = [
  [1, 1],
  [2, 1],
  [2, 2],
  [1, 1],
];

describe('files of other programs', () => {
  it('files of other programs from Google Earth are taken with folders, styles, holes, and islands over the antimeridian', () => {
    const [yard, pin, ferry, island] = wanted(featuresOfKml(fixture('google-earth.kml')), { radius_m: 50 });
    expect(yard).toEqual({
      name: 'Yard & <ramp>',
      color: '#007fff',
      shape: 'polygon',
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [13.4, 52.5],
            [13.5, 52.5],
            [13.5, 52.6],
            [13.4, 52.5],
          ],
          [
            [13.41, 52.51],
            [13.42, 52.51],
            [13.42, 52.52],
            [13.41, 52.51],
          ],
        ],
      },
    });
    expect(pin).toEqual({
      name: 'Pin',
      shape: 'circle',
      geometry: { type: 'Point', coordinates: [13.4, 52.5] },
      radius_m: 50,
    });
    expect(ferry).toMatchObject({ name: 'Ferry', shape: 'line', color: '#00aa00' });
    expect(ferry?.['width_m']).toBeUndefined();
    expect(island).toMatchObject({ geometry: { type: 'MultiPolygon' } });
  });

  it('files of other programs from QGIS are taken with their fields, several polygons as one', () => {
    const harbour = { name: 'Harbour', shape: 'polygon', geometry: { type: 'MultiPolygon' } };
    expect(wanted(featuresOfKml(fixture('qgis.kml')))).toMatchObject([
      { ...harbour, color: '#ff0000', speed_limit_kmh: 30 },
    ]);
    expect(wanted(featuresOfGeoJson(JSON.parse(fixture('qgis.geojson'))), { width_m: 12 })).toMatchObject([
      { ...harbour, color: '#FF0000', speed_limit_kmh: 32.2 },
      {
        name: 'Shape 2',
        shape: 'line',
        width_m: 12,
        geometry: {
          coordinates: [
            [1, 1],
            [2, 1],
          ],
        },
      },
      null,
    ]);
  });

  it('files of other programs from ArcGIS are taken with their prefix, and the parts of what is no one geofence apart', () => {
    expect(wanted(featuresOfKml(fixture('arcgis.kml')))).toEqual([
      {
        name: 'Quarry 1',
        shape: 'circle',
        geometry: { type: 'Point', coordinates: [10, 50] },
        radius_m: 250,
        color: '#ffb273',
      },
      {
        name: 'Quarry 2',
        shape: 'line',
        geometry: {
          type: 'LineString',
          coordinates: [
            [10, 50],
            [10.1, 50.1],
          ],
        },
        color: '#ffb273',
      },
    ]);
  });

  it('files of other programs from umap are taken with its own options, rings that are not closed, and no colour for a word', () => {
    expect(wanted(featuresOfGeoJson(JSON.parse(fixture('umap.geojson'))))).toEqual([
      {
        name: 'Fair',
        color: '#009688',
        shape: 'polygon',
        geometry: {
          type: 'Polygon',
          coordinates: [
            [
              [1, 1],
              [1, 2],
              [2, 2],
              [2, 1],
              [1, 1],
            ],
          ],
        },
      },
      { name: 'Stage', shape: 'circle', geometry: { type: 'Point', coordinates: [1.5, 1.5] }, radius_m: 75 },
    ]);
  });
});

describe('GeoJSON', () => {
  it('GeoJSON may be a feature, a bare geometry, or a collection of those', () => {
    expect(featuresOfGeoJson({ type: 'Feature', geometry: point, properties: null })).toHaveLength(1);
    expect(featuresOfGeoJson(point)).toEqual([{ geometry: point, properties: {} }]);
    const line = { type: 'LineString', coordinates: triangle };
    const geometries = [
      point,
      {
        type: 'MultiPoint',
        coordinates: [
          [1, 2],
          [3, 4],
        ],
      },
      line,
    ];
    expect(featuresOfGeoJson({ type: 'GeometryCollection', geometries })).toHaveLength(4);
  });

  it.each([
    ['urn:ogc:def:crs:OGC:1.3:CRS84', true],
    ['urn:ogc:def:crs:OGC::CRS84', true],
    ['urn:ogc:def:crs:EPSG::4326', true],
    ['EPSG:4326', true],
    ['urn:ogc:def:crs:EPSG::3857', false],
    ['EPSG:25833', false],
  ])('GeoJSON in %s is taken: %s', (name, isTaken) => {
    const document = { ...point, crs: { type: 'name', properties: { name } } };
    if (isTaken) expect(featuresOfGeoJson(document)).toHaveLength(1);
    else expect(() => featuresOfGeoJson(document)).toThrow(`Its coordinates are in the system ${name}`);
  });

  it.each([
    { type: 'name', properties: { name: '' } },
    { type: 'link', properties: { href: 'https://example.com/crs/42', type: 'proj4' } },
    { type: 'name', properties: { name: 4326 } },
    'EPSG:4326',
  ])('GeoJSON whose coordinate system has no name is refused: %j', (crs) => {
    expect(() => featuresOfGeoJson({ ...point, crs })).toThrow('Its coordinate system (crs) has no name');
  });

  it('GeoJSON may leave its coordinate system open', () => {
    expect(featuresOfGeoJson({ ...point, crs: null })).toHaveLength(1);
  });

  it.each([{ type: 'Topology', objects: {} }, { type: 'FeatureCollection' }, [], null, 7])(
    'GeoJSON is not %j',
    (document) => {
      expect(() => featuresOfGeoJson(document)).toThrow();
    },
  );

  it('GeoJSON may count longitudes on beyond the antimeridian', () => {
    const line = {
      type: 'LineString',
      coordinates: [
        [179, 1],
        [181, 1],
      ],
    };
    expect(wanted(featuresOfGeoJson(line))[0]).toMatchObject({
      geometry: {
        coordinates: [
          [179, 1],
          [-179, 1],
        ],
      },
    });
    const ring = [
      [179, 1],
      [181, 1],
      [181, 2],
      [179, 2],
      [179, 1],
    ];
    expect(wanted(featuresOfGeoJson({ type: 'Polygon', coordinates: [ring] }))[0]).toMatchObject({
      geometry: { type: 'MultiPolygon' },
    });
  });

  it('GeoJSON hands on what is no number and what are no rings, to be refused with their place', () => {
    const feature = { type: 'Feature', geometry: point, properties: { radius: 'wide' } };
    expect(wanted(featuresOfGeoJson(feature))[0]).toMatchObject({ radius_m: 'wide' });
    const polygon = { type: 'Polygon', coordinates: [[[1, 'x']]] };
    expect(wanted(featuresOfGeoJson(polygon))[0]).toMatchObject({ geometry: polygon });
  });

  it('GeoJSON is not refused for schedules and groups of another kind than ours', () => {
    for (const schedule of ['Mo-Fr 08:00-18:00', '"always"', 7])
      for (const group_ids of ['depots', [1, 2], { a: 1 }]) {
        const feature = { type: 'Feature', geometry: point, properties: { schedule, group_ids } };
        const [read] = wanted(featuresOfGeoJson(feature));
        expect(read).not.toHaveProperty('schedule');
        expect(read).not.toHaveProperty('group_ids');
      }
  });

  it('GeoJSON holds for the groups that the caller names rather than those that it names itself', () => {
    const own = '11111111-1111-4111-8111-111111111111';
    const feature = { type: 'Feature', geometry: point, properties: { group_ids: [own] } };
    expect(wanted(featuresOfGeoJson(feature))[0]).toMatchObject({ group_ids: [own] });
    expect(wanted(featuresOfGeoJson(feature), { group_ids: ['given'] })[0]).toMatchObject({
      group_ids: ['given'],
    });
  });
});

describe('KML', () => {
  it('KML may begin with a byte order mark and a comment', () => {
    const text = `\uFEFF<?xml version="1.0"?>\n<!-- <!DOCTYPE x> -->\n${placemark('<Point><coordinates>1,2</coordinates></Point>')}`;
    expect(featuresOfKml(text)).toEqual([{ geometry: point, properties: {} }]);
  });

  it('KML names the line of an error in the XML', () => {
    expect(() => featuresOfKml('<kml>\n<Placemark>\n</kml>')).toThrow(
      'Line 2: <Placemark> is closed by </kml>.',
    );
    expect(() => featuresOfKml('<kml>\n<Placemark>')).toThrow(/^Line \d: <.*> is not closed/);
    expect(() => featuresOfKml('<kml>\n\n&nowhere;</kml>')).toThrow(
      /^Line 3: the entity &nowhere; is unknown/,
    );
    expect(() => featuresOfKml('')).toThrow('root');
    expect(() => featuresOfKml('PK\u0003\u0004')).toThrow();
    expect(() => featuresOfKml('<gpx/>')).toThrow('Its root is <gpx>, not <kml>.');
  });

  it('KML takes no document type, in which entities swell', () => {
    const bomb = `<?xml version="1.0"?><!-- x --><!DOCTYPE kml [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${placemark('<name>&b;</name>')}`;
    expect(() => featuresOfKml(bomb)).toThrow('DOCTYPE');
  });

  it('KML is read or refused as a file, whatever its content', () => {
    const piece = fc.constantFrom(
      ...[
        '<kml>',
        '</kml>',
        '<a b="c">',
        "<a b='<'>",
        '</a>',
        '<a/>',
        '< a>',
        '<!--',
        '-->',
        '<![CDATA[',
        ']]>',
      ],
      ...[
        '<?x',
        '?>',
        '&amp;',
        '&#x41;',
        '&#x110000;',
        '&',
        '"',
        ' ',
        '\n',
        '<',
        '>',
        '/',
        '=',
        '1,2',
        '<Placemark>',
      ],
      ...['</Placemark>', '<Point>', '</Point>', '<coordinates>', '</coordinates>', '\u0000', 'ä'],
    );
    const count = { read: 0, refused: 0 };
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        for (const text of [pieces.join(''), `<kml>${pieces.join('')}</kml>`]) {
          try {
            featuresOfKml(text);
            count.read += 1;
          } catch (error) {
            expect(error).toBeInstanceOf(FileError);
            count.refused += 1;
          }
        }
      }),
      { numRuns: 2_000 },
    );
    expect(Math.min(count.read, count.refused)).toBeGreaterThan(50);
  });

  it('KML is read with its entities, CDATA sections, quotes and line ends', () => {
    const name = '<name>A &amp; B &#x43;&#68; <![CDATA[<e & f>]]>\r\ng</name>';
    const data = `<ExtendedData><Data name='a "b"'><value>1</value></Data></ExtendedData>`;
    const [feature] = featuresOfKml(
      placemark(`${name}${data}<Point><coordinates>1 , 2,3</coordinates></Point>`),
    );
    expect(feature).toEqual({
      geometry: point,
      properties: { name: 'A & B CD <e & f>\ng', 'a "b"': '1' },
    });
  });

  it('KML is nested at most 64 levels deep', () => {
    const nested = (levels: number) => `<kml>${'<Folder>'.repeat(levels)}${'</Folder>'.repeat(levels)}</kml>`;
    expect(featuresOfKml(nested(63))).toEqual([]);
    expect(() => featuresOfKml(nested(64))).toThrow('Line 1: elements are nested more than 64 levels deep.');
  });

  it('KML has shapes that are not there or not readable answered as such', () => {
    expect(wanted(featuresOfKml(placemark('<name>Note</name>')))).toEqual([null]);
    const broken = '<Point><coordinates>1;2</coordinates></Point>';
    expect(wanted(featuresOfKml(placemark(broken)))[0]).toMatchObject({ shape: 'circle' });
  });
});
