import { causeOf } from '../contract/causeTexts.ts';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import {
  bytesToHeader,
  Compression,
  findTile,
  SharedPromiseCache,
  tileIdToZxy,
  TileType as StoredType,
  zxyToTileId,
  type Entry,
  type Header,
} from 'pmtiles';
import {
  checkedArea,
  inflated,
  layersIn,
  MapFileError,
  maxTileBytes,
  plainText,
  schemaOf,
  tooLarge,
  type MapAbout,
  type MapFile,
  type TileType,
} from './mapFile.ts';

/** github.com/protomaps/PMTiles, spec/v3: a header of 127 bytes, directories of at most three levels. */
export const headerBytes = 127;
export const maxDepth = 3;
/** A leaf directory holds some thousand entries of a few bytes each. */
export const maxDirectoryBytes = 8 * 1024 * 1024;
export const maxMetadataBytes = 8 * 1024 * 1024;
/** Of some thousand entries each. */
const cachedDirectories = 24;

const tileTypes = new Map<StoredType, TileType>([
  [StoredType.Mvt, 'mvt'],
  [StoredType.Png, 'png'],
  [StoredType.Jpeg, 'jpeg'],
  [StoredType.Webp, 'webp'],
]);
const packings = new Map<Compression, 'none' | 'gzip' | 'brotli'>([
  [Compression.None, 'none'],
  [Compression.Gzip, 'gzip'],
  [Compression.Brotli, 'brotli'],
]);

/** Opens a `.pmtiles` file of version 3. @throws MapFileError; what the system says of the file */
export async function openPmtiles(path: string): Promise<MapFile> {
  const file = openSync(path, 'r');
  try {
    return await readArchive(file);
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

async function readArchive(file: number): Promise<MapFile> {
  const size = fstatSync(file).size;

  function read(offset: number, length: number): Uint8Array<ArrayBuffer> {
    if (offset < 0 || length < 0 || offset + length > size) throw cutOff();
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length;) {
      const count = readSync(file, bytes, done, length - done, offset + done);
      if (count === 0) throw cutOff();
      done += count;
    }
    return bytes;
  }

  const header = readHeader(read(0, Math.min(headerBytes, size)));
  const packing = packingOf(header);
  const source = {
    getKey: () => '',
    getBytes: (offset: number, length: number) => {
      if (length > maxDirectoryBytes) throw tooLarge('directory', maxDirectoryBytes);
      return Promise.resolve({ data: read(offset, length).buffer });
    },
  };
  const cache = new SharedPromiseCache(cachedDirectories, undefined, (packed) =>
    // Copied: what is inflated may lie in a pool of Node's.
    Promise.resolve(
      Uint8Array.from(inflated(new Uint8Array(packed), maxDirectoryBytes, 'directory', packing)).buffer,
    ),
  );
  const directory = (offset: number, length: number) => cache.getDirectory(source, offset, length, header);
  const leaf = (entry: Entry) => directory(header.leafDirectoryOffset + entry.offset, entry.length);
  const root = () => directory(header.rootDirectoryOffset, header.rootDirectoryLength);

  const metadataBytes = Math.min(header.jsonMetadataLength, maxMetadataBytes);
  const { about } = describePmtiles(header, read(header.jsonMetadataOffset, metadataBytes));
  await root();

  return {
    about,
    async tile(z, x, y) {
      const id = zxyToTileId(z, x, y);
      let entries = await root();
      for (let depth = 0; depth <= maxDepth; depth++) {
        const entry = findTile(entries, id);
        if (entry === null) return null;
        if (entry.runLength > 0) {
          if (entry.length > maxTileBytes) throw tooLarge('tile', maxTileBytes);
          const bytes = read(header.tileDataOffset + entry.offset, entry.length);
          return header.tileCompression === Compression.Brotli
            ? inflated(bytes, maxTileBytes, 'tile', 'brotli')
            : bytes;
        }
        entries = await leaf(entry);
      }
      throw tooDeep();
    },
    async *tiles(z) {
      const first = zxyToTileId(z, 0, 0);
      const last = first + 4 ** z - 1;
      for await (const entry of entriesOf(await root(), leaf, first, last)) {
        for (
          let id = Math.max(entry.tileId, first);
          id <= last && id < entry.tileId + entry.runLength;
          id++
        ) {
          const [, x, y] = tileIdToZxy(id);
          yield { x, y };
        }
      }
    },
    close: () => closeSync(file),
  };
}

/** How directories and metadata are packed. @throws MapFileError */
export function packingOf({ internalCompression }: Header): 'none' | 'gzip' | 'brotli' {
  const packing = packings.get(internalCompression);
  if (packing === undefined) throw new MapFileError(causeOf('map_file.packing'));
  return packing;
}

/**
 * What a file says of itself, and its metadata as JSON.
 *
 * @param packed its metadata as they lie in the file
 * @throws MapFileError
 */
export function describePmtiles(
  header: Header,
  packed: Uint8Array,
): { about: MapAbout & { format: 'pmtiles' }; json: Uint8Array } {
  const json = inflated(packed, maxMetadataBytes, 'metadata', packingOf(header));
  const metadata = readMetadata(json);
  const type = tileTypes.get(header.tileType);
  if (type === undefined) throw new MapFileError(causeOf('map_file.tile_type'));
  if (type === 'mvt' && !packings.has(header.tileCompression)) {
    throw new MapFileError(causeOf('map_file.packing'));
  }
  const about = {
    format: 'pmtiles' as const,
    kind: type === 'mvt' ? ('streets' as const) : ('imagery' as const),
    schema: type === 'mvt' ? schemaOf(layersIn(metadata)) : ('raster' as const),
    tile_type: type,
    area: checkedArea(header.minLon, header.minLat, header.maxLon, header.maxLat),
    min_zoom: header.minZoom,
    max_zoom: header.maxZoom,
    licence: plainText(metadata['attribution']),
  };
  return { about, json };
}

/** @throws MapFileError */
export function readHeader(bytes: Uint8Array<ArrayBuffer>): Header {
  const magic = new TextDecoder().decode(bytes.subarray(0, 7));
  if (magic !== 'PMTiles') throw new MapFileError(causeOf('map_file.no_pmtiles'));
  if (bytes[7] !== 3) throw new MapFileError(causeOf('map_file.version', { version: String(bytes[7] ?? 0) }));
  if (bytes.length < headerBytes) throw cutOff();
  const header = bytesToHeader(bytes.buffer);
  if (header.minZoom > header.maxZoom || header.maxZoom > 24)
    throw new MapFileError(causeOf('map_file.zooms'));
  return header;
}

function readMetadata(bytes: Uint8Array): Record<string, unknown> {
  try {
    const metadata: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof metadata === 'object' && metadata !== null) return metadata as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw new MapFileError(causeOf('map_file.metadata_no_json'));
}

/** The entries of tiles between two ids, in order. A directory that leads back to itself goes too deep. */
async function* entriesOf(
  entries: readonly Entry[],
  leaf: (entry: Entry) => Promise<Entry[]>,
  first: number,
  last: number,
  depth = 0,
): AsyncGenerator<Entry> {
  if (depth > maxDepth) throw tooDeep();
  for (const [i, entry] of entries.entries()) {
    const next = entries[i + 1]?.tileId ?? Infinity;
    if (entry.tileId > last || next <= first) continue;
    if (entry.runLength > 0) yield entry;
    else yield* entriesOf(await leaf(entry), leaf, first, last, depth + 1);
  }
}

/** Also of a file elsewhere. */
export const cutOff = (): MapFileError => new MapFileError(causeOf('map_file.cut_off'));
export const tooDeep = (): MapFileError => new MapFileError(causeOf('map_file.loop'));
