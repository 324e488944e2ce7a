import { describe, expect, it } from 'vitest';
import { distanceField } from '../../../../renderer/map/glyphs/glyphAtlas.ts';

const SIDE = 32;

/** A disc, drawn `oversampling` times as large as the field. */
function discField(radiusPx: number, oversampling: number): Uint8ClampedArray {
  const fine = SIDE * oversampling;
  const coverage = new Uint8ClampedArray(fine * fine);
  for (let y = 0; y < fine; y++) {
    for (let x = 0; x < fine; x++) {
      const distance = Math.hypot((x + 0.5) / oversampling - SIDE / 2, (y + 0.5) / oversampling - SIDE / 2);
      coverage[y * fine + x] = distance <= radiusPx ? 255 : 0;
    }
  }
  return distanceField(coverage, SIDE, SIDE, oversampling, 1);
}

describe('the distance field of a drawing', () => {
  it('the distance field of a drawing is 192 at the outline, more inside, and falls by 32 a pixel outside', () => {
    const field = discField(8, 4);
    for (let x = 0; x < SIDE; x++) {
      const fromCentre = Math.hypot(x + 0.5 - SIDE / 2, 0.5);
      const expected = Math.max(0, Math.min(255, 255 * (0.75 - (fromCentre - 8) / 8)));
      expect(Math.abs((field[(SIDE / 2) * SIDE + x] ?? 0) - expected), `at ${x}`).toBeLessThan(8);
    }
  });

  it('the distance field of a drawing is the same seen from every side', () => {
    const field = discField(6, 2);
    const at = (x: number, y: number): number => field[y * SIDE + x] ?? -1;
    for (let i = 0; i < SIDE; i++) {
      expect(at(i, 5)).toBe(at(SIDE - 1 - i, 5));
      expect(at(i, 5)).toBe(at(5, i));
    }
  });

  it('the distance field of a drawing is empty where nothing is drawn and full where everything is', () => {
    expect(Math.max(...distanceField(new Uint8ClampedArray(64 * 64), 32, 32, 2, 1))).toBe(0);
    expect(Math.min(...distanceField(new Uint8ClampedArray(64 * 64).fill(255), 32, 32, 2, 1))).toBe(255);
  });

  it('the distance field of a drawing refuses a drawing of another size', () => {
    expect(() => distanceField(new Uint8ClampedArray(10), 4, 4, 2, 1)).toThrow(RangeError);
  });
});
