import { zxyToTileId } from 'pmtiles';
import type { MapArea } from '../../contract/maps.ts';

/** Beyond it there are no tiles of Web Mercator (EPSG:3857). */
const mercatorLat = 85.0511287798066;

interface TileBox {
  west: number;
  north: number;
  east: number;
  south: number;
}

/** The tiles of a zoom that an area lies in, both ends included. One that it only touches is none of them. */
export function tileBoxOf({ west, south, east, north }: MapArea, z: number): TileBox {
  const count = 2 ** z;
  const within = (at: number) => Math.max(0, Math.min(count - 1, at));
  const xOf = (lon: number) => ((lon + 180) / 360) * count;
  const yOf = (lat: number) => {
    const phi = (Math.max(-mercatorLat, Math.min(mercatorLat, lat)) * Math.PI) / 180;
    return ((1 - Math.asinh(Math.tan(phi)) / Math.PI) / 2) * count;
  };
  const [left, top] = [within(Math.floor(xOf(west))), within(Math.floor(yOf(north)))];
  return {
    west: left,
    north: top,
    east: Math.max(left, within(Math.ceil(xOf(east)) - 1)),
    south: Math.max(top, within(Math.ceil(yOf(south)) - 1)),
  };
}

/** How many tiles an area has from one zoom to another, both included. */
export function countTiles(area: MapArea, min_zoom: number, max_zoom: number): number {
  let sum = 0;
  for (let z = min_zoom; z <= max_zoom; z++) {
    const { west, north, east, south } = tileBoxOf(area, z);
    sum += (east - west + 1) * (south - north + 1);
  }
  return sum;
}

/**
 * The ids of the tiles of an area, as pairs of the first id and the one after the last: ascending, and never touching
 * each other. All tiles below one are a range, since the Hilbert curve ends each before it enters the next.
 */
export function tileRangesOf(area: MapArea, min_zoom: number, max_zoom: number): Float64Array<ArrayBuffer> {
  const ranges: [first: number, end: number][] = [];
  for (let z = min_zoom; z <= max_zoom; z++) addRanges(ranges, tileBoxOf(area, z), z);
  ranges.sort(([a], [b]) => a - b);
  const joined: number[] = [];
  for (const [first, end] of ranges) {
    if (joined.at(-1) === first) joined[joined.length - 1] = end;
    else joined.push(first, end);
  }
  return Float64Array.from(joined);
}

function addRanges(ranges: [number, number][], box: TileBox, z: number): void {
  const visit = (level: number, x: number, y: number): void => {
    const size = 2 ** (z - level);
    const [left, top] = [x * size, y * size];
    const [right, bottom] = [left + size - 1, top + size - 1];
    if (left > box.east || right < box.west || top > box.south || bottom < box.north) return;
    if (left >= box.west && right <= box.east && top >= box.north && bottom <= box.south) {
      const first =
        zxyToTileId(z, 0, 0) + (zxyToTileId(level, x, y) - zxyToTileId(level, 0, 0)) * size * size;
      ranges.push([first, first + size * size]);
      return;
    }
    for (const [dx, dy] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ] as const) {
      visit(level + 1, 2 * x + dx, 2 * y + dy);
    }
  };
  visit(0, 0, 0);
}
