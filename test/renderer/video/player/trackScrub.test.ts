import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Position } from '../../../../server/contract/positions.ts';
import { momentNear, pixelOf, type MapSight } from '../../../../renderer/video/player/followTrack.ts';
import { trackFix, TRACK_START } from './trackFix.ts';

const sight: MapSight = { lat: 52, lon: 13, zoom: 14, width: 400, height: 200 };
const span = { from: TRACK_START, to: TRACK_START + 30_000 };

/** East along a parallel, one fix for each second of a list. */
const eastwards = (...seconds: number[]): Position[] =>
  seconds.map((it) => trackFix(it, { lat: 52, lon: 13 + it / 10_000 }));

const near = (track: readonly Position[], point: { x: number; y: number }, now = 0) =>
  momentNear(track, span, point, sight, TRACK_START + now * 1_000);

test('the track of the player shows the middle of the map in its middle, north up and east right', () => {
  expect(pixelOf({ lat: 52, lon: 13 }, sight)).toEqual({ x: 200, y: 100 });
  const { x, y } = pixelOf({ lat: 52.001, lon: 13.001 }, sight);
  // 512 · 2^14 / 360 pixels for a degree of longitude; a degree of latitude is 1 / cos 52° of that.
  expect(x - 200).toBeCloseTo(23.3, 1);
  expect(100 - y).toBeCloseTo(37.85, 1);
});

test('the track of the player crosses the antimeridian the short way', () => {
  const { x } = pixelOf({ lat: 0, lon: -179.999 }, { ...sight, lat: 0, lon: 179.999 });
  expect(x - 200).toBeCloseTo(46.6, 1);
});

test('the track of the player finds the moment between two fixes, and how far off the track a point is', () => {
  const track = eastwards(0, 10, 20, 30);
  const place = pixelOf({ lat: 52, lon: 13.00137 }, sight);
  const found = near(track, { x: place.x, y: place.y + 7 });
  expect(((found?.at ?? 0) - TRACK_START) / 1_000).toBeCloseTo(13.7, 3);
  expect(found?.px).toBeCloseTo(7, 3);
});

test('the track of the player stays within the period, though the track goes on', () => {
  const track = eastwards(-20, 0, 20, 40, 60);
  expect(near(track, pixelOf({ lat: 52, lon: 13.006 }, sight))?.at).toBe(span.to);
  expect(near(track, pixelOf({ lat: 52, lon: 12.998 }, sight))?.at).toBe(span.from);
  expect(near(eastwards(-90, -40, 70, 90), { x: 200, y: 100 })).toBeNull();
});

test('a scrub on a street that was driven there and back stays on the current pass', () => {
  const back = (second: number) => trackFix(second, { lat: 52, lon: 13 + (30 - second) / 10_000 });
  const track = [...eastwards(0, 5, 10, 15), back(20), back(25), back(30)];
  const point = pixelOf({ lat: 52, lon: 13.0008 }, sight);
  const second = (now: number) => ((near(track, point, now)?.at ?? 0) - TRACK_START) / 1_000;
  expect(second(5)).toBeCloseTo(8, 3);
  expect(second(25)).toBeCloseTo(22, 3);
});

test('a scrub returns a moment of the period or none for any track and any point', () => {
  const fixes = fc.array(
    fc.record({
      second: fc.integer({ min: -120, max: 120 }),
      lat: fc.double({ min: -80, max: 80, noNaN: true }),
      lon: fc.double({ min: -180, max: 180, noNaN: true }),
    }),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(fixes, fc.integer({ max: 400 }), fc.integer({ max: 200 }), (list, x, y) => {
      const track = list
        .toSorted((a, b) => a.second - b.second)
        .map(({ second, lat, lon }) => trackFix(second, { lat, lon }));
      const found = near(track, { x, y });
      if (found === null) return;
      expect(found.at).toBeGreaterThanOrEqual(span.from);
      expect(found.at).toBeLessThanOrEqual(span.to);
      expect(found.px).toBeGreaterThanOrEqual(0);
    }),
  );
});
