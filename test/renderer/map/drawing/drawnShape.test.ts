import { describe, expect, it } from 'vitest';
import type { DrawnShape } from '../../../../renderer/map/drawing/drawnShape.ts';
import { isComplete, measure, tidyLine } from '../../../../renderer/map/drawing/drawnShape.ts';

const circle = (radius_m: number): DrawnShape => ({
  shape: 'circle',
  geometry: { type: 'Point', coordinates: [11, 52] },
  radius_m,
});
const polygon = (...rings: GeoJSON.Position[][]): DrawnShape => ({
  shape: 'polygon',
  geometry: { type: 'Polygon', coordinates: rings },
});
const square = (at: number, side: number): GeoJSON.Position[] => [
  [at, at],
  [at + side, at],
  [at + side, at + side],
  [at, at + side],
  [at, at],
];

describe('a shape that is being drawn', () => {
  it('a shape that is being drawn is measured while it grows', () => {
    expect(measure(circle(500))).toEqual({
      areaM2: Math.PI * 250_000,
      radiusM: 500,
      lengthM: null,
      points: 1,
    });
    const line = measure({
      shape: 'line',
      geometry: {
        type: 'LineString',
        coordinates: [
          [0, 0],
          [0, 1],
        ],
      },
      width_m: 100,
    });
    expect(line.lengthM).toBeCloseTo(111_195, 0);
    expect(measure(polygon(square(0, 0.01))).areaM2).toBeCloseTo(1_236_430, -3);
  });

  it('a shape that is being drawn does not count its holes', () => {
    const whole = measure(polygon(square(0, 0.02))).areaM2 ?? 0;
    const hole = measure(polygon(square(0.005, 0.01))).areaM2 ?? 0;
    expect(measure(polygon(square(0, 0.02), square(0.005, 0.01))).areaM2).toBeCloseTo(whole - hole, 3);
  });

  it('a shape that is being drawn can be saved with three corners, two points, a metre of radius, and not before', () => {
    expect(isComplete(circle(0))).toBe(false);
    expect(isComplete(circle(1))).toBe(true);
    expect(
      isComplete(
        polygon([
          [0, 0],
          [0, 1],
          [0, 0],
        ]),
      ),
    ).toBe(false);
    expect(
      isComplete(
        polygon([
          [0, 0],
          [0, 1],
          [0, 2],
          [0, 0],
        ]),
      ),
    ).toBe(false);
    expect(isComplete(polygon(square(0, 1)))).toBe(true);
    const twice: DrawnShape = {
      shape: 'line',
      geometry: {
        type: 'LineString',
        coordinates: [
          [1, 1],
          [1, 1],
        ],
      },
      width_m: 10,
    };
    expect(isComplete(twice)).toBe(false);
  });

  it('a shape that is being drawn loses points that repeat and digits that say nothing', () => {
    expect(
      tidyLine([
        [11.123456789, 52],
        [11.12345679, 52],
        [11.2, 52],
      ]),
    ).toEqual([
      [11.1234568, 52],
      [11.2, 52],
    ]);
  });
});
