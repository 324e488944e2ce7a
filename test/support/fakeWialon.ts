import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';

// A terminal of Wialon IPS over a real socket, with a codec of its own: what the server reads and writes is checked
// against another reading of the protocol.

export type WialonParam = readonly [name: string, type: 1 | 2 | 3, value: string | number];

/** What a terminal says of one moment; what is left out is written as NA. */
export interface WialonData {
  /** Unix ms; whole seconds. */
  time_ms?: number;
  lat?: number;
  lon?: number;
  speed_kmh?: number;
  course_deg?: number;
  altitude_m?: number;
  satellites?: number;
  hdop?: number;
  inputs?: number;
  outputs?: number;
  adc?: readonly number[];
  ibutton?: string;
  params?: readonly WialonParam[];
}

export interface FakeWialon {
  /** All lines that came, in order, without their ends. */
  readonly received: readonly string[];
  /** Resolves when the connection is over, whichever side ended it. */
  readonly ended: Promise<void>;
  /** Sends the login and gives the answer. */
  logIn(imei: string, password?: string): Promise<string>;
  /** Sends a packet, with its CRC where the version has one; gives the next answer. */
  ask(type: string, body: string): Promise<string>;
  /** The next answer that nobody waited for yet; rejects when the connection ends before. */
  next(): Promise<string>;
  /** Sends a packet without waiting. */
  send(type: string, body: string): void;
  /** Writes bytes as they are; resolves when they are on their way. */
  write(bytes: string | Uint8Array): Promise<void>;
  /** Ends it in good order; resolves when the host has done so too. */
  close(): Promise<void>;
  /** Ends it as a lost network does. */
  abort(): void;
}

export type WialonVersion = '1.1' | '2.0';

export async function connectFakeWialon(port: number, version: WialonVersion = '1.1'): Promise<FakeWialon> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const received: string[] = [];
  let rest = '';
  let read = 0;
  let isOver = false;
  let wake = (): void => undefined;
  // How it ended makes no difference to a test that waits for an answer.
  socket.on('error', () => undefined);
  socket.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\r\n');
    rest = lines.pop() ?? '';
    received.push(...lines);
    wake();
  });
  const ended = new Promise<void>((resolve) => {
    socket.once('close', () => {
      isOver = true;
      wake();
      resolve();
    });
  });
  await once(socket, 'connect');

  async function next(): Promise<string> {
    for (;;) {
      const line = received[read];
      if (line !== undefined) {
        read += 1;
        return line;
      }
      if (isOver) throw new Error(`the connection ended after ${JSON.stringify(received)}`);
      await new Promise<void>((resolve) => (wake = resolve));
    }
  }

  const write = (bytes: string | Uint8Array) =>
    new Promise<void>((resolve) => {
      socket.write(bytes, () => resolve());
    });
  const send = (type: string, body: string) => void write(packetText(version, type, body));
  return {
    received,
    ended,
    next,
    send,
    write,
    logIn: (imei, password = 'NA') => {
      send('L', version === '2.0' ? `2.0;${imei};${password}` : `${imei};${password}`);
      return next();
    },
    ask: (type, body) => {
      send(type, body);
      return next();
    },
    close: () => {
      socket.end();
      return ended;
    },
    abort: () => void socket.resetAndDestroy(),
  };
}

/** Sends datagrams to a port and waits for the answer to each. */
export interface FakeWialonUdp {
  ask(datagram: string): Promise<string>;
  send(datagram: string | Uint8Array): void;
  next(): Promise<string>;
  close(): void;
}

export async function openFakeWialonUdp(port: number): Promise<FakeWialonUdp> {
  const socket = createSocket('udp4');
  const received: string[] = [];
  let wake = (): void => undefined;
  socket.on('message', (bytes) => {
    received.push(bytes.toString('utf8'));
    wake();
  });
  socket.connect(port, '127.0.0.1');
  await once(socket, 'connect');

  async function next(): Promise<string> {
    for (;;) {
      const line = received.shift();
      if (line !== undefined) return line;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  }

  return {
    next,
    send: (datagram) => {
      socket.send(datagram);
    },
    ask: (datagram) => {
      socket.send(datagram);
      return next();
    },
    close: () => {
      socket.close();
    },
  };
}

/** A packet as it stands on the wire, with its line's end. A black box has its CRC after a |, all others after a ;. */
export function packetText(version: WialonVersion, type: string, body: string): string {
  if (version === '1.1' || body === '') return `#${type}#${body}\r\n`;
  const checked = `${body}${type === 'B' ? '|' : ';'}`;
  return `#${type}#${checked}${crcOf(checked)}\r\n`;
}

/** CRC-16/ARC bit by bit, in hex without padding. */
export function crcOf(text: string): string {
  let sum = 0;
  for (const byte of Buffer.from(text, 'utf8')) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = sum % 2 === 1 ? Math.floor(sum / 2) ^ 0xa001 : sum / 2;
  }
  return sum.toString(16).toUpperCase();
}

export function shortBody(data: WialonData): string {
  const time = data.time_ms === undefined ? null : new Date(data.time_ms).toISOString();
  return [
    time === null ? 'NA' : `${time.slice(8, 10)}${time.slice(5, 7)}${time.slice(2, 4)}`,
    time === null ? 'NA' : `${time.slice(11, 13)}${time.slice(14, 16)}${time.slice(17, 19)}`,
    ...degreesText(data.lat, 2, 'N', 'S'),
    ...degreesText(data.lon, 3, 'E', 'W'),
    ...[data.speed_kmh, data.course_deg, data.altitude_m, data.satellites].map(textOf),
  ].join(';');
}

export function longBody(data: WialonData): string {
  return [
    shortBody(data),
    ...[data.hdop, data.inputs, data.outputs].map(textOf),
    data.adc?.join(',') ?? 'NA',
    data.ibutton ?? 'NA',
    data.params?.map((it) => it.join(':')).join(',') ?? 'NA',
  ].join(';');
}

function textOf(value: number | undefined): string {
  return value === undefined ? 'NA' : String(value);
}

function degreesText(value: number | undefined, digits: number, positive: string, negative: string) {
  if (value === undefined) return ['NA', 'NA'];
  const micros = Math.round(Math.abs(value) * 60 * 1e6);
  const degrees = Math.floor(micros / 60e6);
  const minutes = ((micros - degrees * 60e6) / 1e6).toFixed(6).padStart(9, '0');
  return [`${String(degrees).padStart(digits, '0')}${minutes}`, value < 0 ? negative : positive];
}
