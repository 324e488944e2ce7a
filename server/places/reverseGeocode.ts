import { tileExtent } from '../contract/mapLayers.ts';
import type { Place } from '../contract/places.ts';
import { placeOfTilePoint, tileAt, tilePointOf } from '../maps/composeTile.ts';
import type { TileReader } from '../maps/readTiles.ts';
import {
  indexStreets,
  isSettlement,
  metresPerUnit,
  placeOf,
  settlementsAt,
  type Found,
  type Settlement,
  type StreetTile,
} from './nearestPlace.ts';

/** Segments of streets, houses and settlements that are kept for the next points: some 60 MB. */
const keptItems = 300_000;
/** Towns, and villages with suburbs, stand in tiles of these zooms. */
const settlementZooms = [9, 12];
const edge_m = 200;

/** Names points by the street maps that a reader has; keeps the tiles that were asked for. */
export function createReverseGeocoder(tiles: Pick<TileReader, 'features' | 'deepestAt'>) {
  const kept = new Map<string, { size: number; value: unknown }>();
  let size = 0;

  /** What was worked out before, or now; what was not asked for the longest goes first. */
  async function cached<T>(key: string, make: () => Promise<{ value: T; size: number }>): Promise<T> {
    const entry = kept.get(key) ?? (await make());
    if (kept.delete(key)) size -= entry.size;
    kept.set(key, entry);
    size += entry.size;
    for (const [oldest, { size: freed }] of kept) {
      if (size <= keptItems || oldest === key) break;
      kept.delete(oldest);
      size -= freed;
    }
    return entry.value as T;
  }

  const streetsOf = (z: number, x: number, y: number): Promise<StreetTile | null> =>
    cached(`streets/${z}/${x}/${y}`, async () => {
      const value = indexStreets((await tiles.features(z, x, y)) ?? [], { z, x, y });
      return { value, size: 10 + (value?.size ?? 0) };
    });

  const settlementsOf = (z: number, x: number, y: number): Promise<Settlement[]> =>
    cached(`settlements/${z}/${x}/${y}`, async () => {
      const features = (await tiles.features(z, x, y)) ?? [];
      const value = features.flatMap(({ layer, parts, properties: { kind, name } }): Settlement[] => {
        if (layer !== 'place' || !isSettlement(kind) || typeof name !== 'string' || name === '') return [];
        const [px = 0, py = 0] = parts[0] ?? [];
        return [{ name, kind, ...placeOfTilePoint([px, py], z, x, y) }];
      });
      return { value, size: 10 + value.length };
    });

  /** Those of the tile of a point and of the eight round it. */
  const settlementsRound = (z: number, x: number, y: number): Promise<Settlement[]> =>
    cached(`round/${z}/${x}/${y}`, async () => {
      const value: Settlement[] = [];
      for (const dx of [-1, 0, 1]) {
        for (const dy of [-1, 0, 1]) {
          if (y + dy < 0 || y + dy >= 2 ** z) continue;
          value.push(...(await settlementsOf(z, (x + dx + 2 ** z) % 2 ** z, y + dy)));
        }
      }
      return { value, size: 10 + value.length };
    });

  /** The tile of a point, and those beside it whose side is near. */
  async function nearest(lat: number, lon: number, z: number): Promise<Found | null> {
    const { x, y } = tileAt(lat, lon, z);
    const [px, py] = tilePointOf(lat, lon, z, x, y);
    const edge = edge_m / metresPerUnit(lat, z);
    let best = (await streetsOf(z, x, y))?.nearest(lat, lon) ?? null;
    const reach = () => (best === null ? edge : Math.min(edge, best.distance_m / metresPerUnit(lat, z)));
    for (const dx of [-1, 0, 1]) {
      for (const dy of [-1, 0, 1]) {
        if (dx === 0 && dy === 0) continue;
        const outX = dx === 0 ? 0 : dx < 0 ? px : tileExtent - px;
        const outY = dy === 0 ? 0 : dy < 0 ? py : tileExtent - py;
        if (Math.hypot(outX, outY) >= reach() || y + dy < 0 || y + dy >= 2 ** z) continue;
        const found = (await streetsOf(z, (x + dx + 2 ** z) % 2 ** z, y + dy))?.nearest(lat, lon);
        if (found != null && found.distance_m < (best?.distance_m ?? Infinity)) best = found;
      }
    }
    return best;
  }

  async function settlementsNear(lat: number, lon: number, deepest: number): Promise<Settlement[]> {
    const [wide, close] = await Promise.all(
      settlementZooms.map((zoom) => {
        const z = Math.min(zoom, deepest);
        const { x, y } = tileAt(lat, lon, z);
        return settlementsRound(z, x, y);
      }),
    );
    return [...(wide ?? []), ...(close ?? [])];
  }

  /** @returns null where no street map is, or no street is near */
  return async (lat: number, lon: number): Promise<Place | null> => {
    const deepest = tiles.deepestAt(lat, lon);
    if (deepest === null) return null;
    const found = await nearest(lat, lon, deepest.z);
    if (found === null) return null;
    return placeOf(found, settlementsAt(await settlementsNear(lat, lon, deepest.z), lat, lon));
  };
}
