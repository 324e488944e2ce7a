/** Longitude and latitude; where a ring goes over the antimeridian, its longitudes go on beyond 180. */
export type Corner = [lon: number, lat: number];

/** Corners without the closing one. */
type Ring = Corner[];

const border = 180;

/**
 * A polygon as GeoJSON wants it (RFC 7946, section 3.1.9): cut at the antimeridian if it crosses that, into one part or
 * several. Rings are closed before and afterwards; one that goes round a pole is left as it is.
 *
 * @param isShorterWay whether a side of more than half the globe goes the other way round, as it does in KML
 */
export function splitAtAntimeridian(
  rings: readonly (readonly Corner[])[],
  isShorterWay: boolean,
): Corner[][][] {
  const [outer, ...holes] = rings.map((ring) => unrolled(ring.slice(0, -1), isShorterWay));
  if (outer === undefined) return [];
  const all = [outer, ...holes.map((hole) => besideOf(hole, outer))];
  if (isShorterWay && all.some(isAroundPole)) return [rings.map((ring) => [...ring])];
  if (all.every((ring) => lonsOf(ring).every((lon) => lon <= border))) {
    return [all.map((ring) => [...ring, ...ring.slice(0, 1)])];
  }
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
  const west = lonsOf(rolled).reduce((a, b) => Math.min(a, b), Infinity);
  const shift = Math.floor((west + border) / 360) * 360;
  return shift === 0 || !Number.isFinite(shift) ? rolled : rolled.map(([lon, lat]) => [lon - shift, lat]);
}

function isAroundPole(ring: Ring): boolean {
  const [first, last] = [ring[0], ring.at(-1)];
  return first !== undefined && last !== undefined && Math.abs(last[0] - first[0]) > border;
}

/** A hole lies where its polygon does, whichever side of the border it was given on. */
function besideOf(hole: Ring, outer: Ring): Ring {
  const lons = lonsOf(outer);
  const [lon] = hole[0] ?? [0];
  const isBeyond = lons.every((it) => it > lon) && lons.some((it) => it >= lon + 360);
  return isBeyond ? hole.map(([lon, lat]) => [lon + 360, lat]) : hole;
}

function lonsOf(ring: Ring): number[] {
  return ring.map(([lon]) => lon);
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
  const partner = (lat: number) => {
    const at = crossings.indexOf(lat);
    return crossings[at % 2 === 0 ? at + 1 : at - 1] ?? lat;
  };
  const whole = rings.filter((ring) => ring.every(isHere));
  const outers: Ring[] = rings[0] !== undefined && whole.includes(rings[0]) ? [rings[0]] : [];
  const left = new Set(chains);
  for (const first of left) {
    const corners: Ring = [];
    let chain: Chain | undefined = first;
    while (chain !== undefined && left.delete(chain)) {
      corners.push([border, chain.from], ...chain.corners, [border, chain.to]);
      const next = partner(chain.to);
      chain = [...left].find((it) => it.from === next);
    }
    outers.push(corners);
  }
  const holes = whole.filter((ring) => ring !== rings[0]);
  return outers.map((outer) =>
    [outer, ...holes.filter((hole) => outers.length === 1 || isWithin(hole[0], outer))].map((ring) =>
      closed(ring, east),
    ),
  );
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

/** Even and odd sides to the right of the corner. */
function isWithin(corner: Corner | undefined, ring: Ring): boolean {
  if (corner === undefined) return false;
  const [x, y] = corner;
  return ring.reduce((inside, [bx, by], at) => {
    const [ax, ay] = ring.at(at - 1) ?? [bx, by];
    return ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax) ? !inside : inside;
  }, false);
}

function closed(ring: Ring, east: boolean): Corner[] {
  const corners = ring.map(([lon, lat]): Corner => [east ? lon - 360 : lon, lat]);
  const different = corners.filter((corner, at) => {
    const before = corners.at(at - 1);
    return before === undefined || before[0] !== corner[0] || before[1] !== corner[1];
  });
  return [...different, ...different.slice(0, 1)];
}
