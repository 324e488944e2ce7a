import fc from 'fast-check';
import { expect, it } from 'vitest';
import { captionLayout } from '../../../renderer/map/mapPicture.ts';

const words = {
  title: 'Harbour depot',
  time: 'Tue 24 Nov 2026 09:12:30 CET',
  credit: '© OpenStreetMap contributors · Natural Earth · GeoNames (CC BY 4.0)',
  scale: '500 m',
  north: 'N',
};
const bar = { lengthPx: 120, lengthM: 500 };
const measure = (text: string, strong: boolean) => text.length * (strong ? 8 : 7);

it('the caption of a wide picture has depot, time, scale and north in its first line and the attribution below', () => {
  const { texts, bar: drawn, arrow, heightPx } = captionLayout(words, bar, 1_000, measure);
  const first = texts.filter(({ y }) => y === texts[0]?.y).map(({ text }) => text);
  expect(first).toEqual([words.title, words.time, words.scale, words.north]);
  expect(texts.at(-1)?.text).toBe(words.credit);
  expect(drawn).toMatchObject({ lengthPx: 120, y: texts[0]?.y });
  expect(arrow.x).toBeGreaterThan(drawn.x + drawn.lengthPx);
  expect(heightPx).toBeGreaterThan(texts.at(-1)?.y ?? 0);
});

it('the caption of a picture of any width keeps every text within it, and leaves no word of the attribution out', () => {
  const letters = fc.string({ minLength: 1, maxLength: 120 });
  fc.assert(
    fc.property(fc.integer({ min: 320, max: 3_000 }), letters, (widthPx, title) => {
      const { texts, heightPx } = captionLayout({ ...words, title }, bar, widthPx, measure);
      for (const { text, x, y, strong } of texts) {
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x + measure(text, strong)).toBeLessThanOrEqual(widthPx);
        expect(y).toBeLessThan(heightPx);
      }
      const all = texts.map(({ text }) => text).join(' ');
      for (const word of words.credit.split(' ')) expect(all).toContain(word);
      const places = texts.map(({ x, y }) => `${Math.round(x)} ${y}`);
      expect(new Set(places).size).toBe(places.length);
    }),
  );
});
