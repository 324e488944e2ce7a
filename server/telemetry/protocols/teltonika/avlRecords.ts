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
  /** By the id of the element, in the order of the wire. */
  io: Map<number, Buffer>;
}

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

/** @param data from the codec up to the second count; at least three bytes */
export function readAvlData(data: Buffer): AvlData {
  const codecId = data.readUInt8(0);
  const codec = codecs[codecId];
  if (codec === undefined) return { kind: 'other', codec: codecId };
  const count = data.readUInt8(1);
  try {
    const from = { bytes: data, at: 2 };
    const records = Array.from({ length: count }, () => readRecord(from, codec));
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
    time_ms: Number(bytes.readBigUInt64BE(at)),
    priority: bytes.readUInt8(at + 8),
    lon: bytes.readInt32BE(at + 9) / 1e7,
    lat: bytes.readInt32BE(at + 13) / 1e7,
    altitude_m: bytes.readInt16BE(at + 17),
    course_deg: bytes.readUInt16BE(at + 19),
    satellites: bytes.readUInt8(at + 21),
    speed_kmh: bytes.readUInt16BE(at + 22),
    event_io: readNumber(from, codec.idWidth),
    generation_type: codec.hasGenerationType ? readNumber(from, 1) : null,
    io: readElements(from, codec),
  };
}

function readElements(from: Cursor, { idWidth, countWidth, hasVariable }: Codec): Map<number, Buffer> {
  const io = new Map<number, Buffer>();
  // The total of all groups; each says its own.
  readNumber(from, countWidth);
  for (const width of valueWidths) {
    for (let left = readNumber(from, countWidth); left > 0; left -= 1)
      io.set(readNumber(from, idWidth), readBytes(from, width));
  }
  if (!hasVariable) return io;
  for (let left = readNumber(from, 2); left > 0; left -= 1)
    io.set(readNumber(from, 2), readBytes(from, readNumber(from, 2)));
  return io;
}

function readNumber(from: Cursor, width: 1 | 2): number {
  const value = from.bytes.readUIntBE(from.at, width);
  from.at += width;
  return value;
}

function readBytes(from: Cursor, length: number): Buffer {
  const end = from.at + length;
  if (end > from.bytes.length) throw new RangeError('an element ends beyond the packet');
  const value = from.bytes.subarray(from.at, end);
  from.at = end;
  return value;
}
