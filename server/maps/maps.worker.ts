import { serveOrders } from '../workerChannel.ts';
import { inspectMapFile } from './inspectMapFile.ts';
import { MapFileError, type MapAbout } from './mapFile.ts';
import { createTileReader, openAt, type ReadableMap, type Tile, type TileReader } from './readTiles.ts';

/** What the threads of the maps are asked, and answer by the same kind. */
export type MapOrder =
  | { kind: 'inspect'; path: string }
  | {
      kind: 'tile';
      /** Of `maps`; with another number the files are opened anew. */
      version: number;
      maps: readonly ReadableMap[];
      of: string;
      z: number;
      x: number;
      y: number;
    };
export type MapResult =
  | { kind: 'inspected'; about: MapAbout }
  | { kind: 'tile'; tile: Tile | null; faults: { map_id: string; detail: string }[] };

let reader: { version: number; tiles: TileReader } | null = null;
let faults: { map_id: string; detail: string }[] = [];

async function readerOf(version: number, maps: readonly ReadableMap[]): Promise<TileReader> {
  if (reader?.version === version) return reader.tiles;
  await reader?.tiles.close();
  reader = {
    version,
    tiles: createTileReader(maps, (map_id, error) => faults.push({ map_id, detail: error.message })),
  };
  return reader.tiles;
}

serveOrders<MapOrder, MapResult>(
  async (order) => {
    if (order.kind === 'inspect') {
      const file = await openAt(order.path);
      try {
        return { kind: 'inspected', about: await inspectMapFile(file) };
      } finally {
        file.close();
      }
    }
    const { of, z, x, y } = order;
    faults = [];
    const tiles = await readerOf(order.version, order.maps);
    const tile = await (of === 'streets'
      ? tiles.streets(z, x, y)
      : of === 'imagery'
        ? tiles.imagery(z, x, y)
        : tiles.of(of, z, x, y));
    return { kind: 'tile', tile, faults };
  },
  (error) => ({
    code: error instanceof MapFileError ? 'bad_map' : 'failed',
    detail: error instanceof Error ? error.message : String(error),
  }),
  (result) => {
    const bytes = result.kind === 'tile' ? result.tile?.bytes : undefined;
    // What lies in a larger buffer shares it with others.
    return bytes?.buffer instanceof ArrayBuffer && bytes.length === bytes.buffer.byteLength
      ? [bytes.buffer]
      : [];
  },
);
