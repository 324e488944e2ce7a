import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Accept, Outcome } from '../../../../server/telemetry/gateway/accept.ts';
import type { WatchedListener } from '../../../../server/telemetry/gateway/doorParts.ts';
import type { IntakeLimits } from '../../../../server/telemetry/gateway/intakeProtocol.ts';
import { listenOsmand } from '../../../../server/telemetry/gateway/osmandListener.ts';
import type { Report } from '../../../../server/telemetry/report.ts';
import { createHandClock } from '../../../support/handClock.ts';
import { noVectors, osmandVectors, type OsmandVector } from '../protocols/osmandData.ts';
import { expectStated } from '../protocols/osmandStated.ts';

interface Door {
  listener: WatchedListener;
  /** What was handed in, in order. */
  taken: Report[];
  dial(localAddress?: string): Promise<Line>;
}

/** One connection of a terminal that writes its own bytes. */
interface Line {
  socket: Socket;
  write(bytes: string | Uint8Array): Promise<void>;
  /** The statuses of the next answers, so many; rejects when the connection ends before. */
  statuses(count: number): Promise<number[]>;
  ended: Promise<void>;
}

async function openDoor(
  answer: (report: Report) => Outcome | Promise<Outcome> = () => ({ status: 'stored' }),
  limits: Partial<IntakeLimits> = {},
): Promise<Door> {
  const taken: Report[] = [];
  const accept: Accept = (reports) => {
    taken.push(...reports);
    return Promise.all(reports.map(async (report) => answer(report)));
  };
  const log = pino({ level: 'silent' });
  const listener = await listenOsmand(0, '127.0.0.1', {
    accept,
    speedUnit: () => 'kn',
    clock: createHandClock(),
    log,
    limits,
  });
  onTestFinished(() => listener.close());
  return { listener, taken, dial: (localAddress) => dial(listener.port, localAddress) };
}

async function dial(port: number, localAddress?: string): Promise<Line> {
  const from = localAddress === undefined ? {} : { localAddress };
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, ...from });
  onTestFinished(() => void socket.destroy());
  let received = '';
  let read = 0;
  let isOver = false;
  let wake = (): void => undefined;
  socket.on('error', () => undefined);
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
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
  return {
    socket,
    ended,
    write: (bytes) =>
      new Promise((resolve) => {
        socket.write(bytes, () => resolve());
      }),
    async statuses(count) {
      for (;;) {
        const all = [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((it) => Number(it[1]));
        if (all.length >= read + count) {
          read += count;
          return all.slice(read - count, read);
        }
        if (isOver) throw new Error(`the connection ended after ${received}`);
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}

/** A request as it stands on the wire. */
function requestOf(method: string, target: string, headers: Record<string, string>, body = ''): Buffer {
  const length = method === 'GET' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const lines = Object.entries({ Host: '127.0.0.1:5055', ...headers, ...length });
  const head = lines.map(([key, value]) => `${key}: ${value}`).join('\r\n');
  return Buffer.from(`${method} ${target} HTTP/1.1\r\n${head}\r\n\r\n${body}`, 'utf8');
}

function wireOf({ http, input, input_encoding }: OsmandVector): Buffer {
  if (input_encoding === 'url') return requestOf(http.method, input, {});
  return requestOf(http.method, '/', { 'Content-Type': http.content_type ?? '' }, input);
}

const at_ms = Date.UTC(2026, 10, 21, 4, 43);
const point =
  'id=48241179&timestamp=1795236180&lat=56.95&lon=24.1&speed=10.0&bearing=90.0&altitude=12.5&accuracy=4.0&batt=87.0';

describe('the Traccar Client app is heard', () => {
  const stated = {
    terminal_id: '48241179',
    time_ms: at_ms,
    place: { lat: 56.95, lon: 24.1 },
    speed_kmh: 18.52,
    course_deg: 90,
    altitude_m: 12.5,
    accuracy_m: 4,
    battery_pct: 87,
  };
  const android = { 'User-Agent': 'Dalvik/2.1.0 (Linux; U; Android 13; Pixel 5)', 'Accept-Encoding': 'gzip' };
  const ios = { 'User-Agent': 'TraccarClient/123 CFNetwork/1410.0.3 Darwin/22.6.0', Accept: '*/*' };

  test.each([
    ['Android, up to version 8', requestOf('POST', `/?${point}&charge=true`, android)],
    [
      'iOS, up to version 8',
      requestOf('POST', `/?${point}`, { ...ios, 'Content-Type': 'application/x-www-form-urlencoded' }),
    ],
    ['a GET with a query', requestOf('GET', `/?${point}`, android)],
    [
      'a form',
      requestOf('POST', '/', { ...android, 'Content-Type': 'application/x-www-form-urlencoded' }, point),
    ],
  ])('as it speaks on %s', async (_name, bytes) => {
    const door = await openDoor();
    const line = await door.dial();
    await line.write(bytes);
    expect(await line.statuses(1)).toEqual([200]);
    expect(door.taken).toMatchObject([stated]);
  });

  test('as it speaks since version 9, in JSON', async () => {
    const door = await openDoor();
    const line = await door.dial();
    const location = {
      timestamp: '2026-11-21T04:43:00.000Z',
      coords: { latitude: 56.95, longitude: 24.1, accuracy: 4, speed: 5, heading: 90, altitude: 12.5 },
      is_moving: true,
      odometer: 1234.5,
      event: 'motionchange',
      battery: { level: 0.87, is_charging: true },
      activity: { type: 'in_vehicle' },
      extras: {},
    };
    const headers = { 'User-Agent': 'okhttp/4.12.0', 'Content-Type': 'application/json; charset=utf-8' };
    await line.write(requestOf('POST', '/', headers, JSON.stringify({ location, device_id: '48241179' })));
    expect(await line.statuses(1)).toEqual([200]);
    expect(door.taken).toMatchObject([{ ...stated, speed_kmh: 18, odometer_m: 1234.5 }]);
  });

  test('with its emergency button', async () => {
    const door = await openDoor();
    const line = await door.dial();
    await line.write(requestOf('POST', `/?${point}&alarm=sos`, android));
    expect(await line.statuses(1)).toEqual([200]);
    expect(door.taken).toMatchObject([{ ...stated, alarms: ['sos'] }]);
  });
});

describe('messages of real clients', () => {
  if (osmandVectors.length === 0) test('are all understood', ({ skip }) => skip(noVectors));

  test.each(osmandVectors)('such as $id are understood whole, and byte by byte', async (vector) => {
    const door = await openDoor();
    const line = await door.dial();
    const bytes = wireOf(vector);
    await line.write(bytes);
    expect(await line.statuses(1)).toEqual([200]);
    for (const byte of bytes) await line.write(Buffer.of(byte));
    expect(await line.statuses(1)).toEqual([200]);
    expect(door.taken).toHaveLength(2);
    for (const report of door.taken) expectStated(report, vector);
  });

  test('cut in two anywhere are understood', async () => {
    const door = await openDoor();
    const line = await door.dial();
    for (const vector of osmandVectors) {
      const bytes = wireOf(vector);
      for (let at = 1; at < bytes.length; at += 5) {
        await line.write(bytes.subarray(0, at));
        await line.write(bytes.subarray(at));
        expect(await line.statuses(1)).toEqual([200]);
        for (const report of door.taken.splice(0)) expectStated(report, vector);
      }
    }
  });

  test('glued together are understood one after the other', async () => {
    const door = await openDoor();
    const line = await door.dial();
    await line.write(Buffer.concat(osmandVectors.map(wireOf)));
    expect(await line.statuses(osmandVectors.length)).toEqual(osmandVectors.map(() => 200));
    for (const [at, vector] of osmandVectors.entries()) {
      const report = door.taken[at];
      if (report === undefined) throw new Error('a report is missing');
      expectStated(report, vector);
    }
  });

  test('that were damaged crash nothing, and the next one is heard', async ({ skip }) => {
    if (osmandVectors.length === 0) skip(noVectors);
    const door = await openDoor();
    const edits = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...osmandVectors), edits, async (vector, changes) => {
        const bytes = wireOf(vector);
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        const line = await door.dial();
        await line.write(bytes);
        line.socket.end();
        await line.ended;
      }),
      { numRuns: 100 },
    );
    const line = await door.dial();
    await line.write(requestOf('GET', `/?${point}`, {}));
    expect(await line.statuses(1)).toEqual([200]);
  });
});

describe('limits', () => {
  const messageAt = (at: number) => requestOf('GET', `/?id=7&lat=1&lon=2&timestamp=${at}`, {});

  test('an address has so many connections and no more, others have theirs', async () => {
    const door = await openDoor(undefined, { connectionsPerAddress: 2 });
    const lines = [await door.dial(), await door.dial()];
    await expect.poll(() => door.listener.connections()).toBe(2);
    await (
      await door.dial()
    ).ended;
    const other = await door.dial('127.0.0.2');
    for (const line of [...lines, other]) {
      await line.write(messageAt(1));
      expect(await line.statuses(1)).toEqual([200]);
    }
    lines[0]?.socket.destroy();
    await expect.poll(() => door.listener.connections()).toBe(2);
    const next = await door.dial();
    await next.write(messageAt(2));
    expect(await next.statuses(1)).toEqual([200]);
    expect(door.listener.turnedAway().full).toBe(1);
  });

  test('a request that does not get on ends its connection, and so does one that never begins', async () => {
    const door = await openDoor(undefined, { halfMessageMs: 20 });
    const [slow, silent] = [await door.dial(), await door.dial()];
    await slow.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 40\r\n\r\nid=7');
    await Promise.all([slow.ended, silent.ended]);
    expect(door.listener.turnedAway()).toMatchObject({ half_message: 2, foreign: 0 });
    expect(door.taken).toEqual([]);
  });

  test('a connection waits while too much of it is to be stored, and loses nothing', async () => {
    let settle = (): void => undefined;
    const stored = new Promise<void>((resolve) => (settle = resolve));
    const door = await openDoor(async () => {
      await stored;
      return { status: 'stored' };
    });
    const line = await door.dial();
    const many = Array.from({ length: 5_000 }, (_, at) => at + 1);
    void line.write(Buffer.concat(many.map(messageAt)));
    await expect.poll(() => door.taken.length).toBe(64);
    const other = await door.dial();
    await other.write(requestOf('GET', '/nothing', {}));
    expect(await other.statuses(1)).toEqual([400]);
    expect(door.taken).toHaveLength(64);
    settle();
    expect(await line.statuses(many.length)).toEqual(many.map(() => 200));
    expect(door.taken.map((it) => it.time_ms)).toEqual(many.map((at) => at * 1_000));
  });

  test('all connections wait while too much of the door is to be stored', async () => {
    let settle = (): void => undefined;
    const stored = new Promise<void>((resolve) => (settle = resolve));
    const door = await openDoor(
      async () => {
        await stored;
        return { status: 'stored' };
      },
      { reportsUnderWay: 3 },
    );
    const lines = await Promise.all(Array.from({ length: 5 }, () => door.dial()));
    for (const [at, line] of lines.entries()) await line.write(messageAt(at + 1));
    await expect.poll(() => door.taken.length).toBe(3);
    settle();
    for (const line of lines) expect(await line.statuses(1)).toEqual([200]);
    expect(door.taken).toHaveLength(5);
  });
});

describe('whoever looks at what came last', () => {
  test('sees the message, what it was read as, and what was answered', async () => {
    const door = await openDoor(() => ({ status: 'unknown' }));
    const line = await door.dial();
    await line.write(requestOf('GET', '/?id=7&lat=north', {}));
    await line.write(requestOf('POST', '/', {}, 'id=7&lat=1&lon=2'));
    expect(await line.statuses(2)).toEqual([400, 404]);
    const [last, first] = door.listener.messages.ofDoor();
    expect(first).toMatchObject({ note: 'lat is not a number', terminal_id: null, decoded: 0 });
    expect(last).toMatchObject({ note: null, terminal_id: '7', decoded: 1, outcomes: { unknown: 1 } });
    expect(Buffer.from(last?.bytes ?? []).toString()).toBe('POST /\n\nid=7&lat=1&lon=2');
    expect(Buffer.from(last?.answer ?? []).toString()).toBe('404 No vehicle has this terminal.');
    expect(door.listener.turnedAway()).toMatchObject({ unreadable: 1, foreign: 0 });
  });

  test('counts web pages and other protocols', async () => {
    const door = await openDoor();
    const page = await door.dial();
    await page.write(requestOf('GET', `/?${point}`, { Origin: 'http://depot.example' }));
    expect(await page.statuses(1)).toEqual([403]);
    const tracker = await door.dial();
    await tracker.write('#L#2.0;7;NA;BB2B\r\n');
    expect(await tracker.statuses(1)).toEqual([400]);
    await tracker.ended;
    expect(door.listener.turnedAway().foreign).toBe(2);
    expect(door.taken).toEqual([]);
  });
});
