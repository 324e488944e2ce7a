import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  clusterRadiusPx,
  drawRing,
  ringImage,
  ringShares,
} from '../../../../renderer/map/glyphs/clusterRing.ts';
import { mapPaletteFrom } from '../../../../renderer/map/mapPalette.ts';

const colours: Record<string, string> = {
  '--moving': '#00ff00',
  '--idle': '#0000ff',
  '--stopped': '#808080',
  '--offline': '#404040',
  '--bg-1': '#111111',
};
const palette = mapPaletteFrom((token) => colours[token] ?? '#000000');

describe('the ring of a cluster', () => {
  it('the ring of a cluster has radius 13, 16 and 19 for up to 14, up to 40 and more vehicles', () => {
    expect([2, 14, 15, 40, 41, 900].map(clusterRadiusPx)).toEqual([13, 13, 16, 16, 19, 19]);
  });

  it('the ring of a cluster is shared out whole, and a state that is there at all is seen', () => {
    const count = fc.integer({ min: 0, max: 500 });
    fc.assert(
      fc.property(
        fc.record({ moving: count, idle: count, stopped: count, overdue: count, offline: count }),
        (counts) => {
          const all = [counts.moving, counts.idle, counts.stopped, counts.overdue, counts.offline];
          fc.pre(all.some((n) => n > 0));
          const shares = ringShares(counts);
          expect(shares.reduce((sum, share) => sum + share, 0)).toBe(16);
          all.forEach((n, i) => {
            expect((shares[i] ?? 0) > 0).toBe(n > 0);
          });
        },
      ),
    );
  });

  it('the ring of a cluster shows the states clockwise from the top', () => {
    const name = ringImage({ moving: 2, idle: 2, stopped: 0, overdue: 0, offline: 0 }, 4);
    const { width, data } = drawRing(name, palette, 2);
    const pixel = (x: number, y: number): number[] => {
      const at = (Math.floor(width / 2 + y * 2) * width + Math.floor(width / 2 + x * 2)) * 4;
      return [...data.slice(at, at + 4)];
    };
    expect(pixel(13, 0)).toEqual([0, 255, 0, 255]);
    expect(pixel(-13, 0)).toEqual([0, 0, 255, 255]);
    expect(pixel(0, 0)).toEqual([17, 17, 17, 255]);
    expect(data[3]).toBe(0);
  });

  it('the ring of a cluster closes without a gap when all vehicles are in one state', () => {
    const { width, data } = drawRing('ring/13/0-0-16-0-0', palette, 2);
    for (let deg = 0; deg < 360; deg += 5) {
      const x = Math.floor(width / 2 + 26 * Math.sin((deg * Math.PI) / 180));
      const y = Math.floor(width / 2 - 26 * Math.cos((deg * Math.PI) / 180));
      expect(data[(y * width + x) * 4], `at ${deg} degrees`).toBeGreaterThan(120);
    }
  });
});
