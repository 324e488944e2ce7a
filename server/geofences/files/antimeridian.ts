import type { Cause } from '../../contract/causes.ts';
import { causeOf, detailOf } from '../../contract/causeTexts.ts';
import { geofenceLimits } from '../../contract/geofenceGeometry.ts';
import { sweepSides } from '../edgeSweep.ts';

/** Longitude and latitude; where a ring goes over the antimeridian, its longitudes go on beyond 180. */
export type Corner = [lon: number, lat: number];

/** Corners without the closing one. */
type Ring = Corner[];

const border = 180;

/** A polygon that goes over the antimeridian more often than is taken. */
export class TooManyCrossings extends Error {
  override name = 'TooManyCrossings';

  readonly reason: Cause;

  constructor(crossings: number) {
    const reason = causeOf('geofence.crossings', {
      crossings: String(crossings),
      most: String(geofenceLimits.crossings),
    });
    super(detailOf([reason]));
    this.reason = reason;
  }
}

/**
 * A polygon as GeoJSON wants it (RFC 7946, section 3.1.9): cut at the antimeridian if it crosses that, into one part or
 * several. Rings are closed before and afterwards; one that goes round a pole is left as it is. Of n corners it takes
 * n log n steps.
 *
 * @param isShorterWay whether a side of more than half the globe goes the other way round, as it does in KML
 * @throws TooManyCrossings
 */
export function splitAtAntimeridian(
  rings: readonly (readonly Corner[])[],
  isShorterWay: boolean,
): Corner[][][] {
  const [outer, ...holes] = rings.map((ring) => unrolled(ring.slice(0, -1), isShorterWay));
  if (outer === undefined) return [];
  const span = spanOf(outer);
  const all = [outer, ...holes.map((hole) => besideOf(hole, span))];
  if (isShorterWay && all.some(isAroundPole)) return [rings.map((ring) => [...ring])];
  if (all.every((ring) => spanOf(ring).east <= border)) {
    return [all.map((ring) => [...ring, ...ring.slice(0, 1)])];
  }
  const crossings = all.reduce((sum, ring) => sum + crossingsOf(ring), 0);
  if (crossings > geofenceLimits.crossings) throw new TooManyCrossings(crossings);
  // Along the border a hole is left the other way than the polygon is, so that their stretches join.
  const turned = all.map((ring, at) => (isLeftHanded(ring) === (at === 0) ? ring : ring.toReversed()));
  return [false, true].flatMap((east) => partsOn(turned, east));
}

function isLeftHanded(ring: Ring): boolean {
  const doubleArea = ring.reduce((sum, [bx, by], at) => {
    const [ax, ay] = ring.at(at - 1) ?? [bx, by];
    return sum + ax * by - bx * ay;
  }, 0);
  return doubleArea > 0;
}

/** Shifted so that the ring begins to lie west of the border; each corner on the shorter way from the one before. */
function unrolled(ring: readonly Corner[], isShorterWay: boolean): Ring {
  let turns = 0;
  let before = ring[0]?.[0] ?? 0;
  const rolled = ring.map(([lon, lat]): Corner => {
    if (isShorterWay && lon - before > border) turns -= 360;
    else if (isShorterWay && before - lon > border) turns += 360;
    before = lon;
    return [lon + turns, lat];
  });
  const shift = Math.floor((spanOf(rolled).west + border) / 360) * 360;
  return shift === 0 || !Number.isFinite(shift) ? rolled : rolled.map(([lon, lat]) => [lon - shift, lat]);
}

function isAroundPole(ring: Ring): boolean {
  const [first, last] = [ring[0], ring.at(-1)];
  return first !== undefined && last !== undefined && Math.abs(last[0] - first[0]) > border;
}

interface Span {
  west: number;
  east: number;
}

function spanOf(ring: Ring): Span {
  let [west, east] = [Infinity, -Infinity];
  for (const [lon] of ring) {
    west = Math.min(west, lon);
    east = Math.max(east, lon);
  }
  return { west, east };
}

function crossingsOf(ring: Ring): number {
  return ring.filter(([lon], at) => lon > border !== (ring.at(at - 1)?.[0] ?? lon) > border).length;
}

/** A hole lies where its polygon does, whichever side of the border it was given on. */
function besideOf(hole: Ring, { west, east }: Span): Ring {
  const [lon] = hole[0] ?? [0];
  return west > lon && east >= lon + 360 ? hole.map(([lon, lat]) => [lon + 360, lat]) : hole;
}

interface Chain {
  corners: Ring;
  /** Latitudes at which it comes over the border and goes back. */
  from: number;
  to: number;
}

/**
 * The polygon's parts on one side of the border. Along the border inside and outside take turns, from crossing to
 * crossing: each chain goes on along it to the crossing that ends the inside stretch.
 */
function partsOn(rings: readonly Ring[], east: boolean): Corner[][][] {
  const isHere = ([lon]: Corner) => lon > border === east;
  const chains = rings.flatMap((ring) => chainsOf(ring, isHere));
  const crossings = chains.flatMap(({ from, to }) => [from, to]).sort((a, b) => a - b);
  const places = new Map<number, number>();
  for (const [at, lat] of crossings.entries()) if (!places.has(lat)) places.set(lat, at);
  const partner = (lat: number) => {
    const at = places.get(lat) ?? -1;
    return crossings[at % 2 === 0 ? at + 1 : at - 1] ?? lat;
  };
  const left = new Set(chains);
  const beginning = new Map<number, Chain[]>();
  for (const chain of chains) {
    const others = beginning.get(chain.from);
    if (others === undefined) beginning.set(chain.from, [chain]);
    else others.push(chain);
  }
  /** Those that are used up are met once. */
  const takeFrom = (lat: number) => {
    const waiting = beginning.get(lat) ?? [];
    while (waiting[0] !== undefined && !left.has(waiting[0])) waiting.shift();
    return waiting[0];
  };
  const whole = rings.filter((ring) => ring.every(isHere));
  const outers: Ring[] = rings[0] !== undefined && whole.includes(rings[0]) ? [rings[0]] : [];
  for (const first of left) {
    const corners: Ring[] = [];
    let chain: Chain | undefined = first;
    while (chain !== undefined && left.delete(chain)) {
      corners.push([[border, chain.from]], chain.corners, [[border, chain.to]]);
      chain = takeFrom(partner(chain.to));
    }
    outers.push(corners.flat());
  }
  const holes = whole.filter((ring) => ring !== rings[0]);
  const parts = outers.map((outer) => [outer]);
  for (const [at, place] of outersOf(holes, outers).entries()) parts[place]?.push(holes[at] ?? []);
  return parts.map((part) => part.map((ring) => closed(ring, east)));
}

/** For each hole the place of the part around it. Whatever lies in none is refused afterwards, wherever it was put. */
function outersOf(holes: readonly Ring[], outers: readonly Ring[]): number[] {
  if (outers.length < 2) return holes.map(() => 0);
  const cornersOf = (ring: Ring) => withoutRepeats(ring).map(([x, y], at) => ({ x, y, at }));
  const { around } = sweepSides([...outers, ...holes].map(cornersOf), true);
  return holes.map((_, at) => {
    let ring = around[outers.length + at] ?? 0;
    // In a hole lies what is refused, or else another part.
    while (ring >= outers.length) ring = around[ring] ?? 0;
    return ring;
  });
}

/** The stretches of a ring that lie on one side, each from crossing to crossing. */
function chainsOf(ring: Ring, isHere: (corner: Corner) => boolean): Chain[] {
  const start = ring.findIndex((corner, at) => isHere(corner) && !isHere(ring.at(at - 1) ?? corner));
  if (start < 0) return [];
  const chains: Chain[] = [];
  let open: { corners: Ring; from: number } | null = null;
  for (let step = 0; step <= ring.length; step += 1) {
    const corner = ring[(start + step) % ring.length] ?? [0, 0];
    const before = ring[(start + step - 1 + ring.length) % ring.length] ?? corner;
    if (isHere(corner) && open === null && step < ring.length) {
      open = { corners: [corner], from: crossingLat(before, corner) };
    } else if (isHere(corner)) {
      open?.corners.push(corner);
    } else if (open !== null) {
      chains.push({ ...open, to: crossingLat(before, corner) });
      open = null;
    }
  }
  return chains;
}

function crossingLat(a: Corner, b: Corner): number {
  return a[1] + ((border - a[0]) / (b[0] - a[0])) * (b[1] - a[1]);
}

function closed(ring: Ring, east: boolean): Corner[] {
  const different = withoutRepeats(ring.map(([lon, lat]): Corner => [east ? lon - 360 : lon, lat]));
  return [...different, ...different.slice(0, 1)];
}

function withoutRepeats(ring: Ring): Ring {
  return ring.filter((corner, at) => {
    const before = ring.at(at - 1);
    return before === undefined || before[0] !== corner[0] || before[1] !== corner[1];
  });
}
