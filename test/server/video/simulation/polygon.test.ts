import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createPicture,
  fillPolygon,
  fillRect,
  mix,
  tint,
} from '../../../../server/video/simulation/picture.ts';

const WHITE = tint('#FFFFFF');
const BLACK = tint('#000000');

function blackPicture(width = 32, height = 16) {
  const picture = createPicture(width, height);
  fillRect(picture, 0, 0, width, height, BLACK);
  return picture;
}

/** Brightness over black, as a share of white, summed up: the area in pixels. */
function area(picture: ReturnType<typeof blackPicture>): number {
  return picture.y.reduce((sum, y) => sum + (y - BLACK.y) / (WHITE.y - BLACK.y), 0);
}

describe('tint', () => {
  it('tint keeps to the narrow range, black 16 and white 235, with no colour in either', () => {
    expect(BLACK).toEqual({ y: 16, u: 128, v: 128 });
    expect(WHITE).toEqual({ y: 235, u: 128, v: 128 });
  });

  it('tint mixes from one to the other', () => {
    expect(mix(BLACK, WHITE, 0.5).y).toBe(125.5);
    expect(mix(BLACK, WHITE, 7)).toEqual(WHITE);
  });
});

describe('fillPolygon', () => {
  it('fillPolygon fills what fillRect fills when the corners lie on whole pixels', () => {
    const colour = tint('#8E4F4A');
    const [one, other] = [blackPicture(), blackPicture()];
    fillPolygon(one, [4, 2, 20, 2, 20, 10, 4, 10], colour);
    fillRect(other, 4, 2, 16, 8, colour);
    expect(Buffer.from(one.bytes).equals(Buffer.from(other.bytes))).toBe(true);
  });

  it('fillPolygon shades a pixel by the share that is covered', () => {
    const picture = blackPicture();
    fillPolygon(picture, [4.25, 2, 8, 2, 8, 4, 4.25, 4], WHITE);
    expect(picture.y[2 * 32 + 4]).toBeCloseTo(BLACK.y + 0.75 * (WHITE.y - BLACK.y), -0.5);
    expect(picture.y[2 * 32 + 5]).toBe(WHITE.y);
    expect(picture.y[2 * 32 + 8]).toBe(BLACK.y);
  });

  it('fillPolygon leaves a hole where a polygon overlaps itself', () => {
    const picture = blackPicture();
    const outer = [2, 2, 14, 2, 14, 14, 2, 14, 2, 2];
    const inner = [5, 5, 11, 5, 11, 11, 5, 11, 5, 5];
    fillPolygon(picture, [...outer, ...inner], WHITE);
    expect(area(picture)).toBeCloseTo(12 * 12 - 6 * 6, 0);
  });

  it('fillPolygon covers the area of any triangle to a pixel or so, wherever it lies', () => {
    const corner = fc.tuple(
      fc.double({ min: 0, max: 32, noNaN: true }),
      fc.double({ min: 0, max: 16, noNaN: true }),
    );
    fc.assert(
      fc.property(corner, corner, corner, (a, b, c) => {
        const picture = blackPicture();
        fillPolygon(picture, [...a, ...b, ...c], WHITE);
        const exact = Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])) / 2;
        // Four sampled lines a row, and brightness in whole steps.
        expect(Math.abs(area(picture) - exact)).toBeLessThan(9);
      }),
    );
  });

  it('fillPolygon never writes outside of the frame and leaves nothing behind for the next polygon', () => {
    const coordinate = fc.double({ min: -1e4, max: 1e4, noNaN: true });
    fc.assert(
      fc.property(fc.array(coordinate, { minLength: 6, maxLength: 24 }), (corners) => {
        const even = corners.length % 2 === 0 ? corners : corners.slice(1);
        fillPolygon(blackPicture(), even, WHITE);
        const after = blackPicture();
        fillPolygon(after, [4, 4, 8, 4, 8, 8, 4, 8], WHITE);
        expect(area(after)).toBe(16);
      }),
    );
  });
});
