import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatCorners,
  readCorners,
  readShape,
  sizeOf,
} from '../../../../renderer/geofences/form/ShapeFields.tsx';

const TRIANGLE = '52.51, 13.39\n52.53, 13.41\n52.51, 13.43';

describe('corners that are typed', () => {
  it('corners that are typed are read latitude first, and come in the order of GeoJSON', () => {
    expect(readCorners('52.52, 13.4')).toEqual([[13.4, 52.52]]);
  });

  it.each(['52.52 13.4', '52.52;13.4', ' 52.52 ,  13.4 ', '52.52\t13.4'])(
    'corners that are typed may be written as %j',
    (text) => {
      expect(readCorners(text)).toEqual([[13.4, 52.52]]);
    },
  );

  it('corners that are typed may lie south and west, with either minus sign', () => {
    expect(readCorners('-33.86, −70.5')).toEqual([[-70.5, -33.86]]);
  });

  it('corners that are typed skip empty lines and name the line that is no place', () => {
    expect(readCorners('52.5, 13.4\n\nYard\n')).toEqual({ kind: 'line', line: 3 });
    expect(readCorners('91, 13.4')).toEqual({ kind: 'line', line: 1 });
    expect(readCorners('52.5, 181')).toEqual({ kind: 'line', line: 1 });
    expect(readCorners('52.5')).toEqual({ kind: 'line', line: 1 });
  });
});

describe('a shape that is typed', () => {
  it('a polygon that is typed is closed automatically', () => {
    const ring = [
      [13.39, 52.51],
      [13.41, 52.53],
      [13.43, 52.51],
      [13.39, 52.51],
    ];
    const drawn = { shape: 'polygon', geometry: { type: 'Polygon', coordinates: [ring] } };
    expect(readShape('polygon', TRIANGLE, Number.NaN)).toEqual(drawn);
    expect(readShape('polygon', `${TRIANGLE}\n52.51, 13.39`, Number.NaN)).toEqual(drawn);
  });

  it('a shape that is typed keeps the holes of a polygon', () => {
    const hole = [
      [13.4, 52.515],
      [13.41, 52.52],
      [13.42, 52.515],
      [13.4, 52.515],
    ];
    expect(readShape('polygon', TRIANGLE, Number.NaN, [hole])).toMatchObject({
      geometry: { coordinates: [expect.anything(), hole] },
    });
  });

  it('a shape that is typed is a circle by its centre and radius, and a line by its points and width', () => {
    expect(readShape('circle', '52.52, 13.4', 400)).toEqual({
      shape: 'circle',
      geometry: { type: 'Point', coordinates: [13.4, 52.52] },
      radius_m: 400,
    });
    expect(readShape('line', '52.5, 13.3\n52.6, 13.4', 120)).toMatchObject({
      shape: 'line',
      geometry: { type: 'LineString' },
      width_m: 120,
    });
  });

  it.each([
    ['polygon', '52.51, 13.39\n52.53, 13.41', 0],
    ['polygon', '52.51, 13.39\n52.52, 13.39\n52.53, 13.39', 0],
    ['circle', TRIANGLE, 400],
    ['circle', '52.52, 13.4', Number.NaN],
    ['line', '52.5, 13.3', 120],
    ['line', '52.5, 13.3\n52.5, 13.3', 120],
  ] as const)('a shape that is typed is none as a %s of %j', (shape, corners, size) => {
    expect(readShape(shape, corners, size)).toEqual({ kind: 'few' });
  });

  it('a shape that is typed reads back what it wrote', () => {
    const place = fc.tuple(
      fc.double({ min: -80, max: 80, noNaN: true }).map((it) => Number(it.toFixed(7))),
      fc.double({ min: -170, max: 170, noNaN: true }).map((it) => Number(it.toFixed(7))),
    );
    fc.assert(
      fc.property(fc.uniqueArray(place, { minLength: 2, maxLength: 8, selector: String }), (places) => {
        const text = places.map((degrees) => degrees.map((it) => it.toFixed(7)).join(', ')).join('\n');
        const drawn = readShape('line', text, 50);
        if (!('shape' in drawn)) throw new Error('it is no line');
        expect(readShape('line', formatCorners(drawn), sizeOf(drawn) ?? 0)).toEqual(drawn);
      }),
    );
  });
});
