import { causeOf } from '../contract/causeTexts.ts';
import { constants, DatabaseSync } from 'node:sqlite';
import {
  checkedArea,
  layersIn,
  MapFileError,
  maxTileBytes,
  plainText,
  schemaOf,
  tileTypeOf,
  tooLarge,
  type MapFile,
} from './mapFile.ts';

const functionsUsed = new Set(['octet_length', 'min', 'max']);
const maxMetadataChars = 4_000_000;

/**
 * Opens an `.mbtiles` file (github.com/mapbox/mbtiles-spec, 1.3): a database of somebody else, so nothing of it is run
 * but what the reading of its two tables or views takes.
 *
 * @throws MapFileError
 */
export function openMbtiles(path: string): MapFile {
  const database = openDatabase(path);
  try {
    return readDatabase(database);
  } catch (error) {
    database.close();
    if (error instanceof MapFileError) throw error;
    throw noDatabase(error);
  }
}

function openDatabase(path: string): DatabaseSync {
  try {
    const database = new DatabaseSync(path, { readOnly: true, allowExtension: false, timeout: 1_000 });
    database.exec('PRAGMA trusted_schema = OFF; PRAGMA mmap_size = 0; PRAGMA cache_size = -8000;');
    database.setAuthorizer((action, _table, name) => {
      const isRead = action === constants.SQLITE_SELECT || action === constants.SQLITE_READ;
      const isKnown = action === constants.SQLITE_FUNCTION && functionsUsed.has((name ?? '').toLowerCase());
      return isRead || isKnown ? constants.SQLITE_OK : constants.SQLITE_DENY;
    });
    return database;
  } catch (error) {
    throw noDatabase(error);
  }
}

function noDatabase(error: unknown): MapFileError {
  return new MapFileError(causeOf('map_file.database', { reason: (error as Error).message }));
}

function readDatabase(database: DatabaseSync): MapFile {
  const zooms = database
    .prepare('SELECT min(zoom_level) AS least, max(zoom_level) AS most FROM tiles')
    .get() as { least: unknown; most: unknown };
  const metadata = readMetadata(database);
  const [min_zoom, max_zoom] = [Number(zooms.least ?? NaN), Number(zooms.most ?? NaN)];
  if (!(min_zoom >= 0 && max_zoom <= 24)) throw new MapFileError(causeOf('map_file.no_tiles'));

  const select = `SELECT octet_length(tile_data) AS bytes, CASE WHEN octet_length(tile_data) <= ${maxTileBytes} THEN tile_data END AS data
    FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?`;
  const list = 'SELECT tile_column AS x, tile_row AS row FROM tiles WHERE zoom_level = ?';
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${select}`).all(0, 0, 0) as { detail: string }[];
  if (plan.some(({ detail }) => detail.startsWith('SCAN') && !detail.includes('CONSTANT ROW'))) {
    throw new MapFileError(causeOf('map_file.no_index'));
  }
  const one = database.prepare(select);

  function read(z: number, x: number, row: number): Uint8Array | null {
    const found = one.get(z, x, row) as { bytes: number; data: unknown } | undefined;
    if (found === undefined) return null;
    if (found.bytes > maxTileBytes) throw tooLarge('tile', maxTileBytes);
    return found.data instanceof Uint8Array ? found.data : null;
  }

  const any = database
    .prepare('SELECT tile_column AS x, tile_row AS row FROM tiles WHERE zoom_level = ? LIMIT 1')
    .get(max_zoom) as { x: number; row: number } | undefined;
  const sample = any === undefined ? null : read(max_zoom, any.x, any.row);
  const type = sample === null ? null : tileTypeOf(sample);
  if (type === null) throw new MapFileError(causeOf('map_file.tile_type'));
  const stated = metadata.get('bounds');
  const bounds = typeof stated === 'string' ? stated.split(',') : [];
  const [west = NaN, south = NaN, east = NaN, north = NaN] = bounds.map(Number);

  return {
    about: {
      format: 'mbtiles',
      kind: type === 'mvt' ? 'streets' : 'imagery',
      schema: type === 'mvt' ? schemaOf(layersIn(parsed(metadata.get('json')))) : 'raster',
      tile_type: type,
      area: bounds.length === 4 ? checkedArea(west, south, east, north) : areaOfTiles(database, max_zoom),
      min_zoom,
      max_zoom,
      licence: plainText(metadata.get('attribution')),
    },
    // Rows are counted from the south.
    tile: (z, x, y) => Promise.resolve().then(() => read(z, x, 2 ** z - 1 - y)),
    async *tiles(z) {
      await Promise.resolve();
      for (const it of database.prepare(list).iterate(z) as Iterable<{ x: number; row: number }>) {
        yield { x: it.x, y: 2 ** z - 1 - it.row };
      }
    },
    close: () => database.close(),
  };
}

function readMetadata(database: DatabaseSync): Map<string, unknown> {
  const rows = database
    .prepare(`SELECT name, value FROM metadata WHERE octet_length(value) <= ${maxMetadataChars} LIMIT 200`)
    .all() as { name: unknown; value: unknown }[];
  return new Map(rows.map(({ name, value }) => [String(name), value]));
}

function parsed(json: unknown): unknown {
  try {
    return typeof json === 'string' ? JSON.parse(json) : null;
  } catch {
    throw new MapFileError(causeOf('map_file.metadata_no_json'));
  }
}

/** Of a file that does not state it. */
function areaOfTiles(database: DatabaseSync, z: number): ReturnType<typeof checkedArea> {
  const { west, east, south, north } = database
    .prepare(
      `SELECT min(tile_column) AS west, max(tile_column) AS east, min(tile_row) AS south, max(tile_row) AS north
       FROM tiles WHERE zoom_level = ?`,
    )
    .get(z) as Record<string, number>;
  const lonOf = (x: number) => (x / 2 ** z) * 360 - 180;
  const latOf = (row: number) => (Math.atan(Math.sinh(Math.PI * ((2 * row) / 2 ** z - 1))) * 180) / Math.PI;
  return checkedArea(
    lonOf(west ?? NaN),
    latOf(south ?? NaN),
    lonOf((east ?? NaN) + 1),
    latOf((north ?? NaN) + 1),
  );
}
