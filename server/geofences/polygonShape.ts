import { boxAround, placeOf, type Coordinates, type FenceShape } from './fenceForm.ts';
import {
  lonDifference,
  metresOfDegree,
  metresOfLon,
  originDistance,
  type Box,
  type Place,
} from './geodesy.ts';
import { createRingBands } from './ringBands.ts';
import { createSideIndex } from './sideIndex.ts';

type Rings = readonly Coordinates[];

/** A side of a ring, with the longitude at which the ring begins: the ring stays whole, from wherever it is looked at. */
interface RingSide {
  from: Place;
  to: Place;
  ringLon: number;
}

/** Rings of at most 180 degrees of longitude, by polygon; the first of each is the outer one. */
export function polygonShape(polygons: readonly Rings[]): FenceShape {
  const parts = polygons.map((rings) => ({
    bands: createRingBands(rings),
    box: boxAround((rings[0] ?? []).map(placeOf), 0),
  }));
  const sides = createSideIndex(polygons.flat().flatMap(sidesOf), boxOfSide);

  function isInside(place: Place): boolean {
    for (const { bands, box } of parts) if (inBox(place, box) && bands.holds(place)) return true;
    return false;
  }

  function isAtBorder(place: Place, metres: number): boolean {
    const lonM = metresOfLon(place.lat);
    for (const { from, to, ringLon } of sides.near(place, place, metres)) {
      const away = lonDifference(ringLon, place.lon) - ringLon;
      const fromY = (from.lat - place.lat) * metresOfDegree;
      const toY = (to.lat - place.lat) * metresOfDegree;
      if (originDistance((from.lon + away) * lonM, fromY, (to.lon + away) * lonM, toY) <= metres) return true;
    }
    return false;
  }

  return {
    boxes: parts.map((it) => it.box),
    isInside,
    isBeyond: (place, metres) => !isInside(place) && !isAtBorder(place, metres),
    crossing(a, b) {
      const x = lonDifference(b.lon, a.lon);
      const y = b.lat - a.lat;
      let [met, enter, leave] = [0, 1, 0];
      for (const side of sides.near(a, b, 0)) {
        const share = meetingShare(a, x, y, side);
        if (share < 0) continue;
        met += 1;
        if (share < enter) enter = share;
        if (share > leave) leave = share;
      }
      return met < 2 ? null : { enter, leave };
    },
  };
}

function sidesOf(ring: Coordinates): RingSide[] {
  const corners = ring.map(placeOf);
  const ringLon = corners[0]?.lon ?? 0;
  return corners.slice(1).map((to, at) => ({ from: corners[at] ?? to, to, ringLon }));
}

function boxOfSide({ from, to }: RingSide): Box {
  return [
    Math.min(from.lon, to.lon),
    Math.min(from.lat, to.lat),
    Math.max(from.lon, to.lon),
    Math.max(from.lat, to.lat),
  ];
}

/**
 * The share of the way from `a` by (x, y) at which it meets a side; -1 when it does not. In degrees: how far along two
 * lines meet is the same however a plane is stretched.
 */
function meetingShare(a: Place, x: number, y: number, { from, to, ringLon }: RingSide): number {
  const away = lonDifference(ringLon, a.lon) - ringLon;
  const cx = from.lon + away;
  const cy = from.lat - a.lat;
  const sx = to.lon - from.lon;
  const sy = to.lat - from.lat;
  const cross = x * sy - y * sx;
  if (cross === 0) return -1;
  const t = (cx * sy - cy * sx) / cross;
  if (t < 0 || t > 1) return -1;
  const u = (cx * y - cy * x) / cross;
  return u >= 0 && u <= 1 ? t : -1;
}

function inBox(place: Place, [west, south, east, north]: Box): boolean {
  return place.lon >= west && place.lon <= east && place.lat >= south && place.lat <= north;
}
