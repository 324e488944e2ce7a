import { createBoundedCache } from '../boundedCache.ts';
import { tileExtent } from '../contract/mapLayers.ts';
import type { Place } from '../contract/places.ts';
import { placeOfTilePoint, tileAt, tilePointOf } from '../maps/composeTile.ts';
import type { TileReader } from '../maps/readTiles.ts';
import {
  indexStreets,
  isSettlement,
  metresPerUnit,
  nothingReached,
  placeOf,
  reach,
  type Found,
  type Reached,
  type Settlement,
  type StreetTile,
} from './nearestPlace.ts';

/** Segments of streets, and houses, that are kept for the next points: some 30 MB. */
const keptItems = 300_000;
/** Of large lands; each tile that holds none counts too. */
const keptSettlements = 50_000;
/**
 * Cities and towns, and villages with suburbs, stand in tiles of these zooms; so far off may be what a point belongs to.
 */
const settlementTiles = [
  { zoom: 9, town_m: 15_000, district_m: 0 },
  { zoom: 12, town_m: 7_000, district_m: 2_500 },
];
const edge_m = 200;

/** Names points by the street maps that a reader has; keeps the tiles that were asked for. */
export function createReverseGeocoder(tiles: Pick<TileReader, 'features' | 'deepestAt'>) {
  const streets = createBoundedCache<StreetTile | null>(keptItems);
  const settlements = createBoundedCache<Settlement[]>(keptSettlements);

  async function streetsOf(z: number, x: number, y: number): Promise<StreetTile | null> {
    const key = `${z}/${x}/${y}`;
    const known = streets.get(key);
    if (known !== undefined) return known;
    const made = indexStreets((await tiles.features(z, x, y, ['road', 'address'])) ?? [], { z, x, y });
    streets.set(key, made, 10 + (made?.size ?? 0));
    return made;
  }

  async function settlementsOf(z: number, x: number, y: number): Promise<Settlement[]> {
    const key = `${z}/${x}/${y}`;
    const known = settlements.get(key);
    if (known !== undefined) return known;
    const features = (await tiles.features(z, x, y, ['place'])) ?? [];
    const made = features.flatMap(({ parts, properties: { kind, name } }): Settlement[] => {
      if (!isSettlement(kind) || typeof name !== 'string' || name === '') return [];
      const [px = 0, py = 0] = parts[0] ?? [];
      return [{ name, kind, ...placeOfTilePoint([px, py], z, x, y) }];
    });
    settlements.set(key, made, 10 + made.length);
    return made;
  }

  /** By the tile of a point, and those beside it whose side is near. */
  async function nearest(lat: number, lon: number, z: number): Promise<Found | null> {
    let best: Found | null = null;
    for (const { x, y, distance_m } of tilesRound(lat, lon, z)) {
      if (distance_m > Math.min(edge_m, best?.distance_m ?? Infinity)) break;
      const found = (await streetsOf(z, x, y))?.nearest(lat, lon) ?? null;
      if (found !== null && found.distance_m < (best?.distance_m ?? Infinity)) best = found;
    }
    return best;
  }

  /** By the tile of a point and, as long as it may matter, those round it. */
  async function settlementsAt(lat: number, lon: number, deepest: number): Promise<Reached> {
    const best = nothingReached();
    for (const { zoom, town_m, district_m } of settlementTiles) {
      const z = Math.min(zoom, deepest);
      for (const { x, y, distance_m } of tilesRound(lat, lon, z)) {
        if (distance_m > Math.max(best.town.share * town_m, best.district.share * district_m)) break;
        reach(best, await settlementsOf(z, x, y), lat, lon);
      }
    }
    return best;
  }

  /** @returns null where no street map is, or no street is near */
  return async (lat: number, lon: number): Promise<Place | null> => {
    const deepest = tiles.deepestAt(lat, lon);
    if (deepest === null) return null;
    const found = await nearest(lat, lon, deepest.z);
    return found === null ? null : placeOf(found, await settlementsAt(lat, lon, deepest.z));
  };
}

/** The tile of a point and the eight round it by how far the point is from them. */
function tilesRound(lat: number, lon: number, z: number): { x: number; y: number; distance_m: number }[] {
  const { x, y } = tileAt(lat, lon, z);
  const [px, py] = tilePointOf(lat, lon, z, x, y);
  const perUnit_m = metresPerUnit(lat, z);
  const side = 2 ** z;
  const out = (step: number, at: number) => (step === 0 ? 0 : step < 0 ? at : tileExtent - at);
  return steps
    .filter(([, dy]) => y + dy >= 0 && y + dy < side)
    .map(([dx, dy]) => ({
      ...{ x: (x + dx + side) % side, y: y + dy },
      distance_m: Math.hypot(out(dx, px), out(dy, py)) * perUnit_m,
    }))
    .sort((a, b) => a.distance_m - b.distance_m);
}

const steps = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => [dx, dy] as const));
