import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BlockRequest, Obstacle, Point } from '../../../../renderer/map/callouts/placeBlocks.ts';
import {
  contains,
  leaderEnd,
  leaderStart,
  placeBlocks,
} from '../../../../renderer/map/callouts/placeBlocks.ts';

const viewport = { x: 0, y: 0, width: 660, height: 520 };
const block = (id: string, x: number, y: number): BlockRequest => ({
  id,
  anchor: { x, y },
  width: 100,
  height: 40,
  clearancePx: 15,
  mayCover: false,
});
const nowhere = new Map<string, Point>();

function rectOf(request: BlockRequest, offset: Point) {
  return {
    x: request.anchor.x + offset.x,
    y: request.anchor.y + offset.y,
    width: request.width,
    height: request.height,
  };
}

describe('data blocks', () => {
  it('data blocks never cover each other or a vehicle, never leave the map, never lie on their own glyph', () => {
    const spot = fc.record({
      reachPx: fc.constant(9),
      isVehicle: fc.boolean(),
      x: fc.integer({ min: 0, max: 660 }),
      y: fc.integer({ min: 0, max: 520 }),
    });
    fc.assert(
      fc.property(fc.array(spot, { maxLength: 25 }), fc.array(spot, { maxLength: 40 }), (anchors, glyphs) => {
        const requests = anchors.map(({ x, y }, i) => block(`b${i}`, x, y));
        const placed = placeBlocks(requests, glyphs, viewport, nowhere);
        const rects = requests.flatMap((request) => {
          const offset = placed.get(request.id);
          if (!offset) return [];
          const rect = rectOf(request, offset);
          expect(contains(rect, request.anchor)).toBe(false);
          expect(glyphs.some((glyph) => glyph.isVehicle && contains(rect, glyph))).toBe(false);
          return [rect];
        });
        rects.forEach((a, i) => {
          expect(a.x >= 0 && a.y >= 0 && a.x + a.width <= 660 && a.y + a.height <= 520).toBe(true);
          for (const b of rects.slice(i + 1)) {
            expect(
              a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height,
            ).toBe(false);
          }
        });
      }),
    );
  });

  it('data blocks stand where they cover no glyph when there is such a place', () => {
    const request = block('a', 300, 260);
    const crowd: Obstacle[] = [];
    for (let x = 310; x < 480; x += 12)
      for (let y = 180; y < 340; y += 12) crowd.push({ x, y, reachPx: 9, isVehicle: true });
    const offset = placeBlocks([request], crowd, viewport, nowhere).get('a');
    if (!offset) throw new Error('expected a place');
    expect(crowd.filter((glyph) => contains(rectOf(request, offset), glyph))).toEqual([]);
  });

  it('the data block of the selected vehicle stays where it is for one glyph that passes beneath, and leaves for a crowd', () => {
    const request = { ...block('a', 300, 260), mayCover: true };
    const present = placeBlocks([request], [], viewport, nowhere);
    const offset = present.get('a');
    if (!offset) throw new Error('expected a place');
    const under = { x: 300 + offset.x + 50, y: 260 + offset.y + 20, reachPx: 9, isVehicle: true };
    expect(placeBlocks([request], [under], viewport, present).get('a')).toEqual(offset);
    const alarm = { ...request, mayCover: false };
    expect(placeBlocks([alarm], [under], viewport, present).get('a')).not.toEqual(offset);
    const crowd = [0, 10, 20, 30].map((by) => ({ ...under, x: under.x - by }));
    expect(placeBlocks([request], crowd, viewport, present).get('a')).not.toEqual(offset);
  });

  it('data blocks give way to those that come first, and are left out when there is no space', () => {
    const requests = Array.from({ length: 60 }, (_, i) => block(`b${i}`, 330, 260));
    const placed = placeBlocks(requests, [], { x: 200, y: 180, width: 260, height: 160 }, nowhere);
    expect(placed.has('b0')).toBe(true);
    expect(placed.size).toBeLessThan(60);
  });

  it('data blocks are not shown for a glyph outside of the map', () => {
    expect(placeBlocks([block('a', -5, 100)], [], viewport, nowhere).size).toBe(0);
  });

  it('data blocks are tied to the nearest point of their outline, from outside of the glyph’s marks', () => {
    const end = leaderEnd({ x: 30, y: -20 }, 100, 40);
    expect(end).toEqual({ x: 30, y: 0 });
    expect(leaderStart(end, 15)).toEqual({ x: 15, y: 0 });
    expect(leaderStart({ x: 10, y: 0 }, 15)).toBeNull();
  });
});
