import { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { numbersTexts } from '../../../../renderer/i18n/en/numbers.ts';
import { settingsFields } from '../../../../server/contract/settings.ts';
import type { Outcome } from '../../../../server/telemetry/terminalReport.ts';
import { messageAt, messageOf, openOsmandTestListener, requestOf } from './osmandTestListener.ts';
import { serverOf } from './serverOf.ts';

describe('limits', () => {
  test('an address has so many connections of known terminals and no more, others have theirs', async () => {
    const listener = await openOsmandTestListener(undefined, { connectionsPerAddress: 2 });
    const lines = [await listener.dial(), await listener.dial()];
    for (const [at, line] of lines.entries()) {
      await line.write(messageOf(`phone ${at}`));
      expect(await line.statuses(1)).toEqual([200]);
    }
    await (
      await listener.dial()
    ).ended;
    const other = await listener.dial('127.0.0.2');
    for (const [at, line] of [...lines, other].entries()) {
      await line.write(messageOf(`phone ${at}`));
      expect(await line.statuses(1)).toEqual([200]);
    }
    lines[0]?.socket.destroy();
    await expect.poll(() => listener.listener.connections()).toBe(2);
    const next = await listener.dial();
    await next.write(messageAt(2));
    expect(await next.statuses(1)).toEqual([200]);
    expect(listener.listener.rejections().limit).toBe(1);
  });

  test('100 half-sent requests that never close their side give way to phones at once, and are gone after the 408', async () => {
    const listener = await openOsmandTestListener(undefined, {
      connections: 100,
      connectionsPerAddress: 100,
      incompleteMessageTimeoutMs: 500,
    });
    const half = [];
    for (let at = 0; at < 100; at += 1) {
      const line = await listener.dialHalfOpen();
      await line.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 40\r\n\r\nid=7');
      half.push(line);
    }
    await expect.poll(() => listener.listener.connections()).toBe(100);
    const phone = await listener.dial();
    await phone.write(messageAt(1));
    expect(await phone.statuses(1)).toEqual([200]);
    expect(listener.listener.rejections().limit).toBe(1);
    for (const line of half.slice(1)) expect(await line.statuses(1)).toEqual([408]);
    expect(listener.listener.connections()).toBe(100);
    listener.clock.advance(1_000);
    await expect.poll(() => listener.listener.connections()).toBe(1);
    await phone.write(messageAt(2));
    expect(await phone.statuses(1)).toEqual([200]);
  });

  test('a refused head leaves no connection behind, whatever the other side does', async () => {
    const listener = await openOsmandTestListener();
    const lines = [await listener.dialHalfOpen(), await listener.dialHalfOpen()];
    await lines[0]?.write('no request at all\r\n\r\n');
    await lines[1]?.write(requestOf('GET', '/', { Note: 'x'.repeat(20_000) }));
    expect(await lines[0]?.statuses(1)).toEqual([400]);
    expect(await lines[1]?.statuses(1)).toEqual([431]);
    expect(listener.listener.connections()).toBe(2);
    listener.clock.advance(1_000);
    await expect.poll(() => listener.listener.connections()).toBe(0);
  });

  test('a phone that reconnects repeatedly keeps one proven connection, so one ID cannot fill the listener', async () => {
    const listener = await openOsmandTestListener(undefined, { connectionsPerAddress: 3 });
    const known = await listener.dial();
    await known.write(messageOf('other'));
    expect(await known.statuses(1)).toEqual([200]);
    const lines = [];
    for (let at = 0; at < 5; at += 1) {
      const line = await listener.dial();
      await line.write(messageAt(at));
      expect(await line.statuses(1)).toEqual([200]);
      lines.push(line);
    }
    await Promise.all(lines.slice(0, 3).map((line) => line.ended));
    await known.write(messageOf('other'));
    expect(await known.statuses(1)).toEqual([200]);
    expect(listener.listener.connections()).toBe(3);
  });

  test('connections of unknown terminals give way, of the address with the most of them first', async () => {
    const listener = await openOsmandTestListener(() => ({ status: 'unknown' }), { connections: 4 });
    const elsewhere = await listener.dial('127.0.0.2');
    const flood = [];
    for (let at = 0; at < 10; at += 1) {
      const line = await listener.dial();
      await line.write(messageAt(at));
      expect(await line.statuses(1)).toEqual([404]);
      flood.push(line);
    }
    await Promise.all(flood.slice(0, 7).map((line) => line.ended));
    await elsewhere.write(messageAt(1));
    expect(await elsewhere.statuses(1)).toEqual([404]);
    expect(listener.listener.connections()).toBe(4);
  });

  test('a connection that never reads its answers is ended', async () => {
    const { opened: listener, server } = await serverOf(() => openOsmandTestListener());
    const served: Socket[] = [];
    server.on('connection', (socket: Socket) => served.push(socket));
    const line = await listener.dial();
    line.socket.pause();
    const many = Buffer.concat(Array.from({ length: 2_000 }, (_, at) => messageAt(at)));
    let isBlocked = false;
    while (!isBlocked) {
      line.socket.write(many);
      for (let turn = 0; turn < 200; turn++) await nextTurn();
      isBlocked = (served[0]?.writableLength ?? 0) > 0;
    }
    listener.clock.advance(5_000);
    expect(listener.listener.connections()).toBe(1);
    listener.clock.advance(35_000);
    await expect.poll(() => listener.listener.connections()).toBe(0);
    expect(listener.listener.rejections().slow_reader).toBe(1);
  });

  test('a request that does not get on ends its connection, and so does one that never begins', async () => {
    const listener = await openOsmandTestListener(undefined, { incompleteMessageTimeoutMs: 20 });
    const [slow, silent] = [await listener.dial(), await listener.dial()];
    await slow.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 40\r\n\r\nid=7');
    await Promise.all([slow.ended, silent.ended]);
    expect(listener.listener.rejections()).toMatchObject({ incomplete: 2, protocol_mismatch: 0 });
    expect(listener.taken).toEqual([]);
  });

  test('a request with a head beyond all measure is answered 431, and its connection ends', async () => {
    const listener = await openOsmandTestListener();
    const withHead = (length: number) => requestOf('GET', '/?id=7&lat=1&lon=2', { Note: 'x'.repeat(length) });
    const line = await listener.dial();
    await line.write(withHead(16_000));
    expect(await line.statuses(1)).toEqual([200]);
    await line.write(withHead(16_384));
    expect(await line.statuses(1)).toEqual([431]);
    await line.ended;
    expect(listener.listener.rejections().protocol_mismatch).toBe(1);
    expect(listener.taken).toHaveLength(1);
    const next = await listener.dial();
    await next.write(messageAt(1));
    expect(await next.statuses(1)).toEqual([200]);
  });

  test('a head that comes in many pieces is rejected once', async () => {
    const listener = await openOsmandTestListener();
    const line = await listener.dial();
    line.socket.write(requestOf('GET', '/', { Note: 'x'.repeat(200_000) }));
    await line.ended;
    expect(listener.listener.rejections().protocol_mismatch).toBe(1);
    expect(listener.listener.messages.latest()).toHaveLength(1);
  });

  test('requests that fail do not flood the log', async () => {
    const listener = await openOsmandTestListener(() => Promise.reject(new Error('broken')));
    const line = await listener.dial();
    for (let at = 0; at < 20; at += 1) await line.write(messageAt(at));
    expect(await line.statuses(20)).toEqual(Array.from({ length: 20 }, () => 500));
    const published = { level: 50, err: { message: 'broken' } };
    expect(listener.logged).toMatchObject(Array.from({ length: 10 }, () => published));
    listener.clock.advance(60_000);
    await line.write(messageAt(21));
    expect(await line.statuses(1)).toEqual([500]);
    expect(listener.logged.at(-1)).toMatchObject({ ...published, not_logged_before: 10 });
  });

  test('a silent connection is kept for as long as the settings and the console say', async () => {
    const { server } = await serverOf(() => openOsmandTestListener());
    if (!(server instanceof Server)) throw new Error('no server of HTTP');
    const kept = `after ${server.keepAliveTimeout / 1_000} s`;
    expect(settingsFields.shape.intake_idle_s.meta()?.description).toContain(
      `an OsmAnd connection always ${kept}`,
    );
    expect(numbersTexts['numbers.intake_about']).toContain(`OsmAnd ones always ${kept}`);
  });

  test('a connection waits while too much of it is to be stored, and loses nothing', async () => {
    let settle = (): void => undefined;
    const stored = new Promise<void>((resolve) => (settle = resolve));
    const listener = await openOsmandTestListener(async () => {
      await stored;
      return { status: 'stored' };
    });
    const line = await listener.dial();
    const many = Array.from({ length: 5_000 }, (_, at) => at + 1);
    void line.write(Buffer.concat(many.map(messageAt)));
    await expect.poll(() => listener.taken.length).toBe(64);
    const other = await listener.dial();
    await other.write(requestOf('GET', '/nothing', {}));
    expect(await other.statuses(1)).toEqual([400]);
    expect(listener.taken).toHaveLength(64);
    settle();
    expect(await line.statuses(many.length)).toEqual(many.map(() => 200));
    expect(listener.taken.map((it) => it.time_ms)).toEqual(many.map((at) => at * 1_000));
  });

  test('all connections wait while too much of the listener is to be stored', async () => {
    let settle = (): void => undefined;
    const stored = new Promise<void>((resolve) => (settle = resolve));
    const listener = await openOsmandTestListener(
      async () => {
        await stored;
        return { status: 'stored' };
      },
      { maxPendingReports: 3 },
    );
    const lines = await Promise.all(Array.from({ length: 5 }, () => listener.dial()));
    for (const [at, line] of lines.entries()) await line.write(messageAt(at + 1));
    await expect.poll(() => listener.taken.length).toBe(3);
    settle();
    for (const line of lines) expect(await line.statuses(1)).toEqual([200]);
    expect(listener.taken).toHaveLength(5);
  });
});

describe('a listener at its limit', () => {
  /** A store that answers nothing before it is released. */
  function stall() {
    let settle = (): void => undefined;
    const stored = new Promise<void>((resolve) => (settle = resolve));
    return { settle: () => settle(), answer: () => stored.then((): Outcome => ({ status: 'stored' })) };
  }
  const note = 'x'.repeat(30_000);
  const large = (at: number) => requestOf('POST', '/', {}, `id=7&lat=1&lon=2&timestamp=${at}&note=${note}`);

  test('no more of a connection is read than has come already, however much it sends', async () => {
    const { settle, answer } = stall();
    const { opened: listener, server } = await serverOf(() =>
      openOsmandTestListener(answer, { maxPendingReports: 100 }),
    );
    const served: Socket[] = [];
    server.on('connection', (socket: Socket) => served.push(socket));
    const lines = await Promise.all([listener.dial(), listener.dial()]);
    const many = Buffer.concat(Array.from({ length: 500 }, (_, at) => large(at)));
    for (const line of lines) void line.write(many);
    await expect.poll(() => listener.taken.length).toBeGreaterThan(1);
    for (let turn = 0; turn < 5_000; turn++) await nextTurn();
    // Of each connection some more may be here when the listener reaches its limit.
    expect(listener.taken.length).toBeLessThanOrEqual(8);
    for (const socket of served) expect(socket.bytesRead).toBeLessThan(1_000_000);
    settle();
    for (const line of lines)
      expect(await line.statuses(500)).toEqual(Array.from({ length: 500 }, () => 200));
  });

  test('no message is read while the listener is full, and all are once there is space', async () => {
    const { settle, answer } = stall();
    const { opened: listener, server } = await serverOf(() =>
      openOsmandTestListener(answer, { maxPendingReports: 2 }),
    );
    const served: Socket[] = [];
    server.on('connection', (socket: Socket) => served.push(socket));
    const full = await listener.dial();
    for (const at of [1, 2]) await full.write(messageAt(at));
    await expect.poll(() => listener.taken.length).toBe(2);
    const other = await listener.dial();
    await other.write(Buffer.concat([requestOf('GET', '/nothing', {}), large(3), messageAt(4)]));
    await expect.poll(() => served.at(-1)?.bytesRead ?? 0).toBeGreaterThan(0);
    for (let turn = 0; turn < 50; turn++) await nextTurn();
    expect(listener.listener.messages.latest()).toHaveLength(2);
    settle();
    expect(await other.statuses(3)).toEqual([400, 200, 200]);
    expect(await full.statuses(2)).toEqual([200, 200]);
    expect(listener.taken.map((it) => it.time_ms)).toEqual([1_000, 2_000, 3_000, 4_000]);
  });

  test('connections that hang up are waited for no more', async () => {
    const { settle, answer } = stall();
    const listener = await openOsmandTestListener(answer, { maxPendingReports: 1 });
    const first = await listener.dial();
    await first.write(messageAt(1));
    await expect.poll(() => listener.taken.length).toBe(1);
    const impatient = await Promise.all(Array.from({ length: 20 }, () => listener.dial()));
    for (const line of impatient) await line.write(messageAt(2));
    await expect.poll(() => listener.listener.connections()).toBe(21);
    for (const line of impatient) line.socket.destroy();
    await expect.poll(() => listener.listener.connections()).toBe(1);
    settle();
    expect(await first.statuses(1)).toEqual([200]);
    await first.write(messageAt(3));
    expect(await first.statuses(1)).toEqual([200]);
    expect(listener.taken.map((it) => it.time_ms)).toEqual([1_000, 3_000]);
  });
});
