import { expect, test } from 'vitest';
import { placeAt } from '../../../../renderer/video/player/placeAt.ts';
import { trackFix as fix, TRACK_START as START } from './trackFix.ts';

test('the position at a moment lies between the two fixes around the moment', () => {
  const track = [fix(0, { lat: 52, speed_kmh: 40 }), fix(10, { lat: 53, speed_kmh: 60 })];
  expect(placeAt(track, START + 2_500)).toEqual({ lat: 52.25, lon: 13, speedKmh: 45, courseDeg: 0 });
});

test('the position at a moment turns over north and crosses the antimeridian the short way', () => {
  const track = [fix(0, { course_deg: 350, lon: 179.9 }), fix(10, { course_deg: 10, lon: -179.9 })];
  const place = placeAt(track, START + 5_000);
  expect(place?.courseDeg).toBeCloseTo(0, 5);
  expect(Math.abs(place?.lon ?? 0)).toBeCloseTo(180, 5);
});

test('the position at a moment is not known in a long gap, nor away from the only fix', () => {
  expect(placeAt([fix(0), fix(90)], START + 45_000)).toBeNull();
  expect(placeAt([fix(0)], START + 40_000)).toBeNull();
  expect(placeAt([fix(0)], START + 5_000)).not.toBeNull();
  expect(placeAt([], START)).toBeNull();
});

test('the position at a moment leaves out fixes that do not hold', () => {
  const track = [fix(0), fix(5, { lat: 0, lon: 0, valid: false }), fix(10)];
  expect(placeAt(track, START + 5_000)).toMatchObject({ lat: 52, lon: 13 });
});
