import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTimeline, REORDER_S } from '../../../../server/video/media/inspect.ts';

const picture = { maxGapS: 60, reorderS: REORDER_S };
const sound = { maxGapS: 60, reorderS: 0 };

/** Frames by their times; every fourth is a key. */
function placed(times: readonly number[], rules = picture): (number | null)[] {
  const timeline = createTimeline(rules);
  return times.map(
    (timestamp, i) =>
      timeline.place({ timestamp, duration: 1, isKey: rules.reorderS === 0 || i % 4 === 0 })?.timestamp ??
      null,
  );
}

describe('the timeline of a track', () => {
  it('the timeline of a track leaves times alone that never jump, B frames among them', () => {
    const times = [5, 7, 6, 8, 9, 11, 10, 12];
    expect(placed(times)).toEqual(times);
  });

  it('the timeline of a track goes on where it was when the clock goes back or far ahead', () => {
    expect(placed([5, 6, 7, 8, 1, 2, 3, 4])).toEqual([5, 6, 7, 8, 9, 10, 11, 12]);
    expect(placed([5, 6, 7, 8, 500, 501, 502, 503])).toEqual([5, 6, 7, 8, 9, 10, 11, 12]);
    expect(placed([5, 6, 7, 8, 9, 10, 2, 3])).toEqual([5, 6, 7, 8, 9, 10, 11, 12]);
  });

  it('the timeline of a track keeps a gap that can be one', () => {
    expect(placed([0, 1, 2, 3, 40, 41])).toEqual([0, 1, 2, 3, 40, 41]);
  });

  it('the timeline of a track leaves out what is shown just before the key behind a jump: it refers to what is not there', () => {
    const timeline = createTimeline(picture);
    const place = (timestamp: number, isKey: boolean) =>
      timeline.place({ timestamp, duration: 0.04, isKey })?.timestamp ?? null;
    expect(place(10, true)).toBe(10);
    expect(place(9.96, false)).toBeNull();
    expect(place(3, true)).toBeCloseTo(10.04);
    expect(place(2.96, false)).toBeNull();
    expect(place(3.04, false)).toBeCloseTo(10.08);
    expect(timeline.offsets()).toHaveLength(1);
  });

  it('the timeline of a track lets audio jump with the picture, and hears what overlaps once', () => {
    const timeline = createTimeline({ ...sound, follow: [7.5] });
    const place = (timestamp: number) =>
      timeline.place({ timestamp, duration: 1, isKey: true })?.timestamp ?? null;
    expect([place(0), place(1), place(8)]).toEqual([0, 1, 8]);
    expect(place(1)).toBe(8.5);
    expect(place(0.95)).toBeNull();
  });

  it('the timeline of a track gives a frame ahead of a jump the length of those before it', () => {
    const timeline = createTimeline(picture);
    timeline.place({ timestamp: 0, duration: 0.04, isKey: true });
    expect(timeline.place({ timestamp: 0.04, duration: -30, isKey: false })?.duration).toBe(0.04);
    expect(timeline.place({ timestamp: 0.08, duration: 3000, isKey: false })?.duration).toBe(0.04);
  });

  it('the timeline of a track never goes behind what came ahead of the last key, and audio never back, whatever the clock does', () => {
    const frames = fc.array(
      fc.record({
        timestamp: fc.double({ min: -1e5, max: 1e5, noNaN: true }),
        duration: fc.double({ min: -100, max: 100, noNaN: true }),
        isKey: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(frames, fc.constantFrom(picture, sound), (list, rules) => {
        const timeline = createTimeline(rules);
        let latest = -Infinity;
        let floor = -Infinity;
        for (const [i, frame] of list.entries()) {
          const isKey = i === 0 || frame.isKey || rules === sound;
          const place = timeline.place({ ...frame, isKey });
          if (place === null) continue;
          if (isKey) floor = latest;
          expect(place.timestamp).toBeGreaterThanOrEqual(floor);
          expect(place.duration).toBeGreaterThanOrEqual(0);
          latest = Math.max(latest, place.timestamp);
        }
      }),
    );
  });
});
