import pointInPolygon from 'point-in-polygon-hao';
import type { Coordinates } from './fenceForm.ts';
import type { Place } from './geodesy.ts';

/** Which places lie within the rings of one polygon; the border counts as inside. */
export interface RingBands {
  holds(place: Place): boolean;
}

/** Rings of fewer sides are walked whole. */
const fewSides = 64;
/** On average so many sides begin in a band; a ring that is cut across by a line has only few more there. */
const sidesOfBand = 4;

/**
 * The sides of a polygon's rings by bands of latitude: whether a place lies inside is told by the sides at its latitude
 * alone, so that a border of 20,000 corners costs no more than one of some dozens.
 */
export function createRingBands(rings: readonly Coordinates[]): RingBands {
  const sideCount = rings.reduce((sum, ring) => sum + ring.length - 1, 0);
  if (sideCount < fewSides) {
    const whole = rings as number[][][];
    return { holds: ({ lat, lon }) => pointInPolygon([lon, lat], whole) !== false };
  }
  // West to east and south to north of each side: from lon, from lat, to lon, to lat.
  const sides = new Float64Array(sideCount * 4);
  let [south, north, filled] = [90, -90, 0];
  for (const ring of rings) {
    for (let at = 0; at + 1 < ring.length; at++) {
      const [[fromLon = 0, fromLat = 0] = [], [toLon = 0, toLat = 0] = []] = [ring[at], ring[at + 1]];
      sides.set([fromLon, fromLat, toLon, toLat], filled);
      filled += 4;
      south = Math.min(south, fromLat, toLat);
      north = Math.max(north, fromLat, toLat);
    }
  }
  const bandCount = Math.ceil(sideCount / sidesOfBand);
  const perDegree = north > south ? bandCount / (north - south) : 0;
  const bandOf = (lat: number) => Math.min(bandCount - 1, Math.floor((lat - south) * perDegree));
  const bands: number[][] = Array.from({ length: bandCount }, () => []);
  for (let at = 0; at < sides.length; at += 4) {
    const [a, b] = [sides[at + 1] ?? 0, sides[at + 3] ?? 0];
    for (let band = bandOf(Math.min(a, b)); band <= bandOf(Math.max(a, b)); band++) bands[band]?.push(at);
  }

  return {
    holds({ lat, lon }) {
      if (lat < south || lat > north) return false;
      let isInside = false;
      for (const at of bands[bandOf(lat)] ?? []) {
        const x1 = (sides[at] ?? 0) - lon;
        const y1 = (sides[at + 1] ?? 0) - lat;
        const x2 = (sides[at + 2] ?? 0) - lon;
        const y2 = (sides[at + 3] ?? 0) - lat;
        if (y1 === 0 && y2 === 0) {
          if ((x2 <= 0 && x1 >= 0) || (x1 <= 0 && x2 >= 0)) return true;
        } else if ((y2 >= 0 && y1 <= 0) || (y2 <= 0 && y1 >= 0)) {
          const turn = x2 * y1 - x1 * y2;
          if (turn === 0) return true;
          if ((turn > 0 && y2 > 0 && y1 <= 0) || (turn < 0 && y2 <= 0 && y1 > 0)) isInside = !isInside;
        }
      }
      return isInside;
    },
  };
}
