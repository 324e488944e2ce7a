import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CAPTION_PX } from '../../../../server/video/simulation/caption.ts';
import {
  createRenderedFrames,
  frameCount,
  CLIP_HEIGHT,
  CLIP_WIDTH,
} from '../../../../server/video/simulation/renderedFrames.ts';
import type { RenderJob } from '../../../../server/video/simulation/journey.ts';

const FROM = Date.UTC(2026, 10, 19, 11, 3, 48);
const VIEWS = ['Front', 'Cabin', 'Left', 'Right', 'Rear'];

function order(changed: Partial<RenderJob> = {}): RenderJob {
  const position = { speed_kmh: 80, course_deg: 312, lat: 52.5, lon: 13.4 };
  return {
    vehicle: { name: 'V 17', plate: 'AB1234' },
    channel: { channel: 1, name: 'Front' },
    fromMs: FROM,
    toMs: FROM + 10_000,
    fps: 8,
    positions: Array.from({ length: 11 }, () => position),
    output: '',
    ...changed,
  };
}

/** The road alone, without the caption. */
function scene(of: RenderJob, index: number): Buffer {
  const { y } = createRenderedFrames(of).draw(index);
  return Buffer.from(y.subarray(0, (CLIP_HEIGHT - CAPTION_PX) * CLIP_WIDTH));
}

describe('the frames of a clip', () => {
  it.each(VIEWS)(
    'the frames of a clip are the same for the same request, whatever was drawn before: %s',
    (name) => {
      const of = order({ channel: { channel: 1, name } });
      const frames = createRenderedFrames(of);
      frames.draw(3);
      frames.draw(70);
      const again = Buffer.from(frames.draw(40).bytes);
      expect(again.equals(Buffer.from(createRenderedFrames(of).draw(40).bytes))).toBe(true);
    },
  );

  it('the frames of a clip differ between the channels', () => {
    const seen = new Set(
      VIEWS.map((name) => scene(order({ channel: { channel: 1, name } }), 8).toString('base64')),
    );
    expect(seen.size).toBe(VIEWS.length);
  });

  it.each(VIEWS)('the frames of a clip show movement while the vehicle moves: %s', (name) => {
    const of = order({ channel: { channel: 1, name } });
    expect(scene(of, 10).equals(scene(of, 11))).toBe(false);
  });

  it('the frames of a clip show less light at night', () => {
    const brightness = (hours: number) => {
      const fromMs = FROM + hours * 3_600_000;
      return scene(order({ fromMs, toMs: fromMs + 10_000 }), 8).reduce((sum, y) => sum + y, 0);
    };
    expect(brightness(11)).toBeLessThan(brightness(0) / 2);
  });

  it('the frames of a clip fill the fragment: one every 1/fps, the last one shorter if need be', () => {
    expect(frameCount({ fromMs: 0, toMs: 30_000, fps: 8 })).toBe(240);
    expect(frameCount({ fromMs: 0, toMs: 30_033, fps: 8 })).toBe(241);
    expect(frameCount({ fromMs: 0, toMs: 10_000, fps: 3 })).toBe(30);
    expect(frameCount({ fromMs: 0, toMs: 20, fps: 8 })).toBe(1);
  });

  it('the frames of a clip can be drawn for any vehicle anywhere at any time', () => {
    const position = fc.record({
      speed_kmh: fc.double({ min: 0, max: 250, noNaN: true }),
      course_deg: fc.double({ min: 0, max: 360, noNaN: true }),
      lat: fc.double({ min: -90, max: 90, noNaN: true }),
      lon: fc.double({ min: -180, max: 180, noNaN: true }),
    });
    fc.assert(
      fc.property(
        fc.array(fc.option(position), { maxLength: 5 }),
        fc.constantFrom(...VIEWS),
        fc.string({ maxLength: 60, unit: 'grapheme' }),
        fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
        (positions, name, vehicle, from) => {
          const fromMs = from.getTime();
          const of = order({ positions, channel: { channel: 1, name }, fromMs, toMs: fromMs + 4000 });
          const frames = createRenderedFrames({ ...of, vehicle: { name: vehicle, plate: vehicle } });
          const picture = frames.draw(frames.count - 1);
          // Outside of the narrow range is a pixel that nobody drew, or a sum that ran over.
          expect(picture.y.every((y) => y >= 16 && y <= 235)).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });
});
