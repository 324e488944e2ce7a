import scene from '../../../resources/demo/camera.json' with { type: 'json' };
import { CAPTION_PX, drawCaption } from './caption.ts';
import { createJourney } from './journey.ts';
import { createPalette, daylight, type Palette } from './palette.ts';
import { createPicture, type Picture } from './picture.ts';
import type { RenderJob } from './renderClip.ts';
import { drawScene, viewOf } from './scene.ts';

/** 16:9 and whole 16-pixel blocks, so that the encoder pads nothing. */
export const CLIP_WIDTH = 512;
export const CLIP_HEIGHT = 288;

/** Frames that fill the fragment; the last one may be shorter than the others. */
export function frameCount({ fromMs, toMs, fps }: Pick<RenderJob, 'fromMs' | 'toMs' | 'fps'>): number {
  // A millisecond of slack: 30 s at 8 frames/s are 240 frames, whatever the rounding.
  return Math.max(1, Math.ceil(((toMs - fromMs - 1) * fps) / 1000));
}

/**
 * Draws frame after frame into one picture, which the next call draws over. Nothing but the order decides what is drawn:
 * the same order gives the same pixels.
 */
export function createRenderedFrames(order: RenderJob) {
  const { fromMs } = order;
  const picture = createPicture(CLIP_WIDTH, CLIP_HEIGHT);
  const size = { width: CLIP_WIDTH, height: CLIP_HEIGHT - CAPTION_PX };
  const journey = createJourney(order.positions, fromMs);
  const seed = seedOf(`${order.vehicle.name}/${order.vehicle.plate}`);
  const view = viewOf(order.channel);
  let light = NaN;
  let palette: Palette = createPalette(scene.colours, 1);

  return {
    count: frameCount(order),
    draw(index: number): Picture {
      const moment = journey.at(fromMs + (index * 1000) / order.fps);
      // Twilight takes an hour: a new palette every few seconds is enough.
      const now = Math.round(daylight(moment.atMs, moment.position) * 256) / 256;
      if (now !== light) palette = createPalette(scene.colours, (light = now));
      drawScene({ picture, size, palette, light, moment, journey, fromMs, seed }, view);
      drawCaption(picture, order, moment);
      return picture;
    },
  };
}

/** A seed from a name (FNV-1a, 32 bits). */
function seedOf(name: string): number {
  let h = 0x811c9dc5;
  for (const letter of name) h = Math.imul(h ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return h >>> 0;
}
