import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createFrameTimes,
  createTrackTimes,
} from '../../../../../server/video/terminals/jt1078/clipMuxer.ts';

const minute = 60_000;

function times(stamps: readonly number[], since_ms = 40): number[] {
  const clip = createFrameTimes(minute);
  const track = createTrackTimes();
  return stamps.map((it) => track.of(clip.of(it, since_ms), since_ms, false));
}

describe('the times of a clip', () => {
  it('the times of a clip are the differences of the stamps, whatever they begin with', () => {
    expect(times([1_600_181_225_446, 1_600_181_225_486, 1_600_181_225_566])).toEqual([0, 40, 120]);
  });

  it('the times of a clip keep a time in which the recorder left something out', () => {
    expect(times([0, 40, 30_040, 30_080])).toEqual([0, 40, 30_040, 30_080]);
  });

  it('the times of a clip go on by one frame where the clock was set, forward or back', () => {
    expect(times([1_000, 1_040, 900_000, 900_040])).toEqual([0, 40, 80, 120]);
    expect(times([900_000, 900_040, 1_000, 1_060])).toEqual([0, 40, 80, 140]);
  });

  it('the times of a clip go on past the wrap of a counter of 32 bits', () => {
    expect(times([2 ** 32 - 40, 20, 60])).toEqual([0, 60, 100]);
  });

  it('the times of a clip of frames with one stamp are spread by their interval until the clock has caught up', () => {
    expect(times([0, 0, 0, 1_000, 1_000], 50)).toEqual([0, 50, 100, 1_000, 1_050]);
  });

  it('the times of a clip of frames that are shown in another order than sent stay so where they may', () => {
    const clip = createFrameTimes(minute);
    const track = createTrackTimes();
    const at = (stamp: number, mayGoBack: boolean) => track.of(clip.of(stamp, 40), 40, mayGoBack);
    expect([at(0, false), at(120, false), at(40, true), at(80, true), at(160, false)]).toEqual([
      0, 120, 40, 80, 160,
    ]);
  });

  it('the times of a clip never go back, whatever the stamps', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.maxSafeNat(), fc.nat(5_000)), { maxLength: 50 }), (stamps) => {
        const found = times(stamps);
        found.forEach((it, i) => expect(it).toBeGreaterThan(found[i - 1] ?? -1));
      }),
    );
  });
});
