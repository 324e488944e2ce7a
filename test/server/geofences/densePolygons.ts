export type Point = [number, number];
export type Ring = Point[];

/** In the contract's limit on a ring, with the closing corner. */
export const maxCorners = 20_000;

/**
 * A band that goes up and down so often that it has so many corners, turned by an angle; it fills a square of one
 * degree about lat 45, lon 10, and its slanted sides lie side by side.
 */
export function zigzag(corners: number, angle: number, rise = 0): Ring {
  const half = Math.floor((corners - 1) / 2);
  const up: Ring = Array.from({ length: half }, (_, at) => [at / half, (at % 2) + 1e-4 + (rise * at) / half]);
  const back: Ring = up.map(([x, y]): Point => [x, y - 2e-4]).reverse();
  return closed(turned([...up, ...back], angle));
}

/** A comb whose teeth end at two latitudes, turned by an angle. */
export function comb(corners: number, angle: number): Ring {
  const teeth = Math.floor((corners - 3) / 4);
  const edge = Array.from({ length: teeth }, (_, at): Ring => {
    const [west, middle, east] = [at / teeth, (at + 0.5) / teeth, (at + 1) / teeth];
    return [
      [west, 0.1],
      [west, 1],
      [middle, 1],
      [middle, 0.1],
      ...(at === teeth - 1 ? [[east, 0.1] satisfies Point] : []),
    ];
  }).flat();
  return closed(turned([...edge, [1, 0], [0, 0]], angle));
}

/** A band that winds inwards; fewer times if its sides were so long that they would cross the next winding. */
export function spiral(corners: number, maxWindings: number): Ring {
  const half = Math.floor((corners - 1) / 2);
  const windings = Math.min(maxWindings, Math.cbrt(half ** 2 / 40));
  const along = (share: number, width: number): Point => {
    const angle = 2 * Math.PI * windings * share;
    const radius = 0.5 - 0.45 * share - width;
    return [10 + radius * Math.cos(angle), 45 + radius * Math.sin(angle)];
  };
  const width = 0.15 / windings;
  const out = Array.from({ length: half }, (_, at) => along(at / half, 0));
  const back = Array.from({ length: half }, (_, at) => along(at / half, width)).reverse();
  return closed([...out, ...back]);
}

/** A circle of so many corners; `radius` in degrees. */
export function roundRing(corners: number, radius: number, [lon, lat]: Point = [10, 45]): Ring {
  return closed(
    Array.from({ length: corners - 1 }, (_, at) => {
      const angle = (2 * Math.PI * at) / (corners - 1);
      return [lon + radius * Math.cos(angle), lat + radius * Math.sin(angle)];
    }),
  );
}

/** A coast: about a circle, with bays of all sizes; from the numbers of a seed. */
export function coast(corners: number, seed: number): Ring {
  const waves = Array.from({ length: 9 }, (_, at) => ({
    turns: 3 ** (at / 1.2),
    shift: Math.sin(seed * (at + 1) * 12.9898) * 43_758.5453,
  })).map(({ turns, shift }) => ({ turns: Math.round(turns), shift }));
  return closed(
    Array.from({ length: corners - 1 }, (_, at) => {
      const angle = (2 * Math.PI * at) / (corners - 1);
      const bays = waves.reduce((sum, { turns, shift }) => sum + Math.sin(angle * turns + shift) / turns, 0);
      const radius = 0.4 + 0.05 * bays;
      return [10 + radius * Math.cos(angle), 45 + radius * Math.sin(angle)];
    }),
  );
}

/** The track of a day: legs of some metres that wander, with stops at which the fixes jump about. */
export function wander(points: number, seed: number): Ring {
  let state = seed >>> 0;
  const chance = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  let [lon, lat, heading] = [10, 45, 0];
  return Array.from({ length: points }, (_, at): Point => {
    if (Math.floor(at / 500) % 3 === 0) {
      return [lon + (chance() - 0.5) * 5e-5, lat + (chance() - 0.5) * 5e-5];
    }
    heading += (chance() - 0.5) * 0.8;
    lon += 1e-4 * Math.cos(heading);
    lat += 1e-4 * Math.sin(heading);
    return [lon, lat];
  });
}

export function closed(ring: Ring): Ring {
  return [...ring, ...ring.slice(0, 1)];
}

function turned(ring: Ring, angle: number): Ring {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return ring.map(([x, y]) => [
    10 + (x - 0.5) * cos - (y - 0.5) * sin,
    45 + (x - 0.5) * sin + (y - 0.5) * cos,
  ]);
}
