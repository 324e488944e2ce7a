import { Compression, type Header } from 'pmtiles';
import { gzipSync } from 'node:zlib';
import type { MapArea } from '../../contract/maps.ts';
import { damaged as damagedPart, maxTileBytes, type MapFileError } from '../mapFile.ts';
import { uninterrupted } from '../../startWorker.ts';
import { headerBytes, maxDirectoryBytes } from '../pmtilesFile.ts';

/**
 * Entries of tiles, four numbers each: the id of the first tile, of how many tiles in a row it is the content, where in
 * the tile data it begins, and its length in bytes.
 */
export type TileEntries = Float64Array<ArrayBuffer>;
export const entrySize = 4;

/** A leaf directory that holds the tiles from `first` to before `end`; its place is within the leaf directories. */
export interface Leaf {
  first: number;
  end: number;
  offset: number;
  length: number;
}

/** What a directory may speak of: it is of somebody else. */
export interface DirectoryBounds extends Pick<Leaf, 'first' | 'end'> {
  leafBytes: number;
  tileBytes: number;
}

/**
 * Reads what a directory says of the wanted tiles. As its ids rise and stay within its bounds, no directory is asked
 * twice, however they lead to each other.
 *
 * @param bytes inflated
 * @param wanted see `tileRangesOf`
 * @throws MapFileError
 */
export function readDirectory(
  bytes: Uint8Array,
  wanted: Float64Array,
  bounds: DirectoryBounds,
): { entries: number[]; leaves: Leaf[] } {
  const next = varintsOf(bytes);
  const count = next();
  // Each entry is four numbers of a byte at least.
  if (count > bytes.length / 4) throw damaged('holds fewer entries than it says');
  const read = () => Float64Array.from({ length: count }, next);
  const [ids, runs, lengths, offsets] = [read(), read(), read(), read()];
  for (let at = 1; at < count; at++) ids[at] = (ids[at] ?? 0) + (ids[at - 1] ?? 0);

  const entries: number[] = [];
  const leaves: Leaf[] = [];
  let range = 0;
  let offset = 0;
  for (let at = 0; at < count; at++) {
    const [id = 0, run = 0, length = 0] = [ids[at], runs[at], lengths[at]];
    const following = at + 1 < count ? (ids[at + 1] ?? 0) : bounds.end;
    // 0: it begins where the one before ends.
    offset = offsets[at] === 0 && at > 0 ? offset + (lengths[at - 1] ?? 0) : (offsets[at] ?? 0) - 1;
    const end = run === 0 ? following : id + run;
    if (id < bounds.first || end > following || end <= id || following > bounds.end) {
      throw damaged('is not in order');
    }
    const most = run === 0 ? maxDirectoryBytes : maxTileBytes;
    const section = run === 0 ? bounds.leafBytes : bounds.tileBytes;
    if (length < 1 || length > most || offset < 0 || offset + length > section) {
      throw damaged(`names a ${run === 0 ? 'directory' : 'tile'} of ${length} bytes at ${offset}`);
    }
    while ((wanted[range + 1] ?? Infinity) <= id) range += 2;
    for (let look = range; (wanted[look] ?? Infinity) < end; look += 2) {
      if (run === 0) {
        leaves.push({ first: id, end, offset, length });
        break;
      }
      const first = Math.max(id, wanted[look] ?? 0);
      entries.push(first, Math.min(end, wanted[look + 1] ?? 0) - first, offset, length);
    }
  }
  return { entries, leaves };
}

function damaged(how: string): MapFileError {
  return damagedPart('directory', how);
}

/** LEB128, as Protocol Buffers have it: at most the eight bytes of a safe integer. */
function varintsOf(bytes: Uint8Array): () => number {
  let at = 0;
  return () => {
    let value = 0;
    for (let factor = 1; factor <= 2 ** 49; factor *= 128) {
      const byte = bytes[at++];
      if (byte === undefined) throw damaged('is cut off');
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
    throw damaged('holds a number that is too large');
  };
}

function packDirectory(entries: TileEntries, from: number, to: number): Uint8Array {
  const bytes: number[] = [];
  const put = (number: number) => {
    let rest = number;
    for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    bytes.push(rest);
  };
  const at = (entry: number, field: number) => entries[entry * entrySize + field] ?? 0;
  put(to - from);
  for (let i = from; i < to; i++) put(at(i, 0) - (i === from ? 0 : at(i - 1, 0)));
  for (let i = from; i < to; i++) put(at(i, 1));
  for (let i = from; i < to; i++) put(at(i, 3));
  for (let i = from; i < to; i++) {
    put(i > from && at(i, 2) === at(i - 1, 2) + at(i - 1, 3) ? 0 : at(i, 2) + 1);
  }
  return uninterrupted(() => gzipSync(Uint8Array.from(bytes)));
}

/** Header and root directory must lie in the first 16 KiB (spec/v3, section 3.1). */
const maxRootBytes = 16_384 - headerBytes;
/** Of the first attempt, as other writers have it; more where the root would become too large. */
const leafEntries = 4_096;

/** Packs the directories of entries: in the root alone where they fit, else in leaves. */
function packDirectories(entries: TileEntries): { root: Uint8Array; leaves: Uint8Array } {
  const count = entries.length / entrySize;
  if (count <= leafEntries) {
    const root = packDirectory(entries, 0, count);
    if (root.length <= maxRootBytes) return { root, leaves: new Uint8Array() };
  }
  for (let size = leafEntries; ; size *= 2) {
    const leaves: Uint8Array[] = [];
    const rows: number[] = [];
    let offset = 0;
    for (let from = 0; from < count; from += size) {
      const leaf = packDirectory(entries, from, Math.min(count, from + size));
      rows.push(entries[from * entrySize] ?? 0, 0, offset, leaf.length);
      leaves.push(leaf);
      offset += leaf.length;
    }
    const root = packDirectory(Float64Array.from(rows), 0, leaves.length);
    if (root.length <= maxRootBytes) return { root, leaves: Buffer.concat(leaves) };
  }
}

/**
 * All of a PMTiles file (spec/v3) before its tile data: header, root directory, metadata, leaf directories.
 *
 * @param header of the source, whose types of tiles and compressions hold on
 * @param entries in the order of ids, with places in the new file; contents in the order of their first tile
 */
export function packHead(
  header: Header,
  entries: TileEntries,
  counts: { tiles: number; contents: number; tileBytes: number },
  { area, max_zoom, metadata }: { area: MapArea; max_zoom: number; metadata: Uint8Array },
): Uint8Array {
  const { root, leaves } = packDirectories(entries);
  const packed = uninterrupted(() => gzipSync(metadata));
  const view = new DataView(new ArrayBuffer(headerBytes));
  new Uint8Array(view.buffer).set(new TextEncoder().encode('PMTiles'));
  view.setUint8(7, 3);
  const rootAt = headerBytes;
  const metadataAt = rootAt + root.length;
  const leavesAt = metadataAt + packed.length;
  const tilesAt = leavesAt + leaves.length;
  const numbers = [
    ...[rootAt, root.length, metadataAt, packed.length, leavesAt, leaves.length, tilesAt, counts.tileBytes],
    ...[counts.tiles, entries.length / entrySize, counts.contents],
  ];
  numbers.forEach((number, i) => view.setBigUint64(8 + 8 * i, BigInt(number), true));
  // Clustered: contents lie in the order of their first tile.
  const bytes = [1, Compression.Gzip, header.tileCompression, header.tileType, header.minZoom, max_zoom];
  bytes.forEach((byte, i) => view.setUint8(96 + i, byte));
  const { west, south, east, north } = area;
  const place = (at: number, degrees: number) => view.setInt32(at, Math.round(degrees * 1e7), true);
  [west, south, east, north].forEach((degrees, i) => place(102 + 4 * i, degrees));
  view.setUint8(118, Math.min(max_zoom, Math.max(header.minZoom, header.centerZoom)));
  place(119, (west + east) / 2);
  place(123, (south + north) / 2);
  return Buffer.concat([new Uint8Array(view.buffer), root, packed, leaves]);
}
