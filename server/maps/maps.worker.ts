import type { Cause } from '../contract/causes.ts';
import { serveOrders } from '../workerChannel.ts';
import { checkTile, inspectMapFile } from './inspectMapFile.ts';
import { fileCauses, fileFailure, type MapAbout } from './mapFile.ts';
import {
  createTileReader,
  openAt,
  type DrawnMap,
  type OnlineTiles,
  type Tile,
  type TileReader,
} from './readTiles.ts';

/** What the threads of the maps are asked, and answer by the same kind. */
export type MapOrder =
  | { kind: 'inspect'; path: string }
  /** Of streets. */
  | { kind: 'check'; tile: Uint8Array; at: string }
  | {
      kind: 'tile';
      /** Of `maps`; with another number the files are opened anew. */
      version: number;
      maps: readonly DrawnMap[];
      online: OnlineTiles['given'];
      of: string;
      z: number;
      x: number;
      y: number;
    };
/** Why a map could not be read, as the rest of a sentence. */
export interface MapFault {
  map_id: string;
  causes: Cause[];
}

export type MapResult =
  | { kind: 'inspected'; about: MapAbout }
  | { kind: 'checked' }
  | {
      kind: 'tile';
      tile: Tile | null;
      missing: OnlineTiles['missing'];
      faults: MapFault[];
    };

let reader: { version: number; tiles: TileReader } | null = null;
let faults: MapFault[] = [];

async function readerOf(version: number, maps: readonly DrawnMap[]): Promise<TileReader> {
  if (reader?.version === version) return reader.tiles;
  await reader?.tiles.close();
  reader = {
    version,
    tiles: createTileReader(maps, (map_id, error) => faults.push({ map_id, causes: fileCauses(error) })),
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
    if (order.kind === 'check') {
      checkTile(order.tile, 'mvt', order.at);
      return { kind: 'checked' };
    }
    const { of, z, x, y } = order;
    const online: OnlineTiles = { given: order.online, missing: [] };
    faults = [];
    const tiles = await readerOf(order.version, order.maps);
    const tile = await (of === 'streets'
      ? tiles.streets(z, x, y, online)
      : of === 'imagery'
        ? tiles.imagery(z, x, y, online)
        : tiles.of(of, z, x, y, online));
    return { kind: 'tile', tile, missing: online.missing, faults };
  },
  fileFailure,
  (result) => {
    const bytes = result.kind === 'tile' ? result.tile?.bytes : undefined;
    // What lies in a larger buffer shares it with others.
    return bytes?.buffer instanceof ArrayBuffer && bytes.length === bytes.buffer.byteLength
      ? [bytes.buffer]
      : [];
  },
);
