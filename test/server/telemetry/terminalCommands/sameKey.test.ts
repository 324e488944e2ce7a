import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createApi } from '../../../../server/http/api.ts';
import { createErrorHandler } from '../../../../server/http/httpApp.ts';
import { createIdempotency } from '../../../../server/http/idempotency.ts';
import { setContext } from '../../../../server/http/requestContext.ts';
import type { Viewer } from '../../../../server/http/viewer.ts';
import { StoreFailed } from '../../../../server/store/storeErrors.ts';
import { addTerminalCommandRoutes } from '../../../../server/telemetry/terminalCommands/terminalCommandRoutes.ts';
import { apiClientFor } from '../../../support/caller.ts';
import { openCommandFixture, settled, type CommandBench } from './commandBench.ts';

// The same order, sent again because its answer was lost on the way.

describe('a command that is given again with the same key', () => {
  test('a command that is given again with the same key is answered as it was, also when it has ended', async () => {
    const bench = await openCommandFixture();
    const post = await serve(bench);
    const given = await post('k');
    expect(given).toMatchObject({ status: 201, body: { text: 'cpureset', status: 'queued' } });
    const link = bench.connect();
    await settled();
    link.settle({ outcome: 'responded', text: 'OK' });
    await settled();
    expect(bench.stored()).toMatchObject([{ status: 'responded', response: 'OK' }]);
    expect(await post('k')).toMatchObject({ status: 201, text: given.text });
    await settled();
    expect(link.written).toHaveLength(1);
    expect(bench.stored()).toHaveLength(1);
  });

  test('a command that is given again with the same key is the one that an earlier run of the host has stored', async () => {
    const killed = await openCommandFixture();
    const given = await (await serve(killed))('k');
    const { responses } = killed;
    const again = await openCommandFixture(killed.stored(), { responses });
    expect((await (await serve(again))('k')).text).toBe(given.text);
    expect(again.stored()).toHaveLength(1);
  });

  test('a command that is given again with the same key is answered though the vehicle was archived meanwhile', async () => {
    const bench = await openCommandFixture();
    const post = await serve(bench);
    const given = await post('k');
    bench.change({ archived_at: '2026-11-21T12:00:00.000Z' });
    await settled();
    expect(await post('k')).toMatchObject({ status: 201, text: given.text });
    expect(bench.stored()).toMatchObject([{ status: 'cancelled' }]);
  });

  test('a command that is given again with the same key is sent where the store had it though its writing was said to have failed', async () => {
    const bench = await openCommandFixture();
    const post = await serve(bench);
    bench.failWith(new StoreFailed('no word came back'), { isWritten: true });
    expect((await post('k')).status).toBe(503);
    bench.failWith(null);
    const link = bench.connect();
    expect(await post('k')).toMatchObject({ status: 201, body: { text: 'cpureset' } });
    await settled();
    expect(link.written).toHaveLength(1);
    expect(bench.stored()).toHaveLength(1);
  });

  test('the same key with another text is refused', async () => {
    const bench = await openCommandFixture();
    const post = await serve(bench);
    await post('k');
    expect(await post('k', 'getinfo')).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(bench.stored()).toHaveLength(1);
  });
});

test('a call that stored nothing makes one command when it is made again, and another key another one', async () => {
  const bench = await openCommandFixture();
  const post = await serve(bench);
  bench.failWith(new StoreFailed('the disk is gone'));
  expect((await post('k')).status).toBe(503);
  expect([bench.stored().length, bench.responses.size]).toEqual([0, 0]);
  bench.failWith(null);
  expect(await post('k')).toMatchObject({ status: 201, body: { text: 'cpureset' } });
  expect(bench.stored()).toHaveLength(1);
  expect((await post('another')).status).toBe(201);
  expect(bench.stored()).toHaveLength(2);
});

/** The calls of the bench's vehicle over a real socket; returns what gives it a command with a key. */
async function serve(bench: CommandBench) {
  // The ids of the bench are words.
  const api = createApi({
    idempotency: createIdempotency({
      store: { idempotent: ({ key }) => Promise.resolve(bench.responses.get(key) ?? null) },
      key: new Uint8Array(32),
    }),
    checkReplies: false,
  });
  addTerminalCommandRoutes(api, { vehicles: { find: () => bench.vehicle }, commands: bench.commands });
  const viewer = { user: { user_id: 'user', role: 'dealer' } } as Viewer;
  const log = pino({ level: 'silent' });
  const app = express();
  app.use((_request, response, next) => {
    setContext(response, { request_id: '1', address: '127.0.0.1', viewer, anonymous: null, log });
    next();
  });
  app.use(api.router, createErrorHandler());
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const caller = apiClientFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, '');
  return (key: string, text = 'cpureset') =>
    caller.post('/api/v1/vehicles/van/commands', { kind: 'text', text }, { 'Idempotency-Key': key });
}
