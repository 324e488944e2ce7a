import type { Locator, Page } from '@playwright/test';
import { expect } from './operator.ts';

/** So long a page may take to be there on a busy machine. */
export const LOAD_MS = 60_000;

/** The player of the video screen. */
export class Player {
  readonly page: Page;
  readonly clips: Locator;
  readonly scrub: Locator;

  constructor(page: Page) {
    this.page = page;
    this.clips = page.locator('video');
    this.scrub = page.getByRole('slider', { name: 'Moment' });
  }

  /** The position of each clip, read at one time, seconds. */
  places(): Promise<number[]> {
    return this.clips.evaluateAll((all) => all.map((it) => (it as HTMLVideoElement).currentTime));
  }

  async place(): Promise<number> {
    return (await this.places())[0] ?? Number.NaN;
  }

  /** It plays. */
  async begins(): Promise<void> {
    await expect.poll(() => this.place(), { timeout: LOAD_MS }).toBeGreaterThan(0.2);
  }

  /** Plays to a place, seconds; returns how far the clips were apart at the most, seen with every frame of the screen. */
  async spreadWhilePlaying(toS: number): Promise<number> {
    const button = this.page.getByRole('button', { name: 'Play', exact: true });
    return button.evaluate(async (play: HTMLElement, to) => {
      const clips = [...document.querySelectorAll('video')];
      play.click();
      let spread = 0;
      for (let at = 0; at < to;) {
        await new Promise(requestAnimationFrame);
        const places = clips.map((it) => it.currentTime);
        at = Math.min(...places);
        spread = Math.max(spread, Math.max(...places) - at);
      }
      return spread;
    }, toS);
  }

  /** How far the clock goes back, or on at once, with any frame of the screen until a clip is gone, seconds. */
  largestJumpUntil(gone: string): Promise<number> {
    return this.page.evaluate(async (selector) => {
      const seen = () => [...document.querySelectorAll('video')].find((it) => it.matches(selector));
      const clock = () => (seen() ?? document.querySelector('video'))?.currentTime ?? Number.NaN;
      let largest = 0;
      for (let before = clock(), isThere = true; isThere; before = clock()) {
        isThere = seen() !== undefined;
        await new Promise(requestAnimationFrame);
        largest = Math.max(largest, Math.abs(clock() - before));
      }
      return largest;
    }, gone);
  }

  async isSettled(): Promise<boolean> {
    const before = await this.places();
    const seeks = await this.clips.evaluateAll((all) => all.some((it) => (it as HTMLVideoElement).seeking));
    return !seeks && before.length > 0;
  }

  /**
   * Goes to the beginning and stands there, whether it plays, stands, or comes to its end meanwhile, where the button
   * that was to pause plays again.
   */
  async rewind(): Promise<void> {
    const button = (name: string) => this.page.getByRole('button', { name, exact: true });
    const toBegin = async () => {
      await this.scrub.focus();
      await this.page.keyboard.press('Home');
    };
    await expect(async () => {
      // First away from the end.
      await toBegin();
      if (await button('Pause').isVisible()) await button('Pause').click({ timeout: 1_000 });
      await expect(button('Play')).toBeVisible({ timeout: 1_000 });
      await toBegin();
      const places = await this.places();
      await expect.poll(() => this.places(), { timeout: 3_000 }).toEqual(places.map(() => 0));
      await expect(button('Play')).toBeVisible({ timeout: 100 });
    }).toPass();
  }
}

/** It begins to play, and goes on. */
export async function expectToPlay(clip: Locator): Promise<void> {
  const seconds = () => clip.evaluate((it: HTMLVideoElement) => it.currentTime);
  await expect.poll(seconds, 'it begins').toBeGreaterThan(0.2);
  const before = await seconds();
  const goesOn = () =>
    clip.evaluate((it: HTMLVideoElement, then) => it.currentTime > then || it.ended, before);
  await expect.poll(goesOn, 'it goes on').toBe(true);
}

export async function boxOf(
  locator: Locator,
): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await locator.boundingBox();
  if (box === null) throw new Error('it is not on the screen');
  return box;
}

/** What a PNG shows: its size, how many colours are in the picture, and how much of the strip below is written on. */
export async function lookAt(page: Page, png: Buffer, pictureHeight: number) {
  return page.evaluate(
    async ({ base64, pictureHeight: top }) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const brush = new OffscreenCanvas(image.width, image.height).getContext('2d');
      if (brush === null) throw new Error('no canvas');
      brush.drawImage(image, 0, 0);
      const points = (y: number, height: number) => {
        const { data } = brush.getImageData(0, y, image.width, height);
        return Array.from({ length: data.length / 4 }, (_, at) => [
          data[at * 4] ?? 0,
          data[at * 4 + 1] ?? 0,
          data[at * 4 + 2] ?? 0,
        ]);
      };
      return {
        width: image.width,
        height: image.height,
        colours: new Set(points(0, top).map((it) => it.join())).size,
        letters: points(top, image.height - top).filter((it) => (it[0] ?? 0) > 150).length,
      };
    },
    { base64: png.toString('base64'), pictureHeight },
  );
}
