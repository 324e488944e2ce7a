import { gunzipSync, brotliDecompressSync } from 'node:zlib';
import type { Cause } from '../contract/causes.ts';
import { causeOf, detailOf } from '../contract/causeTexts.ts';
import type { Map as MapRecord, MapArea, MapSchema } from '../contract/maps.ts';
import { uninterrupted } from '../startWorker.ts';
import { WorkFailed, type WorkFailure } from '../workerChannel.ts';

/** What a file says of itself. */
export interface MapAbout extends Pick<
  MapRecord,
  'kind' | 'format' | 'schema' | 'area' | 'min_zoom' | 'max_zoom' | 'licence'
> {
  tile_type: TileType;
}

export type TileType = 'mvt' | 'png' | 'jpeg' | 'webp';
export const contentTypes: Readonly<Record<TileType, string>> = {
  mvt: 'application/vnd.mapbox-vector-tile',
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
};

/** A map file that is open for reading, in a worker thread. */
export interface MapFile {
  readonly about: MapAbout;
  /** The tile as it is stored; null where there is none. @throws MapFileError */
  tile(z: number, x: number, y: number): Promise<Uint8Array | null>;
  /** The tiles of a zoom level, in the order of the file. @throws MapFileError */
  tiles(z: number): AsyncIterable<{ x: number; y: number }>;
  close(): void;
}

/** What is wrong with a file, as the rest of a sentence for whoever added it: `it holds no tiles`. */
export class MapFileError extends Error {
  override name = 'MapFileError';
  /** Of which the message consists. */
  readonly causes: Cause[];

  constructor(...causes: Cause[]) {
    super(detailOf(causes));
    this.causes = causes;
  }
}

/** Why a file cannot be read, as the rest of a sentence: what is wrong with it, or what the system says of it. */
export function fileCauses(error: unknown): Cause[] {
  if (error instanceof MapFileError) return error.causes;
  if (error instanceof WorkFailed && error.causes !== undefined) return error.causes;
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOENT') return [causeOf('map_file.missing')];
  if (code === 'EACCES' || code === 'EPERM') return [causeOf('map_file.denied')];
  return [causeOf('verbatim', { detail: error instanceof Error ? error.message : String(error) })];
}

/** What a thread that reads a file answers when it cannot: `bad_map` where the file is wrong. */
export function fileFailure(error: unknown): WorkFailure {
  const causes = fileCauses(error);
  return { code: error instanceof MapFileError ? 'bad_map' : 'failed', detail: detailOf(causes), causes };
}

/** What is packed in a file. */
export type FilePart = 'tile' | 'directory' | 'metadata';

export const tooLarge = (part: FilePart, most: number): MapFileError =>
  new MapFileError(causeOf(`map_file.${part}_too_large`, { mb: most / 1024 / 1024 }));

/** @param error what was thrown when it was read */
export const damaged = (part: FilePart, error: unknown): MapFileError =>
  new MapFileError(
    causeOf(`map_file.${part}_damaged`, { reason: error instanceof Error ? error.message : String(error) }),
  );

/** The largest tile, inflated. */
export const maxTileBytes = 4 * 1024 * 1024;

export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** What was packed; never more than `most`. @throws MapFileError */
export function inflated(
  bytes: Uint8Array,
  most: number,
  part: FilePart,
  packing: 'gzip' | 'brotli' | 'none' = isGzip(bytes) ? 'gzip' : 'none',
): Uint8Array {
  if (packing === 'none') {
    if (bytes.length > most) throw tooLarge(part, most);
    return bytes;
  }
  try {
    const unpack = packing === 'gzip' ? gunzipSync : brotliDecompressSync;
    return uninterrupted(() => unpack(bytes, { maxOutputLength: most }));
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(part, most);
    throw damaged(part, error);
  }
}

/** By the first bytes; null for what is no tile of a known type. A vector tile begins with its first layer. */
export function tileTypeOf(bytes: Uint8Array): TileType | null {
  const starts = (...head: number[]) => head.every((byte, i) => bytes[i] === byte);
  if (starts(0x89, 0x50, 0x4e, 0x47)) return 'png';
  if (starts(0xff, 0xd8, 0xff)) return 'jpeg';
  if (starts(0x52, 0x49, 0x46, 0x46) && bytes[8] === 0x57) return 'webp';
  return isGzip(bytes) || bytes[0] === 0x1a ? 'mvt' : null;
}

/** Which schema the layers of a file are of. @throws MapFileError of one that is not known */
export function schemaOf(layers: ReadonlySet<string>): Exclude<MapSchema, 'raster'> {
  const has = (...names: string[]) => names.every((name) => layers.has(name));
  if (has('transportation')) return 'openmaptiles';
  if (has('streets') && (has('water_polygons') || has('place_labels'))) return 'shortbread';
  if (has('earth') && (has('physical_line') || has('natural') || has('physical_point')))
    return 'protomaps_old';
  if (has('earth', 'roads') || has('earth', 'places')) return 'protomaps';
  if (has('road') && (has('place') || has('ground') || has('land'))) return 'fleetdeck';
  const shown = [...layers].slice(0, 8).join(', ');
  throw new MapFileError(
    shown === '' ? causeOf('map_file.no_layers') : causeOf('map_file.schema', { layers: shown }),
  );
}

/** @throws MapFileError of what is no area */
export function checkedArea(west: number, south: number, east: number, north: number): MapArea {
  const isArea =
    [west, south, east, north].every(Number.isFinite) &&
    west >= -180 &&
    east <= 180 &&
    south >= -90 &&
    north <= 90 &&
    west < east &&
    south < north;
  if (!isArea)
    throw new MapFileError(causeOf('map_file.area', { bounds: [west, south, east, north].join(', ') }));
  return { west, south, east, north };
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  copy: '©',
  nbsp: ' ',
};

/** The text of an attribution without its markup. */
export function plainText(html: unknown): string {
  if (typeof html !== 'string') return '';
  return html
    .slice(0, 10_000)
    .replaceAll(/<[^>]{0,2000}>/g, '')
    .replaceAll(/&(?:#(\d{1,7})|([a-z]{1,8}));/gi, (whole, code?: string, name?: string) =>
      code === undefined
        ? (entities[(name ?? '').toLowerCase()] ?? whole)
        : String.fromCodePoint(Math.min(Number(code), 0xffff)),
    )
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 2_000);
}

/** The names of the layers that metadata lists, as TileJSON or as tilestats. */
export function layersIn(metadata: unknown): Set<string> {
  const { vector_layers, tilestats } = (metadata ?? {}) as {
    vector_layers?: unknown;
    tilestats?: { layers?: unknown };
  };
  const names = [vector_layers, tilestats?.layers].flatMap((list) =>
    Array.isArray(list)
      ? list.flatMap((it: { id?: unknown; layer?: unknown } | null) => [it?.id, it?.layer])
      : [],
  );
  return new Set(names.filter((name) => typeof name === 'string'));
}
