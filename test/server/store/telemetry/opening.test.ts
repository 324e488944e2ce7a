import { DataFolderError } from '../../../../server/store/storeErrors.ts';
import { copyFile, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openStore } from '../../../../server/store/openStore.ts';
import type { TelemetryRecovery } from '../../../../server/store/openStore.ts';
import { migrations } from '../../../../server/store/telemetry/schema.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { fakeClock } from './fakeClock.ts';
import { batch, event, morning, position, task } from './sampleRows.ts';
import { hashesOf } from '../../../support/hashesOf.ts';
import { makeOlder, openSampleStore, wholeTrack } from './sampleStore.ts';

/** A folder with a database of 3,000 positions, closed. */
async function filledFolder(): Promise<string> {
  const folder = await temporaryFolder();
  const store = await openSampleStore({ folder });
  const positions = Array.from({ length: 3_000 }, (_, index) => position({ time_ms: morning + index }));
  await store.commit(batch({ positions, events: [event()] }));
  await store.close();
  return folder;
}

/** What a host leaves that was killed: a database with its log, which holds the state of a bus. */
async function folderOfKilledHost(): Promise<string> {
  const filled = join(await filledFolder(), 'telemetry.db');
  const folder = await temporaryFolder();
  const db = new DatabaseSync(filled);
  try {
    db.exec("INSERT INTO vehicle_ids (vehicle_id) VALUES ('bus')");
    db.exec(
      "INSERT INTO vehicle_states SELECT vehicle_key, 'on its way' FROM vehicle_ids WHERE vehicle_id = 'bus'",
    );
    for (const ending of ['', '-wal']) await copyFile(filled + ending, join(folder, `telemetry.db${ending}`));
  } finally {
    db.close();
  }
  return folder;
}

/** What this program itself makes of a database. */
const newest = migrations.length;

const step = (sql: string) => ({ sql, copy: true });

test('a log that a killed host has left is read', async () => {
  const store = await openSampleStore({ folder: await folderOfKilledHost() });
  expect(await store.vehicleStates()).toEqual([{ vehicle_id: 'bus', state: 'on its way' }]);
  expect(await wholeTrack(store, 'van')).toHaveLength(3_000);
});

test.skipIf(process.platform === 'win32')('the database and its log are for their owner alone', async () => {
  const folder = await temporaryFolder();
  const store = await openSampleStore({ folder });
  await store.commit(batch({ positions: [position()] }));
  for (const name of await readdir(folder)) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toContain('telemetry.db-wal');
});

test('closing puts the log away and leaves one file', async () => {
  expect(await readdir(await filledFolder())).toEqual(['telemetry.db']);
});

test('a database of an older version is copied under a dated name and brought to the newest', async () => {
  const folder = await filledFolder();
  const store = await openSampleStore({
    folder,
    clock: fakeClock(morning),
    migrations: [
      ...migrations,
      step("ALTER TABLE rejected_positions ADD COLUMN remark TEXT; UPDATE events SET kind = 'sos'"),
      step('CREATE TABLE remarks (remark TEXT) STRICT'),
    ],
  });
  expect((await store.events({ limit: 9 })).map((row) => row.kind)).toEqual(['sos']);
  expect(await wholeTrack(store, 'van')).toHaveLength(3_000);
  await store.close();

  const copy = join(folder, `telemetry.db.version-${newest}-20261121T080000Z`);
  if (process.platform !== 'win32') expect((await stat(copy)).mode & 0o777).toBe(0o600);
  expect(select(copy, 'SELECT kind FROM events')).toEqual([{ kind: 'overspeed' }]);
  expect(select(copy, 'PRAGMA user_version')).toEqual([{ user_version: newest }]);
  expect(select(join(folder, 'telemetry.db'), 'PRAGMA user_version')).toEqual([{ user_version: newest + 2 }]);
});

test('a database of the first version is brought to the newest with all that it holds', async () => {
  const folder = await temporaryFolder();
  const later = ['important', 'stream', 'main_task_id', 'rule_id', 'next_attempt_ms'];
  const now = { ...task(), important: 0, error: null, file: null };
  const old = Object.fromEntries(Object.entries(now).filter(([column]) => !later.includes(column)));
  makeOlder(folder, 1, (db) => {
    db.exec("INSERT INTO unknown_terminals VALUES ('7', 'osmand', 1, 2, 3, NULL, 1, 2)");
    const columns = Object.keys(old);
    db.prepare(`INSERT INTO tasks (${columns.join()}) VALUES (${columns.map((it) => `:${it}`).join()})`).run(
      old,
    );
  });
  const store = await openSampleStore({ folder });
  expect(await store.unknownTerminals()).toEqual([
    {
      terminal_id: '7',
      protocol: 'osmand',
      first_seen_ms: 1,
      last_seen_ms: 2,
      message_count: 3,
      address: null,
      lat: 1,
      lon: 2,
    },
  ]);
  expect(await store.tasksById(['task'])).toEqual([task()]);
  expect(await store.accessOf('task')).toEqual([]);
  expect(await store.snoozes()).toEqual([]);
});

test('a database of version 6 is brought to the newest without a copy, and no position is written', async () => {
  const folder = await temporaryFolder();
  const bodyHash = 'b'.repeat(64);
  makeOlder(folder, 6, (db) => {
    db.exec(`
      INSERT INTO vehicle_ids (vehicle_id) VALUES ('van');
      WITH RECURSIVE fix (at) AS (SELECT 0 UNION ALL SELECT at + 1 FROM fix WHERE at < 2999)
        INSERT INTO positions (vehicle, time_ms, received_ms, lat, lon, valid) SELECT 1, at, at, 1, 2, 1 FROM fix;
      INSERT INTO changes (topic, resource_id, at_ms, seen_by) VALUES ('rule', 'r', 5, '["g"]'), ('rule', 's', 6, NULL);
      INSERT INTO refused (terminal_id, received_ms, code, detail, protocol, raw)
        VALUES ('7', 8, 'unreadable', 'd', 'osmand', 'r'), ('8', 8, 'in_the_future', 'd', 'osmand', 'r'),
          ('9', 8, 'impossible_coordinate', 'd', 'osmand', 'r'), ('10', 8, 'store_failed', 'd', 'osmand', 'r');
      INSERT INTO idempotency VALUES ('u', 'createUser', 'k', '${bodyHash}', 201, '{}', 7);
    `);
  });
  const file = join(folder, 'telemetry.db');
  const pagesOf = () => select(file, "SELECT pageno FROM dbstat WHERE name = 'positions' ORDER BY pageno");
  const before = pagesOf();
  expect(before.length).toBeGreaterThan(10);
  const store = await openSampleStore({ folder });
  expect(await wholeTrack(store, 'van')).toHaveLength(3_000);
  expect(await store.changesAfter({ seq: 0, limit: 9 })).toEqual([
    { seq: 1, topic: 'rule', resource_id: 'r', at_ms: 5, visible_to: ['g'] },
    { seq: 2, topic: 'rule', resource_id: 's', at_ms: 6, visible_to: null },
  ]);
  expect(await store.lastSeq()).toBe(2);
  expect(await store.rejected({ limit: 9 })).toMatchObject([
    { rejected_id: 4, terminal_id: '10', code: 'store_failed' },
    { rejected_id: 3, terminal_id: '9', code: 'invalid_coordinates' },
    { rejected_id: 2, terminal_id: '8', code: 'time_in_future' },
    { rejected_id: 1, terminal_id: '7', code: 'undecodable' },
  ]);
  expect(await store.idempotent({ user_id: 'u', operation: 'createUser', key: 'k' })).toBeNull();
  await store.close();
  expect(await readdir(folder)).toEqual(['telemetry.db']);
  expect(pagesOf()).toEqual(before);
  // What was hashed without a key is overwritten, not just forgotten.
  expect((await readFile(file)).includes(bodyHash)).toBe(false);
});

test('commands of version 6 have the names of now for their results', async () => {
  const folder = await temporaryFolder();
  makeOlder(folder, 6, (db) => {
    const add =
      db.prepare(`INSERT INTO terminal_commands (command_id, vehicle_id, terminal_id, kind, status, answer,
      error, created_by, created_ms, ended_ms, expires_ms) VALUES (?, 'van', '7', 'text', ?, ?, ?, 'u', ?, 9, 10)`);
    add.run('a', 'answered', 'OK', null, 1);
    add.run('b', 'failed', null, '{"code":"no_answer","detail":"It did not answer."}', 2);
    add.run('c', 'failed', null, '{"code":"not_supported","detail":"no_answer"}', 3);
  });
  const store = await openSampleStore({ folder });
  expect(await store.terminalCommands({ vehicle_id: 'van', limit: 9 })).toMatchObject([
    { status: 'failed', error: { code: 'not_supported', detail: 'no_answer' }, response: null },
    { status: 'failed', error: { code: 'no_response', detail: 'It did not answer.' }, response: null },
    { status: 'responded', error: null, response: 'OK' },
  ]);
});

test('a migration that fails leaves the database as it was, and its start is refused in one line', async () => {
  const folder = await filledFolder();
  const before = await hashesOf(folder);
  const opening = openStore({
    folder,
    migrations: [
      ...migrations,
      step('CREATE TABLE remarks (remark TEXT)'),
      step('DELETE FROM events; SELECT nonsense'),
    ],
  });
  const file = join(folder, 'telemetry.db');
  await expect(opening).rejects.toMatchObject({
    name: 'DataFolderError',
    code: 'unreadable',
    message: `${file} could not be brought from version ${newest} to ${newest + 2}: no such column: nonsense. Nothing was changed: start the version that wrote the data folder, or restore a backup of it.`,
  });
  expect(await hashesOf(folder)).toEqual(before);
  expect(select(file, 'PRAGMA user_version')).toEqual([{ user_version: newest }]);
  expect(select(file, 'SELECT event_id FROM events')).toEqual([{ event_id: 'event' }]);
});

test('a migration that fails after a kill leaves the database and its log as they were', async () => {
  const folder = await folderOfKilledHost();
  const before = await hashesOf(folder);
  expect(Object.keys(before)).toContain('telemetry.db-wal');
  const opening = openStore({
    folder,
    migrations: [...migrations, step('DELETE FROM events; SELECT nonsense')],
  });
  await expect(opening).rejects.toThrow('Nothing was changed');
  const { 'telemetry.db-shm': _, ...after } = await hashesOf(folder);
  const { 'telemetry.db-shm': __, ...expected } = before;
  expect(after).toEqual(expected);
});

test('a database of a newer version is refused and stays as it is', async () => {
  const folder = await filledFolder();
  const newer = await openStore({ folder, migrations: [...migrations, step('DROP TABLE events')] });
  await newer.close();
  const opening = openStore({ folder });
  await expect(opening).rejects.toThrow(DataFolderError);
  await expect(opening).rejects.toMatchObject({
    code: 'newer_version',
    message: expect.stringContaining(
      `written by a newer version (database version ${newest + 1}, this version knows ${newest})`,
    ) as string,
  });
  expect(select(join(folder, 'telemetry.db'), 'PRAGMA user_version')).toEqual([{ user_version: newest + 1 }]);
});

test.for<[string, (file: string) => Promise<void>]>([
  ['is no database', (file) => writeFile(file, 'Hello '.repeat(2_000))],
  ['has lost all but its beginning', async (file) => using(file, (it) => it.truncate(8_192))],
  [
    'has a page of its schema overwritten',
    (file) => using(file, (it) => it.write(Buffer.alloc(3_900, 255), 0, 3_900, 100)),
  ],
])('a database that %s is set aside with its log, and a new one is begun', async ([, harm]) => {
  const folder = await folderOfKilledHost();
  await harm(join(folder, 'telemetry.db'));
  const recoveries: TelemetryRecovery[] = [];
  const store = await openSampleStore({
    folder,
    clock: fakeClock(morning),
    onRecovered: (recovery) => recoveries.push(recovery),
  });

  const aside = 'telemetry.db.broken-20261121T080000Z';
  const quarantinedAs = [aside, `${aside}-wal`, `${aside}-shm`];
  expect(recoveries).toEqual([{ quarantinedAs, at: '2026-11-21T08:00:00.000Z' }]);
  expect(await readdir(folder)).toEqual(expect.arrayContaining(quarantinedAs));
  expect((await stat(join(folder, `${aside}-wal`))).size).toBeGreaterThan(4_096);

  await store.commit(batch({ positions: [position({ lat: 1 })] }));
  expect(await wholeTrack(store, 'van')).toEqual([position({ lat: 1 })]);
});

test('a copy that is put in the place of the database takes another name', async () => {
  const folder = await filledFolder();
  const before = await openStore({ folder });
  await before.close();
  const file = join(folder, 'telemetry.db');
  await copyFile(file, `${file}.copy`);
  const copied = await temporaryFolder();
  await copyFile(`${file}.copy`, join(copied, 'telemetry.db'));
  await rm(`${file}.copy`);
  const after = await openSampleStore({ folder: copied });
  expect(after.epoch).not.toBe(before.epoch);
  expect(await wholeTrack(after, 'van')).toHaveLength(3_000);
});

function select(file: string, sql: string): unknown[] {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return db
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }));
  } finally {
    db.close();
  }
}

async function using(
  file: string,
  act: (handle: Awaited<ReturnType<typeof open>>) => Promise<unknown>,
): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await act(handle);
  } finally {
    await handle.close();
  }
}
