import type { Place } from '../contract/places.ts';
import { createTileReader, type ReadableMap, type TileReader } from '../maps/readTiles.ts';
import { serveOrders } from '../workerChannel.ts';
import { createReverseGeocoder } from './reverseGeocode.ts';

export interface PlacesOrder {
  /** Of `maps`; with another number the files are opened anew. */
  version: number;
  maps: readonly ReadableMap[];
  /** Latitude, longitude, latitude, longitude … */
  points: Float64Array;
}

let open: { version: number; tiles: TileReader; nameOf: ReturnType<typeof createReverseGeocoder> } | null =
  null;

serveOrders<PlacesOrder, (Place | null)[]>(async ({ version, maps, points }) => {
  if (open?.version !== version) {
    await open?.tiles.close();
    // Reading the map itself already reports what is wrong with a file.
    const tiles = createTileReader(maps, () => undefined);
    open = { version, tiles, nameOf: createReverseGeocoder(tiles) };
  }
  const places: (Place | null)[] = [];
  for (let i = 0; i < points.length; i += 2)
    places.push(await open.nameOf(points[i] ?? 0, points[i + 1] ?? 0));
  return places;
});
