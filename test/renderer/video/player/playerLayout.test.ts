import fc from 'fast-check';
import { expect, test } from 'vitest';
import { playerLayout, type Tile } from '../../../../renderer/video/player/playerLayout.ts';

const hd = 16 / 9;
const area = (tiles: readonly Tile[]) => tiles.reduce((sum, it) => sum + it.width * it.height, 0);

test('the player layout shows one large and three small where the pane is wider than 2.2 : 1', () => {
  const tiles = playerLayout({ width: 956, height: 402, channels: 4, aspect: hd, large: null });
  expect(tiles[0]?.width).toBeGreaterThan(700);
  expect(tiles.slice(1).every((it) => Math.abs(it.width - (tiles[1]?.width ?? 0)) < 0.01)).toBe(true);
  expect(area(tiles) / (956 * 402)).toBeGreaterThan(0.95);
});

test('the player layout shows two by two in a pane that is less wide', () => {
  const tiles = playerLayout({ width: 1_446, height: 715, channels: 4, aspect: hd, large: null });
  expect(new Set(tiles.map((it) => Math.round(it.width))).size).toBe(1);
  expect(new Set(tiles.map((it) => Math.round(it.left))).size).toBe(2);
});

test('the player layout shows a single channel as large as it goes', () => {
  const [tile] = playerLayout({ width: 1_604, height: 904, channels: 1, aspect: hd, large: null });
  expect(tile).toEqual({ left: 2, top: 2, width: 1_600, height: 900 });
});

test('the player layout puts two channels side by side in a wide pane and one above the other in a high one', () => {
  const wide = playerLayout({ width: 1_000, height: 300, channels: 2, aspect: hd, large: null });
  expect(wide[0]?.top).toBe(wide[1]?.top);
  const high = playerLayout({ width: 400, height: 700, channels: 2, aspect: hd, large: null });
  expect(high[0]?.left).toBe(high[1]?.left);
});

test('the player layout makes the channel large that the operator chose', () => {
  const tiles = playerLayout({ width: 1_000, height: 700, channels: 4, aspect: hd, large: 2 });
  const widest = tiles.reduce((a, b) => (b.width > a.width ? b : a));
  expect(tiles.indexOf(widest)).toBe(2);
});

test('the player layout never crops, never overlaps, never leaves the pane', () => {
  const filter = fc.record({
    width: fc.integer({ min: 200, max: 3_000 }),
    height: fc.integer({ min: 150, max: 2_000 }),
    channels: fc.integer({ min: 1, max: 9 }),
    aspect: fc.constantFrom(16 / 9, 4 / 3, 9 / 16, 2),
    large: fc.option(fc.nat(8)),
  });
  fc.assert(
    fc.property(filter, (it) => {
      const large = it.large === null ? null : it.large % it.channels;
      const tiles = playerLayout({ ...it, large });
      expect(tiles).toHaveLength(it.channels);
      for (const tile of tiles) {
        expect(tile.width / tile.height).toBeCloseTo(it.aspect, 5);
        expect(tile.left).toBeGreaterThanOrEqual(-0.01);
        expect(tile.top).toBeGreaterThanOrEqual(-0.01);
        expect(tile.left + tile.width).toBeLessThanOrEqual(it.width + 0.01);
        expect(tile.top + tile.height).toBeLessThanOrEqual(it.height + 0.01);
      }
      for (const [index, a] of tiles.entries()) {
        for (const b of tiles.slice(index + 1)) {
          const apart =
            a.left + a.width <= b.left + 0.01 ||
            b.left + b.width <= a.left + 0.01 ||
            a.top + a.height <= b.top + 0.01 ||
            b.top + b.height <= a.top + 0.01;
          expect(apart).toBe(true);
        }
      }
    }),
  );
});
