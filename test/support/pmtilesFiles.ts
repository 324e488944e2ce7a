import { gzipSync } from 'node:zlib';
import { zxyToTileId } from 'pmtiles';
import type { MadeMap, MadeTile } from './mapFiles.ts';

/** A PMTiles file (spec/v3) of vector tiles; `leafSize`: how many entries a leaf directory has, none without. */
export function makePmtiles({
  tiles,
  bounds,
  layers = ['road', 'place', 'land'],
  attribution,
  leafSize,
}: Pick<MadeMap, 'layers' | 'attribution'> & {
  tiles: readonly MadeTile[];
  bounds: readonly [west: number, south: number, east: number, north: number];
  leafSize?: number;
}): Uint8Array<ArrayBuffer> {
  const ordered = tiles
    .map(({ z, x, y, bytes }) => ({ id: zxyToTileId(z, x, y), bytes }))
    .sort((a, b) => a.id - b.id);
  const data: Uint8Array[] = [];
  const places = new Map<Uint8Array, number>();
  let size = 0;
  const rows = ordered.map(({ id, bytes }) => {
    const offset = places.get(bytes) ?? size;
    if (!places.has(bytes)) {
      places.set(bytes, offset);
      data.push(bytes);
      size += bytes.length;
    }
    return { id, run: 1, length: bytes.length, offset };
  });
  const leaves: Buffer[] = [];
  let leafBytes = 0;
  const leafRows = [];
  for (let at = 0; leafSize !== undefined && at < rows.length; at += leafSize) {
    const leaf = directoryOf(rows.slice(at, at + leafSize));
    leafRows.push({ id: rows[at]?.id ?? 0, run: 0, length: leaf.length, offset: leafBytes });
    leaves.push(leaf);
    leafBytes += leaf.length;
  }
  const root = directoryOf(leafSize === undefined ? rows : leafRows);
  const metadata = gzipSync(
    JSON.stringify({ attribution, vector_layers: layers.map((id) => ({ id, fields: {} })) }),
  );
  const header = Buffer.alloc(127);
  header.write('PMTiles');
  header[7] = 3;
  const lengths = [root.length, metadata.length, leafBytes, size];
  lengths.reduce((offset, length, i) => {
    header.writeBigUInt64LE(BigInt(offset), 8 + 16 * i);
    header.writeBigUInt64LE(BigInt(length), 16 + 16 * i);
    return offset + length;
  }, 127);
  const zooms = tiles.map(({ z }) => z);
  // Clustered; directories and tiles packed by gzip; vector tiles.
  [1, 2, 2, 1, Math.min(...zooms), Math.max(...zooms)].forEach((byte, i) => header.writeUInt8(byte, 96 + i));
  bounds.forEach((degrees, i) => header.writeInt32LE(Math.round(degrees * 1e7), 102 + 4 * i));
  return Uint8Array.from(Buffer.concat([header, root, metadata, ...leaves, ...data]));
}

export function directoryOf(
  rows: readonly { id: number; run: number; length: number; offset: number }[],
): Buffer {
  const bytes: number[] = [];
  const put = (value: number) => {
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
    bytes.push(rest);
  };
  put(rows.length);
  rows.forEach(({ id }, i) => put(id - (rows[i - 1]?.id ?? 0)));
  for (const { run } of rows) put(run);
  for (const { length } of rows) put(length);
  for (const { offset } of rows) put(offset + 1);
  return gzipSync(Uint8Array.from(bytes));
}
