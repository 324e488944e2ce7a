import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { terminalCommandRoutes } from '../../../server/contract/terminalCommands.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { videoRoutes } from '../../../server/contract/video.ts';
import type { openStore } from '../../../server/store/openStore.ts';
import { StoreFailed } from '../../../server/store/storeErrors.ts';
import { openDatabase } from '../../../server/store/telemetry/database.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

type Act = Awaited<ReturnType<typeof openStore>>['act'];

/** What becomes of the next act that bears a key; null: it is stored. */
let fault: ((act: () => ReturnType<Act>) => ReturnType<Act>) | null = null;
beforeEach(() => {
  fault = null;
});

vi.mock('../../../server/store/openStore.ts', async (original) => {
  const real = await original<{ openStore: typeof openStore }>();
  return {
    ...real,
    async openStore(...given: Parameters<typeof openStore>) {
      const store = await real.openStore(...given);
      const act: Act = (acts) => {
        const now = fault;
        if (now === null || acts.every((it) => it.once === null)) return store.act(acts);
        fault = null;
        return now(() => store.act(acts));
      };
      return { ...store, act };
    },
  };
});

async function start(data?: string): Promise<{ host: TestHost; dealer: Caller }> {
  const host = await startTestHost(data === undefined ? {} : { data });
  onTestFinished(() => host.close());
  return { host, dealer: await host.login() };
}

const password = 'a long and secret password';

/** The four calls that take a key, each with how many of what it adds there are. */
async function calls(dealer: Caller) {
  const { vehicle_id } = await dealer.ask(vehicleRoutes.create, { body: { terminal_id: '7', name: 'Van' } });
  const { profile_id } = await dealer.ask(videoRoutes.createProfile, {
    body: { vehicle_id, kind: 'simulated', channels: [{ channel: 1, name: 'front' }] },
  });
  // Its end is still to come: it is not fetched meanwhile.
  const [from, to] = [-10_000, 50_000].map((ms) => new Date(Date.now() + ms).toISOString());
  return {
    vehicle: {
      path: vehicleRoutes.create.path,
      body: { terminal_id: '8', name: 'Bus' },
      count: async (by: Caller) => (await by.ask(vehicleRoutes.list)).items.length - 1,
    },
    user: {
      path: userRoutes.create.path,
      body: { login: 'ann', password },
      count: async (by: Caller) => (await by.ask(userRoutes.list)).items.length - 1,
    },
    'video task': {
      path: videoRoutes.createTask.path,
      body: { profile_id, channel: 1, from, to },
      count: async (by: Caller) => (await by.ask(videoRoutes.tasks)).items.length,
    },
    command: {
      path: `/api/v1/vehicles/${vehicle_id}/commands`,
      body: { kind: 'text', text: 'cpureset' },
      count: async (by: Caller) =>
        (await by.ask(terminalCommandRoutes.list, { params: { vehicle: vehicle_id } })).items.length,
    },
  };
}

function responsesIn(data: string): { response: string; fingerprint: Uint8Array }[] {
  const db = openDatabase(join(data, 'telemetry.db'), { readOnly: true });
  const rows = db.all<{ response: string; fingerprint: Uint8Array }>('SELECT * FROM idempotency_keys');
  db.close();
  return rows;
}

describe.each(['vehicle', 'user', 'video task', 'command'] as const)('a new %s', (kind) => {
  const died = () => Promise.reject(new StoreFailed('no word came back'));

  it.each([
    ['before the commit', died, 0],
    ['after the commit', (act: () => ReturnType<Act>) => act().then(died), 1],
  ] as const)(
    'with the same key after the store died %s is one, with the stored reply byte for byte, also after a restart',
    async (_, fails, stored) => {
      const { host, dealer } = await start();
      const { path, body, count } = (await calls(dealer))[kind];
      const send = (by: Caller) => by.post(path, body, { 'Idempotency-Key': 'k' });
      fault = fails;
      expect((await send(dealer)).status).toBe(503);
      expect(responsesIn(host.data)).toHaveLength(stored);

      const again = await send(dealer);
      expect(again.status).toBe(201);
      expect(await count(dealer)).toBe(1);
      await host.stop();
      const [row, ...more] = responsesIn(host.data);
      expect(more).toEqual([]);
      const kept = JSON.parse(row?.response ?? '') as { reply: unknown; location: string };
      expect([again.text, again.headers.get('location')]).toEqual([
        JSON.stringify(kept.reply),
        kept.location,
      ]);

      const later = await start(host.data);
      const repeated = await send(later.dealer);
      expect([repeated.status, repeated.text]).toEqual([201, again.text]);
      expect(repeated.headers.get('location')).toBe(kept.location);
      expect(repeated.headers.get('etag')).toBe(again.headers.get('etag'));
      expect(await count(later.dealer)).toBe(1);
    },
  );

  it('with the same key after a host that ended between commit and reply is one, and is what was stored', async () => {
    const { host, dealer } = await start();
    const { path, body, count } = (await calls(dealer))[kind];
    let committed = (): void => undefined;
    const isCommitted = new Promise<void>((resolve) => (committed = resolve));
    // The host hears nothing of its commit before it ends.
    fault = async (act) => {
      await act();
      committed();
      return ended;
    };
    let end = (_error: Error): void => undefined;
    const ended = new Promise<never>((_, reject) => (end = reject));
    const first = dealer.post(path, body, { 'Idempotency-Key': 'k' }).catch(() => null);
    await isCommitted;
    const [row] = responsesIn(host.data);
    end(new StoreFailed('the host has ended'));
    await Promise.all([first, host.stop()]);

    const later = await start(host.data);
    const again = await later.dealer.post(path, body, { 'Idempotency-Key': 'k' });
    const kept = JSON.parse(row?.response ?? '') as { reply: unknown; location: string };
    expect([again.status, again.text]).toEqual([201, JSON.stringify(kept.reply)]);
    expect(again.headers.get('location')).toBe(kept.location);
    expect(await count(later.dealer)).toBe(1);
  });
});

it('the fingerprint of a body with a password cannot be had without the key of the host', async () => {
  const { host, dealer } = await start();
  const body = { login: 'ann', password };
  const post = (by: Caller, key: string) => by.post(userRoutes.create.path, body, { 'Idempotency-Key': key });
  expect((await post(dealer, 'k')).status).toBe(201);
  await host.stop();
  const keyFile = join(host.data, 'jwt.key');
  const secret = Buffer.from((await readFile(keyFile, 'utf8')).trim(), 'base64url');
  const text = JSON.stringify(body);
  const byKey = (key: Uint8Array) => createHmac('sha256', key).update(text).digest();
  const derived = byKey(new Uint8Array(hkdfSync('sha256', secret, '', 'idempotency', 32)));
  const parts = ['telemetry.db', 'telemetry.db-wal'].map((name) =>
    readFile(join(host.data, name)).catch(() => Buffer.of()),
  );
  const bytes = Buffer.concat(await Promise.all(parts));
  const hashes = [text, password].map((it) => createHash('sha256').update(it).digest());
  for (const hash of [...hashes, byKey(secret), byKey(new Uint8Array(32)), byKey(Buffer.from('fleetdeck'))]) {
    for (const form of [hash, hash.toString('hex'), hash.toString('base64'), hash.toString('base64url')])
      expect(bytes.includes(form)).toBe(false);
  }
  expect(bytes.includes(password)).toBe(false);
  expect(bytes.includes(derived)).toBe(true);
  expect(responsesIn(host.data).map((it) => Buffer.from(it.fingerprint))).toEqual([derived]);

  await rm(keyFile);
  await writeFile(keyFile, Buffer.alloc(32, 7).toString('base64url'));
  const later = await start(host.data);
  expect(await post(later.dealer, 'k')).toMatchObject({ status: 400, code: 'validation_failed' });
});
