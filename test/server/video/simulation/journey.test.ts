import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { daylight, viewOf } from '../../../../server/video/simulation/renderedFrames.ts';
import { type RenderPosition, createJourney } from '../../../../server/video/simulation/journey.ts';

const FROM = Date.UTC(2026, 10, 19, 12);

function driving(speedsKmh: readonly number[], courses: readonly number[] = []): RenderPosition[] {
  return speedsKmh.map((speed_kmh, i) => ({ speed_kmh, course_deg: courses[i] ?? 0, lat: 52, lon: 13 }));
}

describe('a journey', () => {
  it('a journey moves along the road as far as the recorded speed carries', () => {
    const journey = createJourney(driving([36, 36, 72, 72]), FROM);
    const metres = (ms: number) => journey.at(FROM + ms).roadM - journey.at(FROM).roadM;
    expect(metres(1000)).toBeCloseTo(10);
    expect(metres(2000)).toBeCloseTo(25);
    expect(metres(3000)).toBeCloseTo(45);
    expect(metres(1500)).toBeCloseTo(10 + 6.25);
  });

  it('a journey never moves backwards, and without jumps', () => {
    const speeds = fc.array(fc.double({ min: 0, max: 130, noNaN: true }), { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(speeds, (kmh) => {
        const journey = createJourney(driving(kmh), FROM);
        for (let ms = 0; ms < (kmh.length - 1) * 1000; ms += 125) {
          const step = journey.at(FROM + ms + 125).roadM - journey.at(FROM + ms).roadM;
          expect(step).toBeGreaterThanOrEqual(-1e-6);
          expect(step).toBeLessThan((130 / 3.6) * 0.125 + 1e-6);
        }
      }),
    );
  });

  it('a journey turns from 350 to 10 degrees over north', () => {
    const journey = createJourney(driving([50, 50], [350, 10]), FROM);
    expect(journey.at(FROM + 500).courseDeg).toBeCloseTo(0);
    expect(journey.at(FROM + 750).courseDeg).toBeCloseTo(5);
  });

  it('a journey bends the road to the side that the vehicle turns to, and not while it stands', () => {
    const speeds = Array<number>(10).fill(60);
    const right = createJourney(driving(speeds, [0, 2, 4, 6, 8, 10, 12, 14, 16, 18]), FROM);
    const left = createJourney(driving(speeds, [18, 16, 14, 12, 10, 8, 6, 4, 2, 0]), FROM);
    expect(right.at(FROM + 5000).bend).toBeGreaterThan(0.001);
    expect(left.at(FROM + 5000).bend).toBeLessThan(-0.001);
    const standing = createJourney(driving([0, 0, 0, 0, 0], [0, 90, 180, 270, 0]), FROM);
    expect(standing.at(FROM + 2000).bend).toBe(0);
  });

  it('a journey stands still and knows nothing where no position is known', () => {
    const journey = createJourney([null, null, null], FROM);
    expect(journey.at(FROM + 1500)).toMatchObject({ position: null, speedMs: 0 });
    expect(journey.at(FROM + 1500).roadM).toBe(journey.at(FROM).roadM);
  });
});

describe('daylight', () => {
  const berlin = { lat: 52.5, lon: 13.4 };

  it('daylight is full at noon, none at midnight, and between in the twilight', () => {
    expect(daylight(Date.UTC(2026, 5, 21, 11), berlin)).toBe(1);
    expect(daylight(Date.UTC(2026, 5, 21, 23), berlin)).toBe(0);
    // Sunrise in Berlin on 21 March: 06:08 CET.
    const dawn = daylight(Date.UTC(2026, 2, 21, 5, 8), berlin);
    expect(dawn).toBeGreaterThan(0.2);
    expect(dawn).toBeLessThan(0.9);
  });

  it('daylight goes by the place: noon in Greenwich is night in the Pacific, and a summer evening is light up north', () => {
    expect(daylight(Date.UTC(2026, 2, 21, 12), { lat: 0, lon: 180 })).toBe(0);
    expect(daylight(Date.UTC(2026, 5, 21, 19), { lat: 65, lon: 13 })).toBe(1);
    expect(daylight(Date.UTC(2026, 11, 21, 14), { lat: 65, lon: 13 })).toBeLessThan(0.6);
  });

  it('daylight goes by the hour alone where no place is known', () => {
    expect(daylight(Date.UTC(2026, 2, 21, 12), null)).toBe(1);
    expect(daylight(Date.UTC(2026, 2, 21, 0), null)).toBe(0);
  });
});

describe('the view of a channel', () => {
  it('the view of a channel follows its name, and its number where the name says nothing', () => {
    expect(viewOf({ channel: 1, name: 'Driver' })).toBe('cabin');
    expect(viewOf({ channel: 9, name: 'Left mirror' })).toBe('left');
    expect([1, 2, 3, 4, 5, 6].map((channel) => viewOf({ channel, name: 'CH' }))).toEqual([
      'front',
      'cabin',
      'left',
      'rear',
      'right',
      'front',
    ]);
  });
});
