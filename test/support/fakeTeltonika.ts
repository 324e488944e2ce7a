import { once } from 'node:events';
import { connect } from 'node:net';

// A Teltonika terminal over a real socket, with an encoder of its own: what the server reads is checked against another
// reading of the maker's description.

export interface FakeRecord {
  time_ms: number;
  lat: number;
  lon: number;
  /** 2 is the panic button. */
  priority?: number;
  altitude_m?: number;
  course_deg?: number;
  /** 9 unless said otherwise; 0: no fix. */
  satellites?: number;
  speed_kmh?: number;
  eventIo?: number;
  /** Elements by id: their bytes, of any length with codec 8 Extended, else 1, 2, 4 or 8. */
  io?: Readonly<Record<number, Uint8Array>>;
}

export type FakeCodec = 0x08 | 0x8e | 0x10;

export interface FakeTeltonika {
  /** Says the IMEI; the byte of the answer. */
  logIn(): Promise<number>;
  /** Sends one packet; the number of the answer. */
  send(records: readonly FakeRecord[], codec?: FakeCodec): Promise<number>;
  /** Writes bytes as they are. */
  write(bytes: Uint8Array): void;
  /** The next so many bytes that came and nobody took yet; rejects when the connection ends before. */
  read(length: number): Promise<Buffer>;
  /** Stops reading, so that answers stay unread. */
  pause(): void;
  /** All that came and nobody took yet. */
  unread(): Buffer;
  /** Resolves when the connection is over, whichever side ended it. */
  readonly ended: Promise<void>;
  /** Says that no more will come. */
  endSending(): void;
  /** Ends it as a lost network does. */
  abort(): void;
}

/** Connects; says nothing yet. */
export async function connectFakeTeltonika(options: {
  port: number;
  host?: string;
  imei: string;
  /** Which address of this machine it comes from; on Linux all of 127.0.0.0/8. */
  localAddress?: string;
}): Promise<FakeTeltonika> {
  const { port, host = '127.0.0.1', imei, localAddress } = options;
  const from = localAddress === undefined ? {} : { localAddress };
  const socket = connect({ port, host, ...from });
  socket.setNoDelay(true);
  await once(socket, 'connect');
  let received = Buffer.alloc(0);
  let isOver = false;
  let wake = (): void => undefined;
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  // How it ended makes no difference to a test that waits for the end.
  socket.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => {
    socket.on('close', () => {
      isOver = true;
      wake();
      resolve();
    });
  });
  const terminal: FakeTeltonika = {
    ended,
    async logIn() {
      socket.write(imeiBytes(imei));
      return (await terminal.read(1)).readUInt8();
    },
    async send(records, codec) {
      socket.write(packetBytes(records, codec));
      return (await terminal.read(4)).readUInt32BE();
    },
    write: (bytes) => void socket.write(bytes),
    async read(length) {
      while (received.length < length) {
        if (isOver) throw new Error(`the connection ended after ${received.toString('hex')}`);
        await new Promise<void>((resolve) => (wake = resolve));
      }
      const bytes = received.subarray(0, length);
      received = received.subarray(length);
      return bytes;
    },
    pause: () => void socket.pause(),
    unread: () => received,
    endSending: () => void socket.end(),
    abort: () => void socket.resetAndDestroy(),
  };
  return terminal;
}

export function imeiBytes(imei: string): Buffer {
  return Buffer.concat([word(imei.length), Buffer.from(imei, 'latin1')]);
}

/** A packet as it goes over TCP. */
export function packetBytes(records: readonly FakeRecord[], codec: FakeCodec = 0x08): Buffer {
  return packetOf(dataBytes(records, codec));
}

/** Puts what stands before and behind it around any data. */
export function packetOf(data: Uint8Array): Buffer {
  return Buffer.concat([Buffer.alloc(4), dword(data.length), data, dword(crcOf(data))]);
}

/** The same over UDP. */
export function datagramBytes(
  imei: string,
  records: readonly FakeRecord[],
  ids: { packet: number; avl: number },
  codec: FakeCodec = 0x08,
): Buffer {
  const body = Buffer.concat([
    word(ids.packet),
    Buffer.of(1, ids.avl),
    imeiBytes(imei),
    dataBytes(records, codec),
  ]);
  return Buffer.concat([word(body.length), body]);
}

/** From the codec up to the second count. */
export function dataBytes(records: readonly FakeRecord[], codec: FakeCodec): Buffer {
  const count = Buffer.of(records.length);
  const all = records.map((record) => recordBytes(record, codec));
  return Buffer.concat([Buffer.of(codec), count, ...all, count]);
}

function recordBytes(record: FakeRecord, codec: FakeCodec): Buffer {
  const head = Buffer.alloc(24);
  head.writeBigUInt64BE(BigInt(record.time_ms), 0);
  head.writeUInt8(record.priority ?? 0, 8);
  head.writeInt32BE(Math.round(record.lon * 1e7), 9);
  head.writeInt32BE(Math.round(record.lat * 1e7), 13);
  head.writeInt16BE(record.altitude_m ?? 0, 17);
  head.writeUInt16BE(record.course_deg ?? 0, 19);
  head.writeUInt8(record.satellites ?? 9, 21);
  head.writeUInt16BE(record.speed_kmh ?? 0, 22);
  const idOf = (id: number) => (codec === 0x08 ? Buffer.of(id) : word(id));
  const countOf = (many: number) => (codec === 0x8e ? word(many) : Buffer.of(many));
  const elements = Object.entries(record.io ?? {}).map(([id, value]) => ({ id: Number(id), value }));
  const fixed = [1, 2, 4, 8].flatMap((width) => {
    const group = elements.filter(({ value }) => value.length === width);
    return [countOf(group.length), ...group.flatMap(({ id, value }) => [idOf(id), value])];
  });
  const others = elements.filter(({ value }) => ![1, 2, 4, 8].includes(value.length));
  if (others.length > 0 && codec !== 0x8e)
    throw new Error('only codec 8 Extended has elements of any length');
  const variable = others.flatMap(({ id, value }) => [word(id), word(value.length), value]);
  return Buffer.concat([
    head,
    idOf(record.eventIo ?? 0),
    ...(codec === 0x10 ? [Buffer.of(7)] : []),
    countOf(elements.length),
    ...fixed,
    ...(codec === 0x8e ? [word(others.length), ...variable] : []),
  ]);
}

/** CRC-16/IBM, bit by bit. */
function crcOf(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) {
      const carry = crc & 1;
      crc >>= 1;
      if (carry === 1) crc ^= 0xa001;
    }
  }
  return crc;
}

function word(value: number): Buffer {
  return Buffer.of(value >> 8, value & 0xff);
}

function dword(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
