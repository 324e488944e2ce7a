import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bcdTime, connectFakeJt808, words, type FakeJt808, type FakeJt808Options } from './fakeJt808.ts';
import {
  asOf,
  cutPackets,
  fullQuality,
  hasCapture,
  readCapture,
  timeOf,
  withSerial,
  withStatedLength,
} from './jt1078Packets.ts';

/**
 * A recorder with JT/T 1078: it lists what it has, and plays it to the platform's media port. It has one clip for every
 * request, unless `clips` gives it one of its sub-stream and one of its main stream, with different bytes
 * (`bothClips()`), of which an order gets that which it names.
 *
 * As a program (`node fakeJt1078.ts --port PORT --terminal NUMBER [--channels 1,2] [--streams sub,main]`) it has both,
 * or the one that is named.
 */
export interface FakeJt1078 {
  terminal: FakeJt808;
  /** What it was asked to play, in order. */
  playbacks: Playback[];
  /** Resolves with the next order to play that nobody waited for yet. */
  nextPlayback(): Promise<Playback>;
  /** Ends all of its connections. */
  close(): Promise<void>;
}

export interface Playback {
  address: string;
  port: number;
  channel: number;
  media: number;
  stream: number;
  /** As they stand in the order, in hex. */
  from: string;
  to: string;
  /** Resolves when the media connection is over, whichever side ended it. */
  over: Promise<void>;
  /** Resolves when the platform ended the playback (0x9202). */
  ended: Promise<void>;
}

export interface FakeRecording {
  channel: number;
  from_ms: number;
  to_ms: number;
  /** 1 main, 2 sub. */
  stream?: number;
  alarm?: bigint;
  size?: number;
}

export type Clips = Readonly<Partial<Record<'sub' | 'main', readonly Buffer[]>>>;

/** The real stream as the sub-stream, and the same clip with more bytes as the main one. */
export function bothClips(): Required<Clips> {
  const sub = cutPackets(readCapture());
  return { sub, main: fullQuality(sub) };
}

/** How it plays; all of it that is not said is as the standard has it. */
export interface Playing {
  /** Its packets; those of the real stream unless said otherwise. */
  packets?: readonly Buffer[];
  /**
   * The packets of each of its streams, in place of `packets`: an order that leaves the stream open gets the main one
   * where there is one, an order of a stream that is not there an empty list.
   */
  clips?: Clips;
  /** Plays all packets, whatever span it was asked for. */
  plays?: 'asked' | 'all';
  /** Answers an order so: with the list of what it has, with an empty one, with 0x0001 and this result, or not at all. */
  answers?: 'list' | 'empty' | 'nothing' | { result: number };
  /** What its list says; of what was asked for, what it is going to play, unless said otherwise. */
  recordings?: readonly FakeRecording[];
  /** What its list of all that it keeps says; `recordings` unless said otherwise. */
  kept?: readonly FakeRecording[];
  /** Answers an order of the sub-stream with 0x0001 and this result. */
  refusesSub?: number;
  /** Minutes ahead of UTC of its clock. */
  offsetMin?: number;
  /** Writes this number into its packets in place of its own. */
  sim?: string;
  /** Sends packets of this number too, between its own. */
  otherSim?: string;
  /** Sends these bytes after each so many packets. */
  garbage?: { bytes: Buffer; every: number };
  /** Each so many packets the length field says something else. */
  lies?: { every: number; length: number };
  /** Sends so many bytes, and no more. */
  stopsAfter?: number;
  /** Hangs up after so many bytes. */
  hangsUpAfter?: number;
  /** Restarts at the end, with times that run on. */
  forever?: boolean;
  /** Does not hang up at the end. */
  staysOpen?: boolean;
  /** Connects and hangs up without a byte, or does not connect. */
  sends?: 'packets' | 'nothing' | 'no_connection';
}

/** Logs on and waits for orders. */
export async function startFakeJt1078(options: FakeJt808Options & Playing): Promise<FakeJt1078> {
  const terminal = await connectFakeJt808(options);
  await terminal.logOn();
  const playbacks: Playback[] = [];
  const waiting: ((playback: Playback) => void)[] = [];
  const unread: Playback[] = [];
  const sockets = new Set<Socket>();
  const offsetMin = options.offsetMin ?? 480;

  function list(serial: number, recordings: readonly FakeRecording[]): void {
    const body = Buffer.concat([
      words(serial, 0, recordings.length),
      ...recordings.map((it) => entryOf(it, offsetMin)),
    ]);
    if (body.length > 900) terminal.sendParts(0x1205, body, 900);
    else terminal.send(0x1205, body);
  }

  terminal.on(0x9205, ({ serial, body }) => {
    const channel = body.readUInt8(0);
    const all = options.kept ?? options.recordings ?? [];
    list(
      serial,
      all.filter((it) => channel === 0 || it.channel === channel),
    );
  });

  terminal.on(0x9202, (message) => {
    terminal.answer(message);
    for (const stop of stops) stop();
  });
  const stops = new Set<() => void>();

  terminal.on(0x9201, (message) => {
    const order = readOrder(message.body, offsetMin);
    const { refusesSub, sends = 'packets' } = options;
    const result = order.stream === 2 ? refusesSub : undefined;
    const answers = result === undefined ? (options.answers ?? 'list') : { result };
    const clip = clipOf(options, order);
    const isEmpty = answers === 'empty' || clip === null;
    if (isEmpty) list(message.serial, []);
    else if (typeof answers === 'object') terminal.answer(message, answers.result);
    else if (answers === 'list') list(message.serial, options.recordings ?? [partOf(clip, options, order)]);
    const refuses = isEmpty || (typeof answers === 'object' && answers.result !== 0);
    const over = refuses || sends === 'no_connection' ? Promise.resolve() : play(order, clip);
    const ended = new Promise<void>((resolve) => stops.add(resolve));
    const playback = { ...order, over, ended };
    playbacks.push(playback);
    const next = waiting.shift();
    if (next === undefined) unread.push(playback);
    else next(playback);
  });

  async function play(order: Order, clip: readonly Buffer[]): Promise<void> {
    const socket = connect(order.port, order.address);
    socket.setNoDelay(true);
    sockets.add(socket);
    const over = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    // How it ended makes no difference here.
    socket.on('error', () => undefined);
    socket.resume();
    void over.then(() => sockets.delete(socket));
    await Promise.race([once(socket, 'connect').catch(() => undefined), over]);
    if (options.sends === 'nothing') socket.end();
    else await sendAll(socket, order, clip, over);
    await over;
  }

  async function sendAll(
    socket: Socket,
    order: Order,
    clip: readonly Buffer[],
    over: Promise<void>,
  ): Promise<void> {
    let sent = 0;
    for (const bytes of streamOf(clip, options, order)) {
      const max = options.hangsUpAfter ?? options.stopsAfter ?? Infinity;
      const part = bytes.subarray(0, max - sent);
      sent += part.length;
      if (socket.destroyed) return;
      if (!socket.write(part)) {
        await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), over]);
      }
      if (sent >= max) {
        if (options.hangsUpAfter !== undefined) socket.end();
        return;
      }
    }
    if (options.staysOpen !== true) socket.end();
  }

  return {
    terminal,
    playbacks,
    nextPlayback() {
      const there = unread.shift();
      return there === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(there);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await terminal.close();
    },
  };
}

type Order = Omit<Playback, 'over' | 'ended'> & { from_ms: number; to_ms: number };

function readOrder(body: Buffer, offsetMin: number): Order {
  const after = 1 + body.readUInt8(0);
  const time = (at: number) => body.toString('hex', at, at + 6);
  const [from, to] = [time(after + 10), time(after + 16)];
  return {
    address: body.toString('latin1', 1, after),
    port: body.readUInt16BE(after),
    channel: body.readUInt8(after + 4),
    media: body.readUInt8(after + 5),
    stream: body.readUInt8(after + 6),
    from,
    to,
    from_ms: readTime(from, offsetMin),
    to_ms: readTime(to, offsetMin),
  };
}

function readTime(digits: string, offsetMin: number): number {
  const iso = digits.replace(/(..)(..)(..)(..)(..)(..)/, '20$1-$2-$3T$4:$5:$6Z');
  return Date.parse(iso) - offsetMin * 60_000;
}

/** Null where it has none of this stream. */
function clipOf(options: Playing, { stream }: Order): readonly Buffer[] | null {
  const { clips, packets } = options;
  // Without the real stream there is nothing to play by default; tests that want it are left out then.
  if (clips === undefined) return packets ?? (hasCapture ? cutPackets(readCapture()) : []);
  return (stream === 2 ? clips.sub : stream === 1 ? clips.main : (clips.main ?? clips.sub)) ?? null;
}

/** What it is going to play of what was asked for; lists count in whole seconds. */
function partOf(
  clip: readonly Buffer[] | null,
  { forever }: Playing,
  { channel, from_ms, to_ms, stream }: Order,
): FakeRecording {
  const times = (clip ?? []).flatMap((it) => timeOf(it) ?? []);
  const length_ms = Math.ceil((Math.max(0, ...times) - Math.min(...times, Infinity)) / 1_000) * 1_000;
  const isWhole = forever === true || !(length_ms > 0);
  return { channel, from_ms, to_ms: isWhole ? to_ms : Math.min(to_ms, from_ms + length_ms), stream };
}

function entryOf(
  { channel, from_ms, to_ms, stream = 1, alarm = 0n, size = 0 }: FakeRecording,
  offsetMin: number,
): Buffer {
  const rest = Buffer.alloc(15);
  rest.writeBigUInt64BE(alarm);
  rest[9] = stream;
  rest[10] = 1;
  rest.writeUInt32BE(size, 11);
  return Buffer.concat([Buffer.of(channel), bcdTime(from_ms, offsetMin), bcdTime(to_ms, offsetMin), rest]);
}

/** What goes over the wire, piece by piece. */
function* streamOf(
  own: readonly Buffer[],
  options: FakeJt808Options & Playing,
  order: Order,
): Generator<Buffer, void> {
  const first = timeOf(own[0] ?? Buffer.alloc(24)) ?? 0;
  const last = own.reduce((latest, it) => Math.max(latest, timeOf(it) ?? 0), first);
  const span_ms =
    options.plays === 'all' || options.forever === true ? Infinity : order.to_ms - order.from_ms;
  let count = 0;
  for (let round = 0; round === 0 || options.forever === true; round++) {
    const shift = round * (last - first + 40);
    for (const packet of own) {
      if ((timeOf(packet) ?? 0) - first > span_ms) return;
      const mine = asOf(packet, options.sim ?? options.phone, order.channel, shift);
      // A made-up stream may count wrongly on purpose.
      const numbered = round === 0 ? mine : withSerial(mine, count);
      count++;
      const { garbage, lies, otherSim } = options;
      yield lies !== undefined && count % lies.every === 0
        ? withStatedLength(numbered, lies.length)
        : numbered;
      if (otherSim !== undefined) yield asOf(packet, otherSim, order.channel);
      if (garbage !== undefined && count % garbage.every === 0) yield garbage.bytes;
    }
  }
}

const options = {
  host: { type: 'string', default: '127.0.0.1' },
  port: { type: 'string' },
  terminal: { type: 'string' },
  channels: { type: 'string', default: '1' },
  streams: { type: 'string', default: 'sub,main' },
} as const;

/** As a program: logs on, says so in a line on standard output, and plays until it is ended. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options });
  if (values.port === undefined || values.terminal === undefined)
    throw new Error('--port and --terminal are needed');
  if (!hasCapture) throw new Error('the real stream is not here');
  const { sub, main } = bothClips();
  const streams = values.streams.split(',');
  const hour = 3_600_000;
  const now = Date.now();
  const fake = await startFakeJt1078({
    host: values.host,
    port: Number(values.port),
    phone: values.terminal,
    clips: { ...(streams.includes('sub') ? { sub } : {}), ...(streams.includes('main') ? { main } : {}) },
    kept: values.channels.split(',').flatMap((channel) =>
      streams.map((stream) => ({
        channel: Number(channel),
        from_ms: now - 24 * hour,
        to_ms: now + 24 * hour,
        stream: stream === 'main' ? 1 : 2,
      })),
    ),
  });
  const beat = setInterval(() => void fake.terminal.heartbeat().catch(() => undefined), 30_000);
  process.stdout.write(`${JSON.stringify({ ready: true, terminal: values.terminal })}\n`);
  process.once('SIGTERM', () => void fake.close());
  await fake.terminal.ended;
  clearInterval(beat);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
