import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { id } from '../../../../server/contract/fields.ts';
import { createApi } from '../../../../server/http/api.ts';
import { createErrorHandler } from '../../../../server/http/errorHandler.ts';
import { createIdempotency } from '../../../../server/http/idempotency.ts';
import { setContext } from '../../../../server/http/requestContext.ts';
import type { Viewer } from '../../../../server/http/viewer.ts';
import { openMemoryStore } from '../../../../server/store/memoryStore.ts';
import { StoreFailed } from '../../../../server/store/storeErrors.ts';
import { keyedCommandId } from '../../../../server/telemetry/terminalCommands/commandId.ts';
import { addTerminalCommandRoutes } from '../../../../server/telemetry/terminalCommands/terminalCommandRoutes.ts';
import { apiClientFor } from '../../../support/caller.ts';
import { openCommandFixture, settled, type CommandBench } from './commandBench.ts';

// The same order, sent again because its answer was lost on the way.

describe('a command that is given again with the same key', () => {
  test('a command that is given again with the same key is the one that is there, also when it has ended', async () => {
    const bench = await openCommandFixture();
    const given = await bench.give('cpureset', { key: 'k' });
    expect(await bench.give('cpureset', { key: 'k' })).toEqual(given);
    const link = bench.connect();
    await settled();
    link.settle({ outcome: 'said', text: 'OK' });
    await settled();
    expect(await bench.give('cpureset', { key: 'k' })).toMatchObject({ status: 'answered', answer: 'OK' });
    await settled();
    expect(link.written).toHaveLength(1);
    expect(bench.stored()).toHaveLength(1);
  });

  test('a command that is given again with the same key is the one that an earlier run of the host has stored', async () => {
    const killed = await openCommandFixture();
    const { command_id } = await killed.give('cpureset', { key: 'k' });
    const again = await openCommandFixture(killed.stored());
    expect((await again.give('cpureset', { key: 'k' })).command_id).toBe(command_id);
    expect(again.stored()).toHaveLength(1);
  });

  test('a command that is given again with the same key is answered though the vehicle was archived meanwhile', async () => {
    const bench = await openCommandFixture();
    const { command_id } = await bench.give('cpureset', { key: 'k' });
    bench.change({ archived_at: '2026-11-21T12:00:00.000Z' });
    await settled();
    expect(await bench.give('cpureset', { key: 'k' })).toMatchObject({ command_id, status: 'cancelled' });
  });

  test('a command that is given again with the same key is sent where the store had it though its writing was said to have failed', async () => {
    const bench = await openCommandFixture();
    bench.failWith(new StoreFailed('no word came back'), { isWritten: true });
    await expect(bench.give('cpureset', { key: 'k' })).rejects.toThrow('no word came back');
    bench.failWith(null);
    const link = bench.connect();
    await bench.give('cpureset', { key: 'k' });
    await settled();
    expect(link.written).toHaveLength(1);
    expect(bench.stored()).toHaveLength(1);
  });

  test('the same key with another text is refused', async () => {
    const bench = await openCommandFixture();
    await bench.give('cpureset', { key: 'k' });
    await expect(bench.give('getinfo', { key: 'k' })).rejects.toMatchObject({ code: 'validation_failed' });
    expect(bench.stored()).toHaveLength(1);
  });
});

test('a command’s ID is a UUID of the user, the vehicle and the key together', () => {
  const ids = [
    keyedCommandId('user', 'van', 'k'),
    keyedCommandId('other', 'van', 'k'),
    keyedCommandId('user', 'bus', 'k'),
    keyedCommandId('user', 'van', 'l'),
    keyedCommandId('userv', 'an', 'k'),
  ];
  for (const it of ids) expect(id.safeParse(it).success, it).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect(keyedCommandId('user', 'van', 'k')).toBe(ids[0]);
});

test('a call whose answer could not be kept makes one command, however often it is made', async () => {
  const bench = await openCommandFixture();
  let isFailing = true;
  const saveIdempotent = () =>
    isFailing ? Promise.reject(new StoreFailed('the disk is gone')) : Promise.resolve();
  const post = await serve(bench, openMemoryStore(bench.clock, { saveIdempotent }));
  expect((await post('k')).status).toBeGreaterThanOrEqual(500);
  isFailing = false;
  const again = await post('k');
  expect(again).toMatchObject({ status: 201, body: { text: 'cpureset' } });
  expect(bench.stored()).toHaveLength(1);
  expect((await post('another')).status).toBe(201);
  expect(bench.stored()).toHaveLength(2);
});

/** The calls of the bench's vehicle over a real socket; returns what gives it a command with a key. */
async function serve(bench: CommandBench, store: Parameters<typeof createIdempotency>[0]) {
  // The ids of the bench are words.
  const api = createApi({ idempotency: createIdempotency(store, bench.clock), checkReplies: false });
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
  return (key: string) =>
    caller.post(
      '/api/v1/vehicles/van/commands',
      { kind: 'text', text: 'cpureset' },
      { 'Idempotency-Key': key },
    );
}
