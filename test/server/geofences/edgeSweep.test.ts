import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  sweepSides,
  type Vertex,
  createEdgeOrder,
  type Ordered,
} from '../../../server/geofences/edgeSweep.ts';

type Ring = Vertex[];

const meetingOfSides = (rings: readonly Ring[]) => sweepSides(rings).met;

function ringOf(points: readonly (readonly [number, number])[]): Ring {
  return points.map(([x, y], at) => ({ x, y, at }));
}

const cross = (a: Vertex, b: Vertex, c: Vertex) => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
const within = (a: Vertex, b: Vertex, c: Vertex) =>
  Math.min(a.x, b.x) <= c.x &&
  c.x <= Math.max(a.x, b.x) &&
  Math.min(a.y, b.y) <= c.y &&
  c.y <= Math.max(a.y, b.y);

/** Every pair of sides, by the definition. The grid's whole numbers leave nothing to rounding. */
function anyMeeting(rings: readonly Ring[]): boolean {
  const sides = rings.flatMap((ring, r) =>
    ring.map((a, at) => ({ r, at, n: ring.length, a, b: ring[(at + 1) % ring.length] as Vertex })),
  );
  return sides.some((p, i) =>
    sides.slice(i + 1).some((q) => {
      const apart = Math.abs(p.at - q.at);
      if (p.r === q.r && (apart === 1 || apart === p.n - 1)) return false;
      const [s1, s2] = [Math.sign(cross(p.a, p.b, q.a)), Math.sign(cross(p.a, p.b, q.b))];
      const [s3, s4] = [Math.sign(cross(q.a, q.b, p.a)), Math.sign(cross(q.a, q.b, p.b))];
      if (s1 !== s2 && s3 !== s4 && s1 * s2 <= 0 && s3 * s4 <= 0 && s1 * s2 * s3 * s4 !== 0) return true;
      return (
        (s1 === 0 && within(p.a, p.b, q.a)) ||
        (s2 === 0 && within(p.a, p.b, q.b)) ||
        (s3 === 0 && within(q.a, q.b, p.a)) ||
        (s4 === 0 && within(q.a, q.b, p.b))
      );
    }),
  );
}

/** What the sweep is promised: different corners, and no side straight back on the one before. */
function isProper(rings: readonly Ring[]): boolean {
  const all = rings.flat();
  if (new Set(all.map((it) => `${it.x} ${it.y}`)).size < all.length) return false;
  return rings.every((ring) =>
    ring.every((corner, at) => {
      const before = ring.at(at - 1) as Vertex;
      const after = ring[(at + 1) % ring.length] as Vertex;
      const forth =
        (corner.x - before.x) * (after.x - corner.x) + (corner.y - before.y) * (after.y - corner.y);
      return cross(before, corner, after) !== 0 || forth > 0;
    }),
  );
}

const grid = fc.integer({ min: 0, max: 12 });
const anyRing = fc.array(fc.tuple(grid, grid), { minLength: 3, maxLength: 9, size: 'max' });
/** Corners in the order of their angle seldom cross, so that both answers come up. */
const roundRing = anyRing.map((points) =>
  [...points].sort((a, b) => Math.atan2(a[1] - 6, a[0] - 6) - Math.atan2(b[1] - 6, b[0] - 6)),
);

describe('the sweep over sides', () => {
  it('the sweep over sides finds a meeting exactly when some pair of sides meets', () => {
    const seen = { met: 0, apart: 0 };
    fc.assert(
      fc.property(
        fc.array(fc.oneof(anyRing, roundRing, roundRing), { minLength: 1, maxLength: 2 }),
        (points) => {
          const rings = points.map(ringOf);
          fc.pre(isProper(rings));
          const met = meetingOfSides(rings) !== null;
          seen[met ? 'met' : 'apart']++;
          expect(met).toBe(anyMeeting(rings));
        },
      ),
      { numRuns: 5_000 },
    );
    expect(Math.min(seen.met, seen.apart)).toBeGreaterThan(100);
  });

  it('the sweep over sides names both sides and the place', () => {
    const bow = ringOf([
      [0, 0],
      [4, 4],
      [4, 0],
      [0, 4],
    ]);
    expect(meetingOfSides([bow])).toEqual({
      first: { ring: 0, at: 0 },
      second: { ring: 0, at: 2 },
      x: 2,
      y: 2,
    });
  });

  it('the sweep over sides takes a comb of 20,000 corners whose teeth all overlap each other', () => {
    const teeth = Array.from({ length: 9_999 }, (_, at): [number, number][] => [
      [at, 0],
      [at + 20_000.5, 20_000],
    ]);
    const met = meetingOfSides([ringOf([...teeth.flat(), [40_000, -10], [-10, -10]])]);
    expect(met).toBeNull();
  });

  it('the sweep over sides finds for each ring the one right around it', () => {
    const seen = { none: 0, some: 0 };
    const size = fc.oneof(fc.nat(6), fc.nat(60));
    const box = fc.tuple(fc.nat(60), fc.nat(60), size, size, fc.boolean());
    fc.assert(
      fc.property(fc.array(box, { minLength: 6, maxLength: 20, size: 'max' }), (boxes) => {
        // The fractions keep their sides apart; a box that meets one before it is left out.
        const rings: Ring[] = [];
        const kept: { west: number; east: number; south: number; north: number }[] = [];
        for (const [at, [west, south, wide, high, isTurned]] of boxes.entries()) {
          const [x, y] = [west + at / 16, south + at / 16];
          const [east, north] = [x + wide + 1 / 32, y + high + 1 / 32];
          const ring = ringOf([
            [x, y],
            [east, y],
            [east, north],
            [x, north],
          ]);
          if (meetingOfSides([...rings, ring]) !== null) continue;
          rings.push(isTurned ? ringOf(ring.toReversed().map((it) => [it.x, it.y] as const)) : ring);
          kept.push({ west: x, east, south: y, north });
        }
        const expected = kept.map((inner) => {
          const holders = kept.filter(
            (it) =>
              it.west < inner.west &&
              it.east > inner.east &&
              it.south < inner.south &&
              it.north > inner.north,
          );
          const [closest] = holders.sort((a, b) => b.west - a.west);
          seen[closest === undefined ? 'none' : 'some']++;
          return closest === undefined ? null : kept.indexOf(closest);
        });
        expect(sweepSides(rings).around).toEqual(expected);
      }),
      { numRuns: 500 },
    );
    expect(Math.min(seen.none, seen.some)).toBeGreaterThan(100);
  });

  const corners = 20_000;
  const spiral = () => {
    const arm = (shift: number) =>
      Array.from({ length: corners / 2 }, (_, at): [number, number] => {
        const angle = at / 40;
        return [(angle + shift) * Math.cos(angle), (angle + shift) * Math.sin(angle)];
      });
    return [ringOf([...arm(1), ...arm(3).reverse()])];
  };
  const zigzag = () => {
    const down = Array.from({ length: corners / 2 }, (_, at): [number, number] => [(at % 2) * 1_000, at]);
    return [ringOf([...down, ...down.map(([x, y]): [number, number] => [x + 2_000, y]).reverse()])];
  };
  const slanted = () => {
    const teeth = Array.from({ length: corners / 2 - 1 }, (_, at): [number, number][] => [
      [at, 0],
      [at + 20_000.5, 20_000],
    ]);
    return [ringOf([...teeth.flat(), [40_000, -10], [-10, -10]])];
  };
  const nested = () =>
    Array.from({ length: corners / 4 }, (_, at) =>
      ringOf([
        [at, at],
        [corners - at, at],
        [corners - at, corners - at],
        [at, corners - at],
      ]),
    );
  const holes = () => {
    const square = (x: number, y: number, side: number) =>
      ringOf([
        [x, y],
        [x + side, y],
        [x + side, y + side],
        [x, y + side],
      ]);
    const small = Array.from({ length: corners / 4 - 1 }, (_, at) =>
      square((at % 70) * 2 + 1, Math.floor(at / 70) * 2 + 1, 1),
    );
    return [square(0, 0, 1_000), ...small];
  };

  it.each([
    ['a spiral', spiral],
    ['a zigzag', zigzag],
    ['a comb of long slanted teeth', slanted],
    ['rings that lie in each other', nested],
    ['one ring with thousands of holes', holes],
  ])('the sweep over sides compares the sides of %s at most 1.45 log2(n) + 5 times each', (_, make) => {
    const rings = make();
    const sides = rings.reduce((sum, ring) => sum + ring.length, 0);
    const { met, comparisons } = sweepSides(rings);
    expect(sides).toBe(corners);
    expect(met).toBeNull();
    expect(comparisons).toBeLessThanOrEqual(sides * (1.45 * Math.log2(sides) + 5));
  });
});

function listFrom(handle: Ordered<number> | undefined): number[] {
  let first: Ordered<number> | null = handle ?? null;
  while (first?.before != null) first = first.before;
  const items: number[] = [];
  for (let it = first; it !== null; it = it.after) items.push(it.item);
  return items;
}

describe('the order of the sides under a sweep', () => {
  it('the order of the sides under a sweep holds what a sorted list holds, whatever is put in and taken out', () => {
    const step = fc.tuple(fc.boolean(), fc.nat(1_000_000));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300, size: 'max' }), (steps) => {
        const order = createEdgeOrder<number>();
        const handles: Ordered<number>[] = [];
        for (const [isNew, number] of steps) {
          if (isNew || handles.length === 0) {
            handles.push(order.insert(number, (other) => number >= other));
          } else {
            const [handle] = handles.splice(number % handles.length, 1);
            if (handle !== undefined) order.remove(handle);
          }
          expect(listFrom(handles[0])).toEqual(handles.map((it) => it.item).sort((a, b) => a - b));
        }
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['rising', (at: number) => at],
    ['falling', (at: number) => -at],
    ['alternating', (at: number) => (at % 2 === 0 ? at : -at)],
  ])(
    'the order of the sides under a sweep asks at most 1.45 log2(n) + 2 times where %s items belong, after half of them left too',
    (_, itemAt) => {
      const order = createEdgeOrder<number>();
      const handles: Ordered<number>[] = [];
      let max = 0;
      for (let at = 0; at < 20_000; at += 1) {
        let asked = 0;
        const item = itemAt(at);
        handles.push(
          order.insert(item, (other) => {
            asked += 1;
            return item > other;
          }),
        );
        max = Math.max(max, asked);
        const oldest = handles[at / 2];
        if (at % 2 === 0 && oldest !== undefined) order.remove(oldest);
      }
      expect(max).toBeLessThanOrEqual(1.45 * Math.log2(20_000) + 2);
      expect(max).toBeGreaterThan(8);
    },
  );
});
