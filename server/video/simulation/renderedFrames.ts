import { drawCabinScene } from './cabinScene.ts';
import { CAPTION_PX, drawCaption } from './caption.ts';
import { seedOf } from './chance.ts';
import { daylight } from './daylight.ts';
import { frameCount } from './renderJob.ts';
import type { RenderJob } from './renderJob.ts';
import { createJourney } from './journey.ts';
import { createPalette } from './palette.ts';
import type { Palette } from './palette.ts';
import { createPicture } from './picture.ts';
import type { Picture } from './picture.ts';
import { drawRoadScene } from './roadScene.ts';
import { viewOf } from './view.ts';

/** 16:9 and whole 16-pixel blocks, so that the encoder pads nothing. */
export const CLIP_WIDTH = 512;
export const CLIP_HEIGHT = 288;

export interface RenderedFrames {
  count: number;
  /** Draws frame `index`; the picture is drawn over by the next call. */
  draw: (index: number) => Picture;
}

/** Nothing but the order decides what is drawn: the same order gives the same pixels. */
export function createRenderedFrames(order: RenderJob): RenderedFrames {
  const picture = createPicture(CLIP_WIDTH, CLIP_HEIGHT);
  const size = { width: CLIP_WIDTH, height: CLIP_HEIGHT - CAPTION_PX };
  const journey = createJourney(order.positions, order.fromMs);
  const seed = seedOf(`${order.vehicle.name}/${order.vehicle.plate}`);
  const view = viewOf(order.channel);
  let light = NaN;
  let palette: Palette = createPalette(1);

  return {
    count: frameCount(order),
    draw(index) {
      const moment = journey.at(order.fromMs + (index * 1000) / order.fps);
      // Twilight takes an hour: a new palette every few seconds is enough.
      const now = Math.round(daylight(moment.atMs, moment.position) * 256) / 256;
      if (now !== light) palette = createPalette((light = now));
      const frame = { picture, size, palette, light, moment, journey, fromMs: order.fromMs, seed };
      if (view === 'cabin') drawCabinScene(frame);
      else drawRoadScene(frame, view);
      drawCaption(picture, order, moment);
      return picture;
    },
  };
}
