import { afterEach, expect, it } from 'vitest';
import { formats } from '../../../renderer/format/formats.ts';
import { areaText } from '../../../renderer/mapFiles/MapRow.tsx';

const before = formats.getState();
afterEach(() => formats.setState(before));

const andorra = { south: 42.44, north: 42.66, west: 1.42, east: 1.78 };
const acrossZero = { south: -34.5, north: -33.25, west: -0.5, east: 0.25 };

it('the area of a map is written in degrees of both directions, also across the prime meridian', () => {
  expect(areaText(andorra)).toBe('42.44–42.66° N, 1.42–1.78° E');
  expect(areaText(acrossZero)).toBe('33.25–34.50° S, 0.50° W – 0.25° E');
});

it('the area of a map is written with the points of the compass and the decimal sign of the language', () => {
  formats.setState({ decimalSign: ',', words: { ...before.words, 'compass.e': 'O' } });
  expect(areaText(andorra)).toBe('42,44–42,66° N; 1,42–1,78° O');
});
