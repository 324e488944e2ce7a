import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startupError } from '../../../server/app/startupError.ts';
import { openStore } from '../../../server/store/openStore.ts';
import { migrations } from '../../../server/store/telemetry/schema.ts';
import { folderOf010, soonAfter } from '../../support/folderOf010.ts';
import { openDepot } from '../store/entities/depotBench.ts';
import { temporaryFolder } from '../store/temporaryFolder.ts';
import { openAdopted, type AdoptedOptions } from './adoptedFolder.ts';

const documents = ['users', 'groups', 'vehicles', 'geofences', 'rules', 'profiles'];
const ending = '.adopted-20261122T210500Z';
const tables = [
  ...['users', 'groups', 'vehicles', 'geofences', 'rules', 'profiles', 'recipients'],
  ...['memberships', 'vehicle_versions', 'geofence_versions', 'entity_references'],
];

async function folder(): Promise<string> {
  const data = await folderOf010();
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  return data;
}

/** Opens it, closes it again, and says what is pending. */
async function adopted(data: string, options: AdoptedOptions = {}) {
  const { recoveries, store, close } = await openAdopted(data, options);
  const result = { pending: recoveries.pending(), epoch: store.epoch };
  await close();
  return result;
}

/** The one line with which a start ends. */
async function refusal(data: string, options: AdoptedOptions = {}): Promise<string> {
  const error: unknown = await adopted(data, options).then(
    () => new Error(`${data} was opened`),
    (error: unknown) => error,
  );
  const line = startupError(error);
  if (line === null) throw error;
  expect(line).not.toContain('\n');
  return line;
}

type Row = Record<string, string | number | null>;

function select(data: string, sql: string): Row[] {
  // One that may not write would leave a log behind.
  const db = new DatabaseSync(join(data, 'telemetry.db'));
  try {
    return db.prepare(sql).all() as Row[];
  } finally {
    db.close();
  }
}

/** All that was adopted, but for the names that are made up anew at each try. */
function depotIn(data: string): Record<string, Row[]> {
  return Object.fromEntries(
    tables.map((table) => {
      const rows = select(data, `SELECT * FROM ${table}`).map(({ recipient_id, record, ...row }) => ({
        ...row,
        record: String(record).replaceAll(String(recipient_id), ''),
      }));
      return [table, rows.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))];
    }),
  );
}

async function itemsOf(data: string, file: string): Promise<Record<string, unknown>[]> {
  const { data: document } = JSON.parse(await readFile(join(data, file), 'utf8')) as {
    data: { items: Record<string, Record<string, unknown>> };
  };
  return Object.values(document.items);
}

async function change(data: string, name: string, revise: (item: Record<string, unknown>) => unknown) {
  const items = (await itemsOf(data, `${name}.json`)).map(revise);
  const document = { items: Object.fromEntries(items.map((item, index) => [`${index}`, item])) };
  await writeFile(join(data, `${name}.json`), JSON.stringify({ schema: 1, data: document }));
}

/** What every file holds, and who may read it. The lock is this version's own. */
async function filesOf(data: string): Promise<Record<string, string>> {
  const names = (await readdir(data, { recursive: true })).filter((name) => !name.startsWith('lock.db'));
  const entries = await Promise.all(
    names.sort().map(async (name): Promise<[string, string]> => {
      const file = await stat(join(data, name));
      if (!file.isFile()) return [name, 'folder'];
      const hash = createHash('sha256').update(await readFile(join(data, name)));
      return [name, `${file.mode} ${hash.digest('hex')}`];
    }),
  );
  return Object.fromEntries(entries);
}

describe('documents of 0.1.0', () => {
  test('documents of 0.1.0 are in the database after a start, and lie under dated names', async () => {
    const data = await folder();
    const before = await filesOf(data);
    const { ino } = await stat(join(data, 'telemetry.db'));
    const log = 'SELECT seq, topic, resource_id FROM';
    const changes = select(data, `${log} changes`);
    const lines: string[] = [];
    expect((await adopted(data, { onLog: (line) => lines.push(line) })).pending).toEqual([]);

    const { memberships = [] } = depotIn(data);
    const members = [
      ...(await itemsOf(data, `users.json${ending}`)),
      ...(await itemsOf(data, `vehicles.json${ending}`)),
    ];
    const since = (time: unknown) => Date.parse(String(time));
    expect(memberships.map((it) => [it.member_id, it.group_id, it.place, it.from_ms, it.to_ms])).toEqual(
      expect.arrayContaining(
        members.flatMap((it) =>
          (it.group_ids as string[]).map((group, place) => [
            it.user_id ?? it.vehicle_id,
            group,
            place,
            since(it.groups_changed_at ?? it.created_at),
            null,
          ]),
        ),
      ),
    );
    const versions = select(data, 'SELECT vehicle_id, version, from_ms FROM vehicle_versions');
    for (const it of await itemsOf(data, `vehicles.json${ending}`)) {
      expect(versions).toContainEqual({
        vehicle_id: it.vehicle_id,
        version: it.version,
        from_ms: since(it.updated_at),
      });
    }
    expect(
      select(data, 'SELECT place_key FROM recipients ORDER BY place_key').map((it) => it.place_key),
    ).toEqual([
      'email duty@depot.invalid',
      'email friend@private.invalid',
      'email partner@elsewhere.invalid',
      'webhook_host http://hooks.depot.invalid',
    ]);
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      'recipients of rules need approval by a dealer',
    ]);

    const after = await filesOf(data);
    const moved = Object.entries(before).map(([name, hash]): [string, string] => [
      documents.includes(name.split('.')[0] ?? '') ? name + ending : name,
      hash,
    ]);
    const written = ['telemetry.db', 'format.json', 'recoveries.json'];
    const same = moved.filter(([name]) => !written.includes(name));
    expect(after).toMatchObject(Object.fromEntries(same));
    expect(Object.keys(after).sort()).toEqual(moved.map(([name]) => name).sort());
    expect((await stat(join(data, 'telemetry.db'))).ino).toBe(ino);
    expect(select(data, `${log} change_log`)).toEqual(changes);
  });

  test('documents of 0.1.0 are what the collections hold', async () => {
    const data = await folder();
    const { store, close } = await openAdopted(data);
    onTestFinished(close);
    const depot = await openDepot({ store });
    const collections = {
      users: depot.user,
      groups: depot.group,
      vehicles: depot.vehicle,
      geofences: depot.geofence,
      rules: depot.rule,
      profiles: depot.profile,
    };
    for (const [name, collection] of Object.entries(collections)) {
      const items = await itemsOf(data, `${name}.json${ending}`);
      const all: readonly object[] = collection.all();
      expect(all).toHaveLength(items.length);
      expect(all).toEqual(expect.arrayContaining(items.map((it) => expect.objectContaining(it) as object)));
    }
    expect(depot.recipient.all().map(({ state, version }) => [state, version])).toEqual(
      Array.from({ length: 4 }, () => ['to_review', 1]),
    );
  });

  test('documents of 0.1.0 are read once: a second start changes nothing', async () => {
    const data = await folder();
    const first = await adopted(data);
    const [depot, files] = [depotIn(data), await filesOf(data)];
    // Whoever puts an old file back does not bring back what is in it.
    await copyFile(join(data, `users.json${ending}`), join(data, 'users.json'));
    const second = await adopted(data);
    expect(second).toEqual(first);
    expect(depotIn(data)).toEqual(depot);
    await rm(join(data, 'users.json'));
    expect(Object.keys(await filesOf(data))).toEqual(Object.keys(files));
  });

  test('a folder whose format file is broken is refused, and is as it was when the file is put back', async () => {
    const data = await folder();
    await adopted(data);
    const depot = depotIn(data);
    const file = join(data, 'format.json');
    const format = await readFile(file, 'utf8');
    expect(format).toContain('"schema":2');
    await writeFile(file, '');
    await expect(adopted(data)).rejects.toMatchObject({ name: 'DataFolderError', code: 'unreadable' });
    await writeFile(file, format);
    await adopted(data);
    expect(depotIn(data)).toEqual(depot);
  });

  test('documents of 0.1.0 are adopted by a folder that 0.1.0 itself refuses from then on', async () => {
    const data = await folder();
    await adopted(data);
    expect(JSON.parse(await readFile(join(data, 'format.json'), 'utf8'))).toEqual({
      schema: 2,
      private: true,
    });
    expect(select(data, 'PRAGMA user_version')).toEqual([{ user_version: migrations.length }]);
  });

  test('documents of 0.1.0 give the database a new name, since what they held is in no log of changes', async () => {
    const data = await folder();
    const store = await openStore({ folder: data });
    const { epoch } = store;
    await store.close();
    expect((await adopted(data)).epoch).not.toBe(epoch);
  });

  test('documents are adopted by a database that has had the tables for them already', async () => {
    const [data, later] = [await folder(), await folder()];
    await adopted(data);
    await (await openStore({ folder: later })).close();
    expect(select(later, 'PRAGMA user_version')).toEqual([{ user_version: migrations.length }]);
    await adopted(later);
    expect(depotIn(later)).toEqual(depotIn(data));
  });

  test.for<[string, (file: string) => Promise<void>]>([
    ['is missing', (file) => rm(file)],
    ['is broken', (file) => writeFile(file, 'Hello '.repeat(2_000))],
  ])('documents are adopted by a new database where the old one %s', async ([, harm]) => {
    const [data, whole] = [await folder(), await folder()];
    await adopted(whole);
    await harm(join(data, 'telemetry.db'));
    await adopted(data);
    expect(depotIn(data)).toEqual(depotIn(whole));
  });

  test('recipients that a dealer has approved are adopted as they are', async () => {
    const data = await folder();
    const file = join(data, 'channels.json');
    const { data: before } = JSON.parse(await readFile(file, 'utf8')) as { data: object };
    const recipient = {
      recipient_id: 'r',
      kind: 'mail_domain',
      address: 'depot.invalid',
      state: 'approved',
      origin: 'added',
      approved_by: 'u',
      approved_at: '2026-11-22T21:02:00.000Z',
    };
    await writeFile(file, JSON.stringify({ schema: 1, data: { ...before, recipients: [recipient] } }));
    await adopted(data);
    expect(
      select(data, 'SELECT record FROM recipients').map((it) => JSON.parse(String(it.record)) as object),
    ).toEqual([{ ...recipient, version: 1, created_at: at(soonAfter), updated_at: at(soonAfter) }]);
  });

  test('10,000 vehicles are adopted, and no page of positions is written', async () => {
    const data = await folder();
    const [one] = await itemsOf(data, 'vehicles.json');
    const many = Array.from({ length: 10_000 }, (_, at) => [
      `v${at}`,
      { ...one, vehicle_id: `v${at}`, terminal_id: `t${at}` },
    ]);
    const old = await itemsOf(data, 'vehicles.json');
    const items = Object.fromEntries([...old.map((it) => [it.vehicle_id, it]), ...many]) as object;
    await writeFile(join(data, 'vehicles.json'), JSON.stringify({ schema: 1, data: { items } }));
    const db = new DatabaseSync(join(data, 'telemetry.db'));
    db.exec(`
      INSERT INTO vehicle_ids (vehicle_id) VALUES ('van');
      WITH RECURSIVE fix (at) AS (SELECT 0 UNION ALL SELECT at + 1 FROM fix WHERE at < 49999)
        INSERT INTO positions (vehicle, time_ms, received_ms, lat, lon, valid)
        SELECT (SELECT vehicle FROM vehicle_ids WHERE vehicle_id = 'van'), at, at, 1, 2, 1 FROM fix`);
    db.close();
    const pages = () =>
      select(data, "SELECT pageno FROM dbstat WHERE name = 'positions' ORDER BY pageno").map((it) =>
        Number(it.pageno),
      );
    const before = pages();
    expect(before.length).toBeGreaterThan(100);

    const { close } = await openAdopted(data);
    const written = framesOf(await readFile(join(data, 'telemetry.db-wal')));
    await close();
    expect(written.length).toBeGreaterThan(1_000);
    expect(written.filter((page) => before.includes(page))).toEqual([]);
    expect(pages()).toEqual(before);
    expect(select(data, 'SELECT count(*) AS n FROM vehicles')).toEqual([{ n: 10_000 + old.length }]);
  });
});

test('a new folder begins with the first rules, once', async () => {
  const data = await temporaryFolder();
  await adopted(data);
  expect(
    select(data, "SELECT record ->> 'name' AS name FROM rules ORDER BY name").map((it) => it.name),
  ).toEqual(['Geofence entered', 'Overspeed', 'SOS', 'Server trouble', 'Vehicle offline']);
  const db = new DatabaseSync(join(data, 'telemetry.db'));
  db.exec('DELETE FROM rules');
  db.close();
  await adopted(data);
  expect(select(data, 'SELECT * FROM rules')).toEqual([]);
});

test.for<[string, (file: string) => Promise<void>]>([
  ['is lost', (file) => rm(file)],
  ['is broken', (file) => writeFile(file, 'Hello '.repeat(2_000))],
])(
  'a folder without a copy whose database %s is refused, and never becomes a new depot',
  async ([, harm]) => {
    const data = await folder();
    await adopted(data);
    await harm(join(data, 'telemetry.db'));
    for (const attempt of [1, 2])
      expect([attempt, await refusal(data)]).toEqual([
        attempt,
        expect.stringMatching(/^Neither telemetry\.db nor .*depot-copy\.json/),
      ]);
  },
);

describe('a start that is killed', () => {
  const killed = fileURLToPath(new URL('./killedAdoption.ts', import.meta.url));

  test.for(['row', 'rename 1', 'rename 2', 'rename 3', 'rename 7', 'rename 13', 'sync 2'])(
    'a start that is killed on its way (%s) ends at the next one as if it had not been',
    async (at) => {
      const [data, whole] = [await folder(), await folder()];
      for (const it of [data, whole]) await writeFile(join(it, 'users.json'), 'torn');
      const { pending } = await adopted(whole);
      expect(pending).toHaveLength(1);

      const child = spawn(process.execPath, [killed, data, at], {
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
      expect((await adopted(data)).pending).toEqual(pending);
      expect(depotIn(data)).toEqual(depotIn(whole));
      // The database has another history, but the same files lie around it.
      const [files, expected] = [await filesOf(data), await filesOf(whole)];
      expect({ ...files, 'telemetry.db': '' }).toEqual({ ...expected, 'telemetry.db': '' });
    },
  );
});

describe('a broken document', () => {
  test.each(documents)(
    '%s.json that is broken is read from its backup, which a dealer has to confirm',
    async (name) => {
      const data = await folder();
      await writeFile(join(data, `${name}.json`), 'torn');
      const { pending } = await adopted(data);
      const aside = `${name}.json${ending}`;
      expect(pending).toEqual([
        { document: name, quarantinedAs: [aside], restoredFrom: 'bak', at: at(soonAfter) },
      ]);
      expect(await readFile(join(data, aside), 'utf8')).toBe('torn');
      const backup = await itemsOf(data, `${name}.json.bak${ending}`);
      expect(select(data, `SELECT * FROM ${name}`)).toHaveLength(backup.length);
      expect((await adopted(data)).pending).toEqual(pending);
    },
  );

  test.each(documents)(
    '%s.json that is broken like its backup ends the start, and nothing is touched',
    async (name) => {
      const data = await folder();
      for (const file of [`${name}.json`, `${name}.json.bak`]) await writeFile(join(data, file), 'torn');
      const files = await filesOf(data);
      const line = await refusal(data);
      expect(line).toContain(`Neither ${name}.json nor its backup ${name}.json.bak`);
      expect(await filesOf(data)).toEqual(files);
    },
  );

  test('users.json that is missing beside other documents ends the start, and nothing is touched', async () => {
    const data = await folder();
    for (const file of ['users.json', 'users.json.bak']) await rm(join(data, file));
    const files = await filesOf(data);
    expect(await refusal(data)).toContain('without its users.json');
    expect(await filesOf(data)).toEqual(files);
  });

  test('a document of a newer version ends the start, and nothing is touched', async () => {
    const data = await folder();
    await writeFile(join(data, 'rules.json'), '{"schema":2}');
    const files = await filesOf(data);
    expect(await refusal(data)).toContain('was written by a newer version');
    expect(await filesOf(data)).toEqual(files);
  });

  test('two users with one login end the start, and nothing is touched', async () => {
    const data = await folder();
    await change(data, 'users', (it) => ({ ...it, login: it.login === 'dealer' ? 'ANNA' : it.login }));
    const files = await filesOf(data);
    expect(await refusal(data)).toContain('hold more than one user with the login_key anna');
    expect(await filesOf(data)).toEqual(files);
  });
});

describe('a disk without room', () => {
  test('a disk that is too small ends the start before anything is written', async () => {
    const data = await folder();
    const files = await filesOf(data);
    const line = await refusal(data, { readSpace: () => Promise.resolve(100_000_000) });
    expect(line).toMatch(/needs 13\d MB of free space .* has 100 MB\.$/);
    expect(await filesOf(data)).toEqual(files);
  });

  test('a disk that is full in the middle leaves all as 0.1.0 can read it', async () => {
    const data = await folder();
    const files = await filesOf(data);
    const { page_count = 0 } = select(data, 'PRAGMA page_count')[0] ?? {};
    expect(await refusal(data, { maxPages: Number(page_count) + 12 })).toContain('is full');
    expect(await filesOf(data)).toEqual(files);
    expect(select(data, 'PRAGMA user_version')).toEqual([{ user_version: 6 }]);
    await adopted(data);
    expect(select(data, 'PRAGMA user_version')).toEqual([{ user_version: migrations.length }]);
  });
});

test('what names a group, vehicle or geofence that is gone names it no longer', async () => {
  const data = await folder();
  const gone = randomUUID();
  const withGone = (it: Record<string, unknown>) => ({
    ...it,
    group_ids: [gone, ...(it.group_ids as string[])],
  });
  for (const name of ['users', 'vehicles', 'geofences']) await change(data, name, withGone);
  await change(data, 'profiles', (it) => ({ ...it, vehicle_id: gone }));
  const scope = { vehicle_ids: [], group_ids: [gone] };
  await change(data, 'rules', (it) =>
    it.name === 'SOS'
      ? { ...it, scope }
      : it.name === 'Geofence entered'
        ? { ...it, geozone_ids: [gone] }
        : it,
  );
  const profiles = await itemsOf(data, 'profiles.json');
  const lines: string[] = [];
  expect((await adopted(data, { onLog: (line) => lines.push(line) })).pending).toEqual([]);

  const whole = await folder();
  await adopted(whole);
  for (const table of ['memberships', 'vehicles', 'users']) {
    expect(depotIn(data)[table]).toEqual(depotIn(whole)[table]);
  }
  expect(select(data, 'SELECT * FROM profiles')).toEqual([]);
  const rules = select(
    data,
    "SELECT record FROM rules WHERE record ->> 'name' IN ('SOS', 'Geofence entered')",
  );
  expect(rules.map((it) => JSON.parse(String(it.record)) as object)).toEqual(
    [1, 2].map(
      () =>
        expect.objectContaining({
          enabled: false,
          disabled_reason: 'The last of what it named was deleted.',
        }) as object,
    ),
  );
  const counts = await Promise.all(
    ['users', 'vehicles', 'geofences'].map(
      async (name) => (await itemsOf(data, `${name}.json${ending}`)).length,
    ),
  );
  const expected = counts.reduce((sum, count) => sum + count, 0) + profiles.length + 2;
  expect(lines.filter((line) => line.includes('which was taken out of it'))).toHaveLength(expected);
});

function at(time_ms: number): string {
  return new Date(time_ms).toISOString();
}

/** The numbers of the pages in a log of writes: https://sqlite.org/fileformat2.html#the_write_ahead_log */
function framesOf(wal: Buffer): number[] {
  const page = wal.readUInt32BE(8);
  const count = Math.floor((wal.length - 32) / (24 + page));
  return Array.from({ length: count }, (_, index) => wal.readUInt32BE(32 + index * (24 + page)));
}
