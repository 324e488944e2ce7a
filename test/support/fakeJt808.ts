import { once } from 'node:events';
import { connect } from 'node:net';

// A JT/T 808 terminal over a real socket, with a codec of its own: what the server reads and writes is checked against
// another reading of the standard.

export interface FakeJt808Options {
  port: number;
  host?: string;
  /** Its number, in decimal digits; padded with zeros on the wire. */
  phone: string;
  /** The header that it writes; `2013` is that of 2011 too. */
  form?: '2013' | '2019';
  /** Sends parts again that the platform asks for; `true` unless said otherwise. */
  resends?: boolean;
}

/** What came from the platform. */
export interface PlatformMessage {
  id: number;
  serial: number;
  /** The number in its header, as hex digits. */
  phoneBcd: string;
  body: Buffer;
}

export interface FakePosition {
  lat: number;
  lon: number;
  /** Unix ms; written as GMT+8, whole seconds. */
  time_ms: number;
  altitude_m?: number;
  speed_kmh?: number;
  course_deg?: number;
  /** Alarm flags, a DWORD. */
  alarm?: number;
  /** The engine's state; on unless said otherwise. */
  acc?: boolean;
  /** Whether there is a fix; `true` unless said otherwise. */
  fix?: boolean;
  /** Additional items by id: their bytes. */
  items?: Readonly<Record<number, Uint8Array>>;
}

export interface FakeJt808 {
  /** The number as it stands in the header: 12 or 20 hex digits. */
  readonly phoneBcd: string;
  /** All that came, in order. */
  readonly received: readonly PlatformMessage[];
  /** Resolves when the connection is over, whichever side ended it. */
  readonly ended: Promise<void>;
  /** 0x0100; the result and, when it is 0, the authentication code. */
  register(): Promise<{ result: number; code: string }>;
  /** 0x0102; the result. */
  authenticate(code?: string): Promise<number>;
  /** Registers and authenticates; throws when either is refused. */
  logOn(): Promise<void>;
  /** 0x0002; the result. */
  heartbeat(): Promise<number>;
  /** 0x0200; the result. */
  position(position: FakePosition): Promise<number>;
  /** 0x0704; the result. */
  batch(positions: readonly FakePosition[], type?: 0 | 1): Promise<number>;
  /** Sends a message and waits for its 0x8001; the result. */
  emit(id: number, body?: Uint8Array): Promise<number>;
  /** Sends a message; its serial. */
  send(id: number, body?: Uint8Array): number;
  /** Sends a message in parts of so many bytes, but for those (from 1) in `skip`; the serials of all parts. */
  sendParts(id: number, body: Uint8Array, partBytes: number, skip?: readonly number[]): number[];
  /**
   * Sends one part (from 1) of a message, those of `sendParts` whose first serial this is; with a new serial of its own
   * where `isNew`. Its serial.
   */
  sendPart(firstSerial: number, number: number, isNew?: boolean): number;
  /** 0x0001 to a message of the platform. */
  answer(message: PlatformMessage, result?: number): void;
  /** Calls for each message of the platform with this id, from now on; returns its undo. */
  on(id: number, call: (message: PlatformMessage) => void): () => void;
  /** The next message with this id that nobody waited for yet; rejects when the connection ends before. */
  next(id: number): Promise<PlatformMessage>;
  /** Writes bytes as they are. */
  write(bytes: Uint8Array): void;
  /** Ends the connection in good order. */
  close(): Promise<void>;
  /** Ends it as a lost network does. */
  abort(): void;
}

/** Connects; registers nothing yet. */
export async function connectFakeJt808(options: FakeJt808Options): Promise<FakeJt808> {
  const { form = '2013', resends = true } = options;
  const phoneBcd = options.phone.padStart(form === '2019' ? 20 : 12, '0');
  const socket = connect(options.port, options.host ?? '127.0.0.1');
  socket.setNoDelay(true);
  await once(socket, 'connect');

  const received: PlatformMessage[] = [];
  const unread: PlatformMessage[] = [];
  const waiting = new Set<{ fits: (it: PlatformMessage) => boolean; take: (it: PlatformMessage) => void }>();
  const listeners = new Map<number, Set<(message: PlatformMessage) => void>>();
  const sentParts = new Map<number, { id: number; serial: number; parts: Uint8Array[] }>();
  const giveUp = new Set<() => void>();
  let nextSerial = 0;
  let over = false;

  const ended = new Promise<void>((resolve) => {
    socket.on('close', () => {
      over = true;
      for (const call of giveUp) call();
      resolve();
    });
  });
  // How it ended makes no difference to a test that waits for the end.
  socket.on('error', () => undefined);

  let bytes = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (;;) {
      const end = bytes.indexOf(0x7e, 1);
      if (bytes[0] !== 0x7e || end < 0) break;
      const frame = bytes.subarray(1, end);
      bytes = bytes.subarray(end + 1);
      take(parseFrame(frame));
    }
  });

  function take(message: PlatformMessage): void {
    received.push(message);
    if (resends && message.id === 0x8003) resend(message.body);
    for (const call of listeners.get(message.id) ?? []) call(message);
    const one = [...waiting].find((it) => it.fits(message));
    if (one === undefined) unread.push(message);
    else one.take(message);
  }

  function nextThat(fits: (it: PlatformMessage) => boolean): Promise<PlatformMessage> {
    const at = unread.findIndex(fits);
    const there = at < 0 ? undefined : unread.splice(at, 1)[0];
    if (there !== undefined) return Promise.resolve(there);
    if (over) return Promise.reject(new Error('the connection is over'));
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        waiting.delete(one);
        giveUp.delete(lost);
      };
      const one = {
        fits,
        take(message: PlatformMessage) {
          stop();
          resolve(message);
        },
      };
      const lost = (): void => {
        stop();
        reject(new Error('the connection ended'));
      };
      waiting.add(one);
      giveUp.add(lost);
    });
  }

  function takeSerial(): number {
    const serial = nextSerial;
    nextSerial = (nextSerial + 1) % 0x1_0000;
    return serial;
  }

  function writeFrame(id: number, serial: number, body: Uint8Array, part?: [total: number, number: number]) {
    if (over) return;
    socket.write(messageFrame({ id, serial, phoneBcd, form, part }, body));
  }

  function resend(order: Buffer): void {
    const first = order.readUInt16BE(0);
    const start = form === '2019' ? 4 : 3;
    for (let at = start; at + 2 <= order.length; at += 2) writePart(first, order.readUInt16BE(at), false);
  }

  function writePart(firstSerial: number, number: number, isNew: boolean): number {
    const sent = sentParts.get(firstSerial);
    const part = sent?.parts[number - 1];
    if (sent === undefined || part === undefined) return -1;
    const serial = isNew ? takeSerial() : (sent.serial + number - 1) % 0x1_0000;
    writeFrame(sent.id, serial, part, [sent.parts.length, number]);
    return serial;
  }

  const terminal: FakeJt808 = {
    phoneBcd,
    received,
    ended,
    async register() {
      const text = (value: string, length: number) => Buffer.from(value.padEnd(length, '\0'), 'latin1');
      const [maker, model] = form === '2019' ? [11, 30] : [5, 20];
      const body = Buffer.concat([
        words(31, 115),
        text('MAKER', maker),
        text('MODEL', model),
        text('T000001', form === '2019' ? 30 : 7),
        Buffer.of(1),
        text('A12345', 6),
      ]);
      const serial = terminal.send(0x0100, body);
      const answer = await nextThat((it) => it.id === 0x8100 && it.body.readUInt16BE(0) === serial);
      return { result: answer.body[2] ?? -1, code: answer.body.subarray(3).toString('latin1') };
    },
    authenticate(code = 'code') {
      const text = Buffer.from(code, 'latin1');
      if (form !== '2019') return terminal.emit(0x0102, text);
      const imei = Buffer.from('352753090000001', 'latin1');
      return terminal.emit(0x0102, Buffer.concat([Buffer.of(text.length), text, imei, Buffer.alloc(20)]));
    },
    async logOn() {
      const { result, code } = await terminal.register();
      if (result !== 0) throw new Error(`registration was refused: ${result}`);
      const answer = await terminal.authenticate(code);
      if (answer !== 0) throw new Error(`authentication was refused: ${answer}`);
    },
    heartbeat: () => terminal.emit(0x0002),
    position: (position) => terminal.emit(0x0200, positionBody(position)),
    batch: (positions, type) => terminal.emit(0x0704, batchBody(positions, type)),
    async emit(id, body) {
      const serial = terminal.send(id, body);
      const answer = await nextThat(
        (it) => it.id === 0x8001 && it.body.readUInt16BE(0) === serial && it.body.readUInt16BE(2) === id,
      );
      return answer.body[4] ?? -1;
    },
    send(id, body = new Uint8Array()) {
      const serial = takeSerial();
      writeFrame(id, serial, body);
      return serial;
    },
    sendParts(id, body, partBytes, skip = []) {
      const count = Math.max(1, Math.ceil(body.length / partBytes));
      const parts = Array.from({ length: count }, (_, at) =>
        body.subarray(at * partBytes, (at + 1) * partBytes),
      );
      const serials = parts.map(takeSerial);
      sentParts.set(serials[0] ?? 0, { id, serial: serials[0] ?? 0, parts });
      for (const [at, part] of parts.entries()) {
        if (!skip.includes(at + 1)) writeFrame(id, serials[at] ?? 0, part, [count, at + 1]);
      }
      return serials;
    },
    sendPart: (firstSerial, number, isNew = false) => writePart(firstSerial, number, isNew),
    answer(message, result = 0) {
      terminal.send(0x0001, Buffer.concat([words(message.serial, message.id), Buffer.of(result)]));
    },
    on(id, call) {
      const calls = listeners.get(id) ?? new Set();
      listeners.set(id, calls.add(call));
      return () => void calls.delete(call);
    },
    next: (id) => nextThat((it) => it.id === id),
    write: (some) => void socket.write(some),
    async close() {
      socket.end();
      await ended;
    },
    abort: () => void socket.resetAndDestroy(),
  };
  return terminal;
}

/** Big-endian WORDs, one after the other. */
export function words(...details: readonly number[]): Buffer {
  const bytes = Buffer.alloc(details.length * 2);
  for (const [at, value] of details.entries()) bytes.writeUInt16BE(value, at * 2);
  return bytes;
}

/** A moment (Unix ms) as BCD[6] in GMT+8, or so many minutes ahead of UTC. */
export function bcdTime(time_ms: number, aheadMin = 480): Buffer {
  const digits = new Date(time_ms + aheadMin * 60_000).toISOString().replaceAll(/\D/g, '').slice(2, 14);
  return Buffer.from(digits, 'hex');
}

/** Header and body as they go over the wire: check byte, escapes, both delimiters. */
export function frameBytes(message: Uint8Array): Buffer {
  const check = message.reduce((sum, byte) => sum ^ byte, 0);
  const escaped = [...message, check].flatMap((byte) =>
    byte === 0x7d ? [0x7d, 0x01] : byte === 0x7e ? [0x7d, 0x02] : [byte],
  );
  return Buffer.from([0x7e, ...escaped, 0x7e]);
}

/** A message, or a part of one, as it goes over the wire. */
export function messageFrame(
  header: {
    id: number;
    serial: number;
    phoneBcd: string;
    form: '2013' | '2019';
    part?: readonly [total: number, number: number] | undefined;
  },
  body: Uint8Array,
): Buffer {
  const { id, serial, phoneBcd, form, part } = header;
  const attributes = body.length | (part === undefined ? 0 : 1 << 13) | (form === '2019' ? 1 << 14 : 0);
  const head = Buffer.concat([
    words(id, attributes),
    ...(form === '2019' ? [Buffer.of(1)] : []),
    Buffer.from(phoneBcd, 'hex'),
    words(serial, ...(part ?? [])),
  ]);
  return frameBytes(Buffer.concat([head, body]));
}

/** The body of 0x0200. */
export function positionBody(position: FakePosition): Buffer {
  const { lat, lon, alarm = 0, acc = true, fix = true } = position;
  const status = (acc ? 1 : 0) | (fix ? 2 : 0) | (lat < 0 ? 4 : 0) | (lon < 0 ? 8 : 0);
  const head = Buffer.alloc(22);
  head.writeUInt32BE(alarm >>> 0, 0);
  head.writeUInt32BE(status, 4);
  head.writeUInt32BE(Math.round(Math.abs(lat) * 1e6), 8);
  head.writeUInt32BE(Math.round(Math.abs(lon) * 1e6), 12);
  head.writeUInt16BE(position.altitude_m ?? 0, 16);
  head.writeUInt16BE(Math.round((position.speed_kmh ?? 0) * 10), 18);
  head.writeUInt16BE(position.course_deg ?? 0, 20);
  const items = Object.entries(position.items ?? {}).flatMap(([id, value]) => [
    Buffer.of(Number(id), value.length),
    value,
  ]);
  return Buffer.concat([head, bcdTime(position.time_ms), ...items]);
}

/** The body of 0x0704. */
export function batchBody(positions: readonly FakePosition[], type: 0 | 1 = 0): Buffer {
  const items = positions.map(positionBody).flatMap((body) => [words(body.length), body]);
  return Buffer.concat([words(positions.length), Buffer.of(type), ...items]);
}

function parseFrame(escaped: Uint8Array): PlatformMessage {
  const bytes: number[] = [];
  for (let at = 0; at < escaped.length; at += 1) {
    const byte = escaped[at] ?? 0;
    if (byte !== 0x7d) {
      bytes.push(byte);
      continue;
    }
    at += 1;
    if (escaped[at] !== 0x01 && escaped[at] !== 0x02) throw new Error('the platform wrote a bad escape');
    bytes.push(escaped[at] === 0x01 ? 0x7d : 0x7e);
  }
  if (bytes.reduce((sum, byte) => sum ^ byte, 0) !== 0)
    throw new Error('the platform wrote a bad check byte');
  const message = Buffer.from(bytes.slice(0, -1));
  const attributes = message.readUInt16BE(2);
  const is2019 = (attributes & (1 << 14)) !== 0;
  const phoneStart = is2019 ? 5 : 4;
  const phoneEnd = phoneStart + (is2019 ? 10 : 6);
  const bodyStart = phoneEnd + 2 + ((attributes & (1 << 13)) === 0 ? 0 : 4);
  const body = message.subarray(bodyStart);
  if (body.length !== (attributes & 0x3ff)) throw new Error('the platform wrote a wrong body length');
  return {
    id: message.readUInt16BE(0),
    serial: message.readUInt16BE(phoneEnd),
    phoneBcd: message.toString('hex', phoneStart, phoneEnd),
    body,
  };
}
