import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { meetingOfSides, type Corner } from '../../../server/geofences/sideSweep.ts';

type Ring = Corner[];

function ringOf(points: readonly (readonly [number, number])[]): Ring {
  return points.map(([x, y], at) => ({ x, y, at }));
}

const cross = (a: Corner, b: Corner, c: Corner) => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
const within = (a: Corner, b: Corner, c: Corner) =>
  Math.min(a.x, b.x) <= c.x &&
  c.x <= Math.max(a.x, b.x) &&
  Math.min(a.y, b.y) <= c.y &&
  c.y <= Math.max(a.y, b.y);

/** Every pair of sides, by the definition. The grid's whole numbers leave nothing to rounding. */
function anyMeeting(rings: readonly Ring[]): boolean {
  const sides = rings.flatMap((ring, r) =>
    ring.map((a, at) => ({ r, at, n: ring.length, a, b: ring[(at + 1) % ring.length] as Corner })),
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
      const before = ring.at(at - 1) as Corner;
      const after = ring[(at + 1) % ring.length] as Corner;
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
  it('finds a meeting exactly when some pair of sides meets', () => {
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

  it('names both sides and the place', () => {
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

  it('takes a comb of 20,000 corners whose teeth all overlap each other', () => {
    const teeth = Array.from({ length: 9_999 }, (_, at): [number, number][] => [
      [at, 0],
      [at + 20_000.5, 20_000],
    ]);
    const met = meetingOfSides([ringOf([...teeth.flat(), [40_000, -10], [-10, -10]])]);
    expect(met).toBeNull();
  });
});
