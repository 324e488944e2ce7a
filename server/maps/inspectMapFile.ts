import { causeOf } from '../contract/causeTexts.ts';
import { openMbtiles } from './mbtilesFile.ts';
import {
  damaged,
  inflated,
  MapFileError,
  maxTileBytes,
  tileTypeOf,
  type MapAbout,
  type MapFile,
  type TileType,
} from './mapFile.ts';
import { openPmtiles } from './pmtilesFile.ts';
import { readVectorTile } from './vectorTile.ts';

/** Opens a map file of either format, known by its first bytes. @throws MapFileError; what the system says of the file */
export function openMapFile(path: string, head: Uint8Array): Promise<MapFile> | MapFile {
  const text = new TextDecoder('latin1').decode(head.subarray(0, 15));
  if (text.startsWith('PMTiles')) return openPmtiles(path);
  if (text === 'SQLite format 3') return openMbtiles(path);
  throw new MapFileError(causeOf('map_file.unknown'));
}

/** How many tiles of a new file are read before it is taken; each is bounded again whenever it is drawn. */
const inspectedTiles = 2_000;

/** Reads a file as a map would be read, and says what it is. @throws MapFileError */
export async function inspectMapFile(file: MapFile): Promise<MapAbout> {
  let left = inspectedTiles;
  for (let z = file.about.max_zoom; z >= file.about.min_zoom && left > 0; z--) {
    for await (const { x, y } of file.tiles(z)) {
      const tile = await file.tile(z, x, y);
      if (tile !== null) checkTile(tile, file.about.tile_type, `${z}/${x}/${y}`);
      if (--left <= 0) break;
    }
  }
  if (left === inspectedTiles) throw new MapFileError(causeOf('map_file.no_tiles'));
  return file.about;
}

/** @param at `z/x/y`. @throws MapFileError of a tile that cannot be drawn */
export function checkTile(tile: Uint8Array, type: TileType, at: string): void {
  if (type !== 'mvt') {
    if (tileTypeOf(tile) === type) return;
    throw new MapFileError(causeOf('map_file.tile_kind', { tile: at, type: type.toUpperCase() }));
  }
  const bytes = inflated(tile, maxTileBytes, 'tile');
  try {
    for (const layer of readVectorTile(bytes)) for (const feature of layer.features()) feature.parts();
  } catch (error) {
    throw damaged('tile', `${at}: ${(error as Error).message}`);
  }
}
