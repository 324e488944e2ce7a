import { createHash } from 'node:crypto';
import { open, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { openStores } from '../../../server/app/openStores.ts';
import { newDriver } from '../../../server/contract/drivers.ts';
import { rights } from '../../../server/contract/rights.ts';
import { newShare } from '../../../server/contract/shares.ts';
import { openDatabase } from '../../../server/store/telemetry/database.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { folderOf010, soonAfter } from '../../support/folderOf010.ts';

const log = pino({ level: 'silent' });

/** A folder of this version that holds what the one of 0.1.0 held, closed; with its copy. */
async function adoptedFolder() {
  const data = await folderOf010();
  const stores = await openStores(data, createFakeClock(soonAfter), log);
  const { apiTokens, users, vehicles, drivers, assignments } = stores.collections;
  await apiTokens.add([aToken(users.all()[0]?.user_id ?? '')]);
  const [driver] = await drivers.add([aDriver]);
  const assigned = { vehicle_id: vehicles.all()[0]?.vehicle_id ?? '', driver_id: driver?.driver_id ?? '' };
  await assignments.add([{ ...assigned, ...anAssignment }]);
  await stores.collections.shares.add([
    { ...aShare, vehicle_id: assigned.vehicle_id, user_id: users.all()[0]?.user_id ?? '' },
  ]);
  const held = contentsOf(stores);
  const { epoch } = stores.telemetry;
  await stores.close();
  return { data, file: join(data, 'telemetry.db'), copy: join(data, 'depot-copy.json'), held, epoch };
}

const aToken = (user_id: string) => ({
  ...{ token_id: 'token', user_id, name: 'Sync', role: 'user' as const, rights: rights.parse({}) },
  ...{ group_ids: null, expires_at: '2030-01-01T00:00:00.000Z', jwt_hash: 'hash' },
});

const aDriver = {
  ...newDriver.parse({ name: 'M. Okafor', cards: [{ number: '7' }] }),
  ...{ driver_id: '5e0c1d5f-0f0b-4b5c-8f3b-6a1f0f3f2a11', archived_at: null, owner_id: null },
};
const anAssignment = {
  ...{ assignment_id: '5e0c1d5f-0f0b-4b5c-8f3b-6a1f0f3f2a12', owner_id: null, note: null },
  ...{ from: '2026-11-21T06:00:00.000Z', to: null },
};

const aShare = {
  ...newShare.parse({ name: 'Acme', expires_at: '2030-01-01T00:00:00.000Z' }),
  ...{ share_id: '5e0c1d5f-0f0b-4b5c-8f3b-6a1f0f3f2a13', token_id: null, link_hash: 'hash' },
};

async function start(data: string) {
  const stores = await openStores(data, createFakeClock(soonAfter), log);
  onTestFinished(() => stores.close());
  return stores;
}

function contentsOf({ collections }: Awaited<ReturnType<typeof openStores>>) {
  const { users, groups, vehicles, geofences, rules, profiles, recipients, apiTokens, drivers, assignments } =
    collections;
  const all = [
    users,
    groups,
    vehicles,
    geofences,
    rules,
    profiles,
    recipients,
    apiTokens,
    drivers,
    assignments,
  ].map((it) => [...it.all()]);
  for (const records of all) expect(records.length).toBeGreaterThan(0);
  return all;
}

/** SQLite may leave an empty log. */
async function hashes(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return Promise.all(
    entries
      .filter((it) => it.isFile() && !/^lock\.db|-wal$|-shm$/.test(it.name))
      .map(async ({ name }) => {
        const hash = createHash('sha256').update(await readFile(join(folder, name)));
        return `${name} ${hash.digest('hex')}`;
      }),
  );
}

/** A page that a look at the first rows of each table does not come to. */
async function breakMemberships(path: string): Promise<void> {
  const db = openDatabase(path, { readOnly: true });
  const page = db.get<{ rootpage: number }>(
    "SELECT rootpage FROM sqlite_schema WHERE name = 'memberships_now'",
  );
  db.close();
  const file = await open(path, 'r+');
  await file.write(Buffer.alloc(4_096, 0xff), 0, 4_096, ((page?.rootpage ?? NaN) - 1) * 4_096);
  await file.close();
}

const faults: [string, (file: string) => Promise<void> | void][] = [
  ['is missing', (file) => rm(file)],
  ['is empty', (file) => truncate(file)],
  ['is no database', (file) => writeFile(file, Buffer.alloc(8_192, 'not a database '))],
  ['is cut off', (file) => truncate(file, 16_384)],
  ['has broken memberships', breakMemberships],
];

test.each(faults)('a database that %s is begun anew with the copy of the depot', async (_, harm) => {
  const { data, file, held, epoch } = await adoptedFolder();
  await harm(file);
  const stores = await start(data);
  expect(contentsOf(stores)).toEqual(held);
  // One of them may have been ended since the copy was written.
  expect(stores.collections.shares.all()).toEqual([]);
  expect(stores.telemetry.epoch).not.toBe(epoch);
  const pending = stores.recoveries.pending();
  expect(pending.map((it) => [it.document, it.restoredFrom])).toEqual(
    expect.arrayContaining([
      ['users', 'bak'],
      ['vehicles', 'bak'],
      ['telemetry.db', 'initial'],
    ]),
  );
});

test.each(faults)('a database that %s is left as it is where the copy cannot be read', async (_, harm) => {
  const { data, file, copy } = await adoptedFolder();
  await harm(file);
  await writeFile(copy, (await readFile(copy, 'utf8')).slice(0, -30));
  const before = await hashes(data);
  for (let start = 1; start <= 2; start++) {
    await expect(openStores(data, createFakeClock(soonAfter), log)).rejects.toMatchObject({
      code: 'unreadable',
      message: expect.stringMatching(/^[^\n]*telemetry\.db[^\n]*depot-copy\.json[^\n]*$/),
    });
  }
  expect(await hashes(data)).toEqual(before);
});

test('a copy of the depot is not read while the database can be', async () => {
  const { data, copy, held } = await adoptedFolder();
  await writeFile(copy, 'torn');
  const stores = await openStores(data, createFakeClock(soonAfter), log);
  expect(contentsOf(stores)).toEqual(held);
  expect(stores.collections.shares.all()).toMatchObject([aShare]);
  expect(stores.recoveries.pending()).toEqual([]);
  await stores.close();
  // A start counts as a change: the copy is made good.
  expect(JSON.parse(await readFile(copy, 'utf8'))).toMatchObject({ schema: 1 });
});

test('a database that was begun anew is found by the next start, which restores nothing', async () => {
  const { data, file } = await adoptedFolder();
  await writeFile(file, 'not a database at all, and long enough for that');
  const stores = await openStores(data, createFakeClock(soonAfter), log);
  const { epoch } = stores.telemetry;
  const pending = stores.recoveries.pending();
  await stores.close();
  const again = await start(data);
  expect(again.telemetry.epoch).toBe(epoch);
  expect(again.recoveries.pending()).toEqual(pending);
});
