// The data of a packet: codec BYTE, count BYTE, records, the count again. Codecs 8, 8 Extended and 16 differ in the
// widths of what names and counts the elements. Source: wiki.teltonika-gps.com, "Codec".

export interface AvlRecord {
  time_ms: number;
  /** 0 low, 1 high, 2 panic. */
  priority: number;
  lat: number;
  lon: number;
  altitude_m: number;
  course_deg: number;
  satellites: number;
  speed_kmh: number;
  /** The element that made the terminal write the record; 0: the time or the way. */
  event_io: number;
  /** Of codec 16 alone: what kind of change made it. */
  generation_type: number | null;
  /** Left in the packet, and read from there by `forEachElement`: a copy of each costs more than all the rest. */
  io: Elements;
}

/** Where the elements of a record stand. */
export interface Elements {
  readonly bytes: Buffer;
  readonly at: number;
  readonly codec: Codec;
}

/** @param at where the value of the element begins; `length` of it lie within the packet */
export type TakeElement = (id: number, at: number, length: number) => void;

export type AvlData =
  | { kind: 'records'; count: number; records: AvlRecord[] }
  /** Not one of these codecs. */
  | { kind: 'other'; codec: number }
  /**
   * The records do not end where the counts say; `count` is what the terminal wants to hear. `records`: all of them where
   * only what stands behind them does not fit, else none.
   */
  | { kind: 'unreadable'; count: number; records: AvlRecord[] };

interface Codec {
  /** Bytes of an element's id. */
  idWidth: 1 | 2;
  /** Bytes of a count of elements. */
  countWidth: 1 | 2;
  hasGenerationType: boolean;
  /** A fifth group, of elements that say their own length. */
  hasVariable: boolean;
}

const codecs: Readonly<Record<number, Codec>> = {
  0x08: { idWidth: 1, countWidth: 1, hasGenerationType: false, hasVariable: false },
  0x8e: { idWidth: 2, countWidth: 2, hasGenerationType: false, hasVariable: true },
  0x10: { idWidth: 2, countWidth: 1, hasGenerationType: true, hasVariable: false },
};

const valueWidths = [1, 2, 4, 8];

const idsOfWord = 65_536;
const word = 2 ** 32;

/** @param data from the codec up to the second count; at least three bytes */
export function readAvlData(data: Buffer): AvlData {
  const codecId = data.readUInt8(0);
  const codec = codecs[codecId];
  if (codec === undefined) return { kind: 'other', codec: codecId };
  const count = data.readUInt8(1);
  try {
    const from = { bytes: data, at: 2 };
    const records: AvlRecord[] = [];
    while (records.length < count) records.push(readRecord(from, codec));
    const isAtEnd = from.at === data.length - 1;
    const isCounted = data[from.at] === count;
    if (isAtEnd && isCounted) return { kind: 'records', count, records };
    // One of both shows that no record was read at a wrong place, where any bytes would pass for one.
    return { kind: 'unreadable', count, records: isAtEnd || isCounted ? records : [] };
  } catch (error) {
    // A count or a length that leads beyond the end.
    if (error instanceof RangeError) return { kind: 'unreadable', count, records: [] };
    throw error;
  }
}

interface Cursor {
  bytes: Buffer;
  at: number;
}

function readRecord(from: Cursor, codec: Codec): AvlRecord {
  const { bytes, at } = from;
  from.at += 24;
  return {
    time_ms: bytes.readUInt32BE(at) * word + bytes.readUInt32BE(at + 4),
    priority: bytes.readUInt8(at + 8),
    lon: bytes.readInt32BE(at + 9) / 1e7,
    lat: bytes.readInt32BE(at + 13) / 1e7,
    altitude_m: bytes.readInt16BE(at + 17),
    course_deg: bytes.readUInt16BE(at + 19),
    satellites: bytes.readUInt8(at + 21),
    speed_kmh: bytes.readUInt16BE(at + 22),
    event_io: readNumber(from, codec.idWidth),
    generation_type: codec.hasGenerationType ? readNumber(from, 1) : null,
    io: passElements(from, codec),
  };
}

/** @throws RangeError when one of them ends beyond the packet */
function passElements(from: Cursor, codec: Codec): Elements {
  const io: Elements = { bytes: from.bytes, at: from.at, codec };
  const { idWidth, countWidth, hasVariable } = codec;
  // The total of all groups; each says its own.
  readNumber(from, countWidth);
  for (const width of valueWidths) {
    const count = readNumber(from, countWidth);
    pass(from, count * (idWidth + width));
  }
  if (!hasVariable) return io;
  for (let left = readNumber(from, 2); left > 0; left -= 1) {
    pass(from, idWidth);
    pass(from, readNumber(from, 2));
  }
  return io;
}

function readNumber(from: Cursor, width: 1 | 2): number {
  const { bytes, at } = from;
  from.at += width;
  return width === 1 ? bytes.readUInt8(at) : bytes.readUInt16BE(at);
}

function pass(from: Cursor, length: number): void {
  from.at += length;
  if (from.at > from.bytes.length) throw new RangeError('an element ends beyond the packet');
}

// By id, where the last value of an element stands that is being read; 0: it was taken. Written before it is read in
// each call, so nothing is handed from one to the next: a map of its own for each record would be most of its cost.
const lastAt = new Uint32Array(idsOfWord);
const lastLength = new Uint16Array(idsOfWord);

/** In the order of the wire; of elements that come twice the last value, in the place of the first. */
export function forEachElement(io: Elements, take: TakeElement): void {
  walk(io, noteLast);
  walk(io, (id) => {
    const at = lastAt[id] ?? 0;
    if (at === 0) return;
    lastAt[id] = 0;
    take(id, at, lastLength[id] ?? 0);
  });
}

function noteLast(id: number, at: number, length: number): void {
  lastAt[id] = at;
  lastLength[id] = length;
}

/** All elements as they come, whose bytes were seen to be there when the record was read. */
function walk({ bytes, at, codec }: Elements, visit: TakeElement): void {
  const { idWidth, countWidth, hasVariable } = codec;
  const from: Cursor = { bytes, at: at + countWidth };
  for (const width of valueWidths) {
    for (let left = readNumber(from, countWidth); left > 0; left -= 1) {
      const id = readNumber(from, idWidth);
      visit(id, from.at, width);
      from.at += width;
    }
  }
  if (!hasVariable) return;
  for (let left = readNumber(from, 2); left > 0; left -= 1) {
    const id = readNumber(from, idWidth);
    const length = readNumber(from, 2);
    visit(id, from.at, length);
    from.at += length;
  }
}
