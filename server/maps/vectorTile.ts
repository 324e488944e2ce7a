import { PbfReader } from 'pbf';

export type Properties = Record<string, string | number | boolean>;
export type GeometryType = 'point' | 'line' | 'polygon';

export interface VectorFeature {
  type: GeometryType;
  properties: Properties;
  /** Each part as x, y, x, y …; of polygons the rings, closed by their first corner being said again. */
  parts: () => number[][];
}

export interface VectorLayer {
  name: string;
  /** How many units the side of the tile has. */
  extent: number;
  features: () => Generator<VectorFeature>;
}

const types: readonly (GeometryType | null)[] = [null, 'point', 'line', 'polygon'];

/**
 * The layers of a Mapbox Vector Tile, version 2.1 (github.com/mapbox/vector-tile-spec). Nothing is read that the bytes do
 * not hold, whatever counts they claim.
 *
 * @throws Error of bytes that are no vector tile
 */
export function readVectorTile(bytes: Uint8Array): VectorLayer[] {
  const layers: VectorLayer[] = [];
  // One more for what lies within the layers: each use of it begins by going to its place.
  const inner = new PbfReader(bytes);
  for (const [tag, pbf] of fieldsOf(new PbfReader(bytes), bytes.length)) {
    if (tag === 3) layers.push(readLayer(inner, ...spanOf(pbf)));
  }
  return layers;
}

type Span = [start: number, end: number];

function readLayer(reader: PbfReader, start: number, end: number): VectorLayer {
  let name = '';
  let extent = 4_096;
  const keyStarts: number[] = [];
  const valueSpans: Span[] = [];
  const features: Span[] = [];
  for (const [tag, pbf] of fieldsOf(moved(reader, start), end)) {
    if (tag === 1) name = pbf.readString();
    else if (tag === 2) features.push(spanOf(pbf));
    else if (tag === 3) {
      keyStarts.push(pbf.pos);
      spanOf(pbf);
    } else if (tag === 4) valueSpans.push(spanOf(pbf));
    else if (tag === 5) extent = pbf.readVarint();
  }
  if (extent < 1 || extent > 1_048_576) throw new Error(`the layer ${name} has an extent of ${extent}`);
  return {
    name,
    extent,
    *features() {
      const keys = keyStarts.map((from) => moved(reader, from).readString());
      const values = valueSpans.map((span) => readValue(reader, ...span));
      for (const span of features) {
        const feature = readFeature(reader, span, keys, values);
        if (feature !== null) yield feature;
      }
    },
  };
}

function readFeature(
  reader: PbfReader,
  [start, end]: Span,
  keys: readonly string[],
  values: readonly (string | number | boolean)[],
): VectorFeature | null {
  let type: GeometryType | null = null;
  let geometry: Span | null = null;
  const properties: Properties = {};
  for (const [tag, pbf] of fieldsOf(moved(reader, start), end)) {
    if (tag === 2) {
      const [, tagsEnd] = spanOf(pbf, false);
      while (pbf.pos < tagsEnd) {
        const key = keys[pbf.readVarint()];
        const value = values[pbf.readVarint()];
        if (key !== undefined && value !== undefined) properties[key] = value;
      }
      pbf.pos = tagsEnd;
    } else if (tag === 3) type = types[pbf.readVarint()] ?? null;
    else if (tag === 4) geometry = spanOf(pbf);
  }
  if (type === null || geometry === null) return null;
  const [kind, span] = [type, geometry];
  return { type: kind, properties, parts: () => readGeometry(reader, span, kind) };
}

const moveTo = 1;
const lineTo = 2;
const closePath = 7;

function readGeometry(reader: PbfReader, [start, end]: Span, type: GeometryType): number[][] {
  const pbf = moved(reader, start);
  const parts: number[][] = [];
  let part: number[] = [];
  let x = 0;
  let y = 0;
  while (pbf.pos < end) {
    const command = pbf.readVarint();
    const kind = command & 7;
    if (kind === closePath) {
      if (part.length > 2) part.push(part[0] ?? 0, part[1] ?? 0);
      continue;
    }
    if (kind !== moveTo && kind !== lineTo) throw new Error(`a geometry has the command ${kind}`);
    for (let left = command >>> 3; left > 0 && pbf.pos < end; left--) {
      x += pbf.readSVarint();
      y += pbf.readSVarint();
      if (kind === moveTo && (type !== 'point' || part.length === 0)) parts.push((part = []));
      part.push(x, y);
    }
  }
  return parts;
}

function readValue(reader: PbfReader, start: number, end: number): string | number | boolean {
  let value: string | number | boolean = '';
  for (const [tag, pbf] of fieldsOf(moved(reader, start), end)) {
    if (tag === 1) value = pbf.readString();
    else if (tag === 2) value = pbf.readFloat();
    else if (tag === 3) value = pbf.readDouble();
    else if (tag === 4) value = pbf.readVarint(true);
    else if (tag === 5) value = pbf.readVarint();
    else if (tag === 6) value = pbf.readSVarint();
    else if (tag === 7) value = pbf.readBoolean();
  }
  return value;
}

function moved(reader: PbfReader, start: number): PbfReader {
  reader.pos = start;
  return reader;
}

/** Each field of a message by its tag; what the taker does not read is skipped. */
function* fieldsOf(pbf: PbfReader, end: number): Generator<[tag: number, pbf: PbfReader]> {
  while (pbf.pos < end) {
    const head = pbf.readVarint();
    const at = pbf.pos;
    pbf.type = head & 7;
    yield [head >> 3, pbf];
    if (pbf.pos === at) pbf.skip(head);
  }
  if (pbf.pos > end || pbf.pos > pbf.length) throw new Error('a message of the tile is cut off');
}

/** Where the message at the reader begins and ends; the reader then stands behind it, if it is to skip it. */
function spanOf(pbf: PbfReader, skips = true): Span {
  const length = pbf.readVarint();
  const span: Span = [pbf.pos, pbf.pos + length];
  if (span[1] > pbf.length) throw new Error('a message of the tile is cut off');
  if (skips) pbf.pos = span[1];
  return span;
}
