import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Accept, Outcome, TerminalReport } from '../../../../server/telemetry/terminalReport.ts';
import type { MonitoredListener } from '../../../../server/telemetry/intake/listenerContext.ts';
import type { IntakeLimits } from '../../../../server/telemetry/intake/protocolHandler.ts';
import { listenOsmand } from '../../../../server/telemetry/intake/osmandListener.ts';
import { createTerminal, type Terminal } from '../../../journey/terminal.ts';
import { createFakeClock } from '../../../support/fakeClock.ts';
import { serverOf } from './serverOf.ts';

interface Listener {
  listener: MonitoredListener;
  terminal: Terminal;
  /** What was handed in, in order. */
  taken: TerminalReport[];
}

async function openListener(
  answer: Outcome | (() => Promise<Outcome>) = { status: 'stored' },
  limits: Partial<IntakeLimits> = {},
): Promise<Listener> {
  const taken: TerminalReport[] = [];
  const accept: Accept = async (reports) => {
    taken.push(...reports);
    const outcome = typeof answer === 'function' ? await answer() : answer;
    return reports.map(() => outcome);
  };
  const listener = await listenOsmand(0, '127.0.0.1', {
    accept,
    speedUnit: () => 'kn',
    clock: createFakeClock(),
    log: pino({ level: 'silent' }),
    limits,
  });
  onTestFinished(() => listener.close());
  const terminal = createTerminal(`http://127.0.0.1:${listener.port}`);
  onTestFinished(() => terminal.close());
  return { listener, terminal, taken };
}

async function dial({ listener }: Listener): Promise<Socket> {
  const socket = connect(listener.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

/** Sends bytes as they are and reads until the other side has nothing more to say. */
async function exchange(testListener: Listener, bytes: string): Promise<string> {
  const socket = await dial(testListener);
  const answer = text(socket);
  socket.write(bytes);
  return answer;
}

const fix = '/?id=7&lat=1&lon=2&speed=10';

describe('what a terminal may send', () => {
  test('a message in the query of a GET', async () => {
    const testListener = await openListener();
    expect(await testListener.terminal.call({ path: fix })).toEqual({ status: 200, body: '' });
    expect(testListener.taken).toMatchObject([
      { terminal_id: '7', place: { lat: 1, lon: 2 }, speed_kmh: 18.52 },
    ]);
  });

  test('a message in the query of a POST, with or without a body', async () => {
    const testListener = await openListener();
    for (const body of ['', 'id=8&lat=3&lon=4']) {
      expect((await testListener.terminal.call({ method: 'POST', path: fix, body })).status).toBe(200);
    }
    expect(testListener.taken.map((it) => it.terminal_id)).toEqual(['7', '7']);
  });

  test('a form, and a form without its content type', async () => {
    const testListener = await openListener();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const body = 'id=7&location=1%2C2&timestamp=1795248000';
    expect((await testListener.terminal.call({ method: 'POST', headers, body })).status).toBe(200);
    expect((await testListener.terminal.call({ method: 'POST', body: `${body}\r\n` })).status).toBe(200);
    expect(testListener.taken).toMatchObject([
      { time_ms: 1_795_248_000_000 },
      { time_ms: 1_795_248_000_000 },
    ]);
  });

  test('JSON, with its content type or known by its first character', async () => {
    const testListener = await openListener();
    const body = JSON.stringify({
      device_id: '7',
      location: { coords: { latitude: 1, longitude: 2, speed: 10 } },
    });
    const ways = [
      ['/', 'application/json; charset=utf-8'],
      ['/', 'text/plain'],
      // A query that names no terminal is not the terminal's word.
      ['/?token=abc', 'application/json'],
    ] as const;
    for (const [path, type] of ways) {
      const headers = { 'Content-Type': type };
      expect((await testListener.terminal.call({ path, method: 'POST', headers, body })).status).toBe(200);
    }
    expect(testListener.taken.map((it) => it.speed_kmh)).toEqual([36, 36, 36]);
  });

  test('hundreds of messages on one kept connection', async () => {
    const testListener = await openListener();
    const statuses = [];
    for (let at = 0; at < 300; at++)
      statuses.push(await testListener.terminal.send({ id: '7', lat: 1, lon: 2, timestamp: at }));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(testListener.taken.map((it) => it.time_ms)).toEqual(
      Array.from({ length: 300 }, (_, at) => at * 1_000),
    );
    expect(testListener.listener.connections()).toBe(1);
  });

  test('two messages in one segment are answered one after the other', async () => {
    const testListener = await openListener();
    const one = (id: number, last: string) => `GET /?id=${id} HTTP/1.1\r\nHost: x\r\n${last}\r\n`;
    const answers = await exchange(testListener, one(1, '') + one(2, 'Connection: close\r\n'));
    expect(answers.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
    expect(testListener.taken.map((it) => it.terminal_id)).toEqual(['1', '2']);
  });
});

describe('what the answer says', () => {
  test.each<[number, Outcome]>([
    [200, { status: 'stored' }],
    [200, { status: 'duplicate' }],
    [200, { status: 'merged' }],
    [200, { status: 'rejected', code: 'time_in_future', detail: 'It is in the future.' }],
    [404, { status: 'unknown' }],
    [503, { status: 'failed', code: 'unavailable', detail: 'The store failed.' }],
    [503, { status: 'failed', code: 'disk_full', detail: 'The disk is full.' }],
  ])('%i for %o', async (status, outcome) => {
    const { terminal } = await openListener(outcome);
    expect((await terminal.call({ path: fix })).status).toBe(status);
  });

  test('400 for what names no terminal or cannot be read, and nothing is handed in', async () => {
    const testListener = await openListener();
    for (const path of [
      '/',
      '/?lat=1&lon=2',
      '/?id=7&lat=north&lon=2',
      '/?id=7&timestamp=soon',
      '/favicon.ico',
    ]) {
      expect((await testListener.terminal.call({ path })).status).toBe(400);
    }
    const body = '{"device_id":';
    expect((await testListener.terminal.call({ method: 'POST', body })).status).toBe(400);
    expect(testListener.taken).toEqual([]);
  });

  test('413 for a body beyond all measure, whole or in chunks, and the listener stays open', async () => {
    const testListener = await openListener();
    const body = `id=7&note=${'x'.repeat(300_000)}`;
    const fresh = () => {
      const terminal = createTerminal(`http://127.0.0.1:${testListener.listener.port}`);
      onTestFinished(() => terminal.close());
      return terminal;
    };
    const whole = { method: 'POST', body, headers: { 'Content-Length': String(body.length) } };
    const inChunks = { method: 'POST', body, headers: { 'Transfer-Encoding': 'chunked' } };
    for (const options of [whole, inChunks]) {
      expect((await fresh().call(options)).status).toBe(413);
    }
    expect(testListener.taken).toEqual([]);
    expect((await fresh().call({ path: fix })).status).toBe(200);
  });

  test('500 when the report handler fails, and the listener stays open', async () => {
    let works = false;
    const testListener = await openListener(() =>
      works ? Promise.resolve({ status: 'stored' }) : Promise.reject(new Error('broken')),
    );
    expect((await testListener.terminal.call({ path: fix })).status).toBe(500);
    works = true;
    expect((await testListener.terminal.call({ path: fix })).status).toBe(200);
  });
});

describe('web pages', () => {
  const pages: [string, Record<string, string>][] = [
    ['Origin', { Origin: 'http://depot.example' }],
    ['Origin', { Origin: 'null' }],
    ['Referer', { Referer: 'http://depot.example/map' }],
    ['Sec-Fetch-Site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['Sec-Fetch-Dest', { 'Sec-Fetch-Dest': 'image' }],
    [
      'User-Agent',
      { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
    ],
  ];

  test.each(pages)('web pages may not speak for a terminal: %s', async (_name, headers) => {
    const testListener = await openListener();
    expect((await testListener.terminal.call({ path: fix, headers })).status).toBe(403);
    expect((await testListener.terminal.call({ method: 'POST', headers, body: 'id=7' })).status).toBe(403);
    expect(testListener.taken).toEqual([]);
  });

  test('web pages are not what a tracker or a script looks like', async () => {
    const testListener = await openListener();
    for (const agent of [
      'Traccar Client/9.1',
      'okhttp/4.12',
      'Dalvik/2.1.0 (Linux; U; Android 13)',
      'curl/8.5',
    ]) {
      expect((await testListener.terminal.call({ path: fix, headers: { 'User-Agent': agent } })).status).toBe(
        200,
      );
    }
    // Node's own fetch names a mode, and no page stands behind it.
    expect((await fetch(`http://127.0.0.1:${testListener.listener.port}${fix}`)).status).toBe(200);
  });
});

describe('broken connections', () => {
  test('a terminal that hangs up half-way in its body leaves nothing, and the next one is accepted', async () => {
    const testListener = await openListener();
    const socket = await dial(testListener);
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 40\r\n\r\nid=7&lat=1&lon=2');
    await expect.poll(() => testListener.listener.connections()).toBe(1);
    socket.resetAndDestroy();
    await expect.poll(() => testListener.listener.connections()).toBe(0);
    expect(testListener.taken).toEqual([]);
    expect((await testListener.terminal.call({ path: fix })).status).toBe(200);
  });

  test('bytes of another protocol end the connection', async () => {
    const testListener = await openListener();
    for (const bytes of ['\x00\x0f356307042441013', '#L#2.0;7;NA;BB2B\r\n', '\x7e\x01\x02\x7e']) {
      expect(await exchange(testListener, bytes)).toMatch(/^(HTTP\/1\.1 400[^]*Connection: close[^]*)?$/);
    }
    expect(testListener.taken).toEqual([]);
  });

  test('a terminal that hangs up before its answer is accepted all the same', async () => {
    let answer: (outcome: Outcome) => void = () => undefined;
    const testListener = await openListener(() => new Promise((resolve) => (answer = resolve)));
    const socket = await dial(testListener);
    socket.write(`GET ${fix} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await expect.poll(() => testListener.taken.length).toBe(1);
    socket.resetAndDestroy();
    await expect.poll(() => testListener.listener.connections()).toBe(0);
    answer({ status: 'stored' });
    const next = testListener.terminal.call({ path: fix });
    await expect.poll(() => testListener.taken.length).toBe(2);
    answer({ status: 'stored' });
    expect((await next).status).toBe(200);
  });
});

describe('closing', () => {
  test('closing lets what is under way be answered, and takes no more', async () => {
    let answer: (outcome: Outcome) => void = () => undefined;
    const testListener = await openListener(() => new Promise((resolve) => (answer = resolve)));
    const underWay = testListener.terminal.call({ path: fix });
    await expect.poll(() => testListener.taken.length).toBe(1);
    const closed = testListener.listener.close();
    answer({ status: 'stored' });
    expect((await underWay).status).toBe(200);
    await closed;
    const late = connect(testListener.listener.port, '127.0.0.1');
    await expect(once(late, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('closing does not wait for a terminal that keeps its connection or never ends its message', async () => {
    const testListener = await openListener();
    await testListener.terminal.call({ path: fix });
    const slow = await dial(testListener);
    slow.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 40\r\n\r\nid=7');
    const silent = await dial(testListener);
    await expect.poll(() => testListener.listener.connections()).toBe(3);
    const ended = Promise.all([once(slow, 'close'), once(silent, 'close')]);
    slow.on('error', () => undefined);
    silent.on('error', () => undefined);
    await testListener.listener.close();
    await ended;
    expect(testListener.taken).toHaveLength(1);
  });

  test('closing says that a port is taken', async () => {
    const { listener } = await openListener();
    const second = listenOsmand(listener.port, '127.0.0.1', {
      accept: () => Promise.resolve([]),
      speedUnit: () => 'kn',
      clock: createFakeClock(),
      log: pino({ level: 'silent' }),
    });
    await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE', syscall: 'listen' });
  });
});

test('a server that cannot take a connection goes on', async () => {
  const { opened: testListener, server } = await serverOf(() => openListener());
  expect(server.emit('error', new Error('accept EMFILE'))).toBe(true);
  expect((await testListener.terminal.call({ path: fix })).status).toBe(200);
});
