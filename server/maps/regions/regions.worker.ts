import { writeFileSync } from 'node:fs';
import type { Header } from 'pmtiles';
import { causeOf } from '../../contract/causeTexts.ts';
import type { MapArea } from '../../contract/maps.ts';
import { serveOrders } from '../../workerChannel.ts';
import { fileFailure, inflated, MapFileError, type MapAbout } from '../mapFile.ts';
import { describePmtiles, maxDirectoryBytes, packingOf } from '../pmtilesFile.ts';
import { chunksOf, segmentSize, type Segments } from './chunks.ts';
import { entrySize, packHead, readDirectory, type Leaf, type TileEntries } from './pmtilesDirectory.ts';

/** What the thread is asked of a region, and answers by the same kind. It calls nobody. */
export type RegionOrder =
  | { kind: 'describe'; header: Header; metadata: Uint8Array }
  /** What directories say of the wanted tiles. */
  | {
      kind: 'read';
      header: Header;
      leafBytes: number;
      tileBytes: number;
      wanted: Float64Array<ArrayBuffer>;
      /** `first` and `end` as of leaves. */
      directories: { bytes: Uint8Array; first: number; end: number }[];
    }
  /** Lays out the new file, and writes its beginning and what is to be copied. */
  | {
      kind: 'lay out';
      header: Header;
      metadata: Uint8Array;
      entries: TileEntries;
      area: MapArea;
      max_zoom: number;
      /** Null: nothing is written, it is an estimate. */
      files: { head: string; segments: string } | null;
    };

export interface Layout {
  tiles: number;
  head_bytes: number;
  /** Of the whole file. */
  bytes: number;
  transfer_bytes: number;
  requests: number;
}

export type RegionResult =
  | { kind: 'describe'; about: MapAbout }
  /** `inflated`: bytes of the directories that were read. */
  | { kind: 'read'; entries: TileEntries; leaves: Leaf[]; inflated: number }
  | { kind: 'lay out'; layout: Layout };

const ownerOnly = 0o600;

function read({
  header,
  directories,
  wanted,
  leafBytes,
  tileBytes,
}: Extract<RegionOrder, { kind: 'read' }>): Extract<RegionResult, { kind: 'read' }> {
  const found: number[][] = [];
  const leaves: Leaf[] = [];
  let bytes = 0;
  for (const { bytes: packed, first, end } of directories) {
    const directory = inflated(packed, maxDirectoryBytes, 'directory', packingOf(header));
    bytes += directory.length;
    const said = readDirectory(directory, wanted, { first, end, leafBytes, tileBytes });
    found.push(said.entries);
    leaves.push(...said.leaves);
  }
  const entries = new Float64Array(found.reduce((sum, it) => sum + it.length, 0));
  found.reduce((at, it) => {
    entries.set(it, at);
    return at + it.length;
  }, 0);
  return { kind: 'read', entries, leaves, inflated: bytes };
}

/** Directories of one level come in order; those of several levels may not. */
function inOrder(entries: TileEntries): TileEntries {
  const count = entries.length / entrySize;
  const idAt = (at: number) => entries[at * entrySize] ?? 0;
  const order = Uint32Array.from({ length: count }, (_, at) => at);
  if (order.every((at) => at === 0 || idAt(at - 1) < idAt(at))) return entries;
  order.sort((a, b) => idAt(a) - idAt(b));
  const sorted = new Float64Array(entries.length);
  order.forEach((from, to) =>
    sorted.set(entries.subarray(from * entrySize, (from + 1) * entrySize), to * entrySize),
  );
  return sorted;
}

/** Gives each content its place in the new file, by its first tile. Contents of several tiles stay one. */
function placed(
  entries: TileEntries,
  tileDataOffset: number,
): {
  entries: TileEntries;
  segments: Segments;
  counts: { tiles: number; contents: number; tileBytes: number };
} {
  const places = new Map<number, number>();
  const segments: number[] = [];
  const counts = { tiles: 0, contents: 0, tileBytes: 0 };
  const next = new Float64Array(entries.length);
  let used = 0;
  for (let at = 0; at < entries.length; at += entrySize) {
    const [id = 0, run = 0, offset = 0, length = 0] = entries.subarray(at, at + entrySize);
    const source = tileDataOffset + offset;
    let place = places.get(source);
    if (place === undefined) {
      place = counts.tileBytes;
      places.set(source, place);
      counts.contents++;
      counts.tileBytes += length;
      const last = segments.length - segmentSize;
      if ((segments[last] ?? -1) + (segments[last + 2] ?? 0) === source) {
        segments[last + 2] = (segments[last + 2] ?? 0) + length;
      } else segments.push(source, place, length);
    }
    counts.tiles += run;
    const before = used - entrySize;
    const isSame =
      next[before + 2] === place && (next[before] ?? -1) + (next[before + 1] ?? 0) === id && used > 0;
    if (isSame) next[before + 1] = (next[before + 1] ?? 0) + run;
    else {
      next.set([id, run, place, length], used);
      used += entrySize;
    }
  }
  return { entries: next.slice(0, used), segments: Float64Array.from(segments), counts };
}

function layOut(order: Extract<RegionOrder, { kind: 'lay out' }>): Layout {
  const { header, area, max_zoom, files } = order;
  const { entries, segments, counts } = placed(inOrder(order.entries), header.tileDataOffset);
  if (counts.tiles === 0) throw new MapFileError(causeOf('map_file.no_tiles_here'));
  if (counts.tileBytes > (header.tileDataLength ?? 0))
    throw new MapFileError(causeOf('map_file.tiles_overlap'));
  const metadata = describePmtiles(header, order.metadata).json;
  const head = packHead(header, entries, counts, { area, max_zoom, metadata });
  if (files !== null) {
    writeFileSync(files.segments, segments, { mode: ownerOnly, flush: true });
    writeFileSync(files.head, head, { mode: ownerOnly, flush: true });
  }
  let [requests, transfer_bytes] = [0, 0];
  for (const { length } of chunksOf(segments)) {
    requests++;
    transfer_bytes += length;
  }
  const bytes = head.length + counts.tileBytes;
  return { tiles: counts.tiles, head_bytes: head.length, bytes, transfer_bytes, requests };
}

serveOrders<RegionOrder, RegionResult>((order) => {
  switch (order.kind) {
    case 'describe':
      return { kind: 'describe', about: describePmtiles(order.header, order.metadata).about };
    case 'read':
      return read(order);
    case 'lay out':
      return { kind: 'lay out', layout: layOut(order) };
  }
}, fileFailure);
