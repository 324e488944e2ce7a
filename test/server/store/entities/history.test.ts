import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { entitiesAt, membershipsAt } from '../../../../server/store/telemetry/entityTables.ts';
import type { Database } from '../../../../server/store/telemetry/database.ts';
import { pruneSlice } from '../../../../server/store/telemetry/prune.ts';
import { changesAfter, logChanges } from '../../../../server/store/telemetry/changesTable.ts';
import { morning } from '../telemetry/sampleRows.ts';
import { keepAll } from '../telemetry/sampleStore.ts';
import {
  countOf,
  geofence,
  group,
  openDepot,
  openFile,
  profile,
  recipient,
  storeOver,
  user,
  vehicle,
} from './depotBench.ts';

async function openBench() {
  const { db, file } = await openFile();
  return { db, file, depot: await openDepot({ store: storeOver(db) }) };
}

function logOf(db: Database): Record<string, unknown>[] {
  return db
    .all<Record<string, string | number | null>>('SELECT * FROM change_log ORDER BY seq')
    .map((row) => ({
      ...row,
      before: row.before === null ? null : (JSON.parse(String(row.before)) as unknown),
      after: row.after === null ? null : (JSON.parse(String(row.after)) as unknown),
    }));
}

test('one field of one of 10,000 vehicles is three rows, and fewer than ten pages of the log of writes', async () => {
  const { db, file, depot } = await openBench();
  await depot.vehicle.add(Array.from({ length: 10_000 }, (_, at) => vehicle(`v${at}`)));
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const rows = () => db.get<{ rows: number }>('SELECT total_changes() AS rows')?.rows ?? NaN;
  const before = rows();
  await depot.vehicle.change('v5000', (old) => ({ ...old, plate: 'B-1' }));
  expect(rows() - before).toBe(3);
  // A header, and 4,096 bytes with a header of 24 for each page.
  expect((statSync(`${file}-wal`).size - 32) / 4_120).toBeLessThan(10);
  expect(depot.vehicle.get('v5000')?.plate).toBe('B-1');
});

test('the groups of a vehicle stand in their own table, and its record holds none', async () => {
  const { db, depot } = await openBench();
  await depot.group.add([group('a'), group('b')]);
  await depot.vehicle.add([vehicle('van', { group_ids: ['b', 'a'] })]);
  expect(countOf(db, 'vehicles', "record LIKE '%group_ids%'")).toBe(0);
  expect(countOf(db, 'vehicle_versions', "record LIKE '%group_ids%'")).toBe(0);
  expect(db.all('SELECT group_id, place FROM memberships ORDER BY place').map((row) => ({ ...row }))).toEqual(
    [
      { group_id: 'b', place: 0 },
      { group_id: 'a', place: 1 },
    ],
  );
});

test('vehicles, geofences and memberships are known as they were at any moment', async () => {
  const { db, depot } = await openBench();
  const { clock } = depot;
  /** What there was after each step. */
  const states: { at_ms: number; names: string[]; fences: string[]; groups: string[] }[] = [];
  async function step(...acts: (() => Promise<unknown>)[]) {
    clock.ms += 10;
    for (const act of acts) await act();
    states.push({
      at_ms: clock.ms,
      names: depot.vehicle.all().map((it) => `${it.vehicle_id} ${it.name}`),
      fences: depot.geofence.all().map((it) => `${it.geozone_id} ${it.name}`),
      groups: depot.vehicle.all().flatMap((it) => it.group_ids.map((id) => `${it.vehicle_id} in ${id}`)),
    });
  }
  const join = (...group_ids: string[]) => depot.vehicle.change('van', (old) => ({ ...old, group_ids }));
  await step(() => depot.group.add([group('a'), group('b')]));
  await step(() => depot.vehicle.add([vehicle('van', { group_ids: ['a'] })]));
  await step(() => depot.geofence.add([geofence('yard')]));
  await step(() => join('b', 'a'));
  // Within one millisecond it leaves and comes back: nothing has happened.
  await step(
    () => join(),
    () => join('b', 'a'),
  );
  await step(() => join('a'));
  await step(() => join('a', 'b'));
  await step(() => depot.vehicle.change('van', (old) => ({ ...old, name: 'Van 2' })));
  await step(() => depot.geofence.change('yard', (old) => ({ ...old, name: 'Yard 2' })));
  await step(() => depot.vehicle.add([vehicle('bus', { terminal_id: '9', group_ids: ['b'] })]));
  await step(
    () => depot.vehicle.remove('van'),
    () => depot.geofence.remove('yard'),
  );

  const nameOf = (row: { id: string; record: string }) =>
    `${row.id} ${(JSON.parse(row.record) as { name: string }).name}`;
  expect(entitiesAt(db, { kind: 'vehicle', at_ms: morning })).toEqual([]);
  for (const [at, state] of states.entries()) {
    // At the moment itself, and until the next one.
    for (const at_ms of [state.at_ms, state.at_ms + 9]) {
      const vehicles = entitiesAt(db, { kind: 'vehicle', at_ms });
      expect([at, vehicles.map(nameOf).sort()]).toEqual([at, state.names.toSorted()]);
      expect(vehicles.flatMap((it) => (it.group_ids ?? []).map((id) => `${it.id} in ${id}`)).sort()).toEqual(
        state.groups.toSorted(),
      );
      expect(entitiesAt(db, { kind: 'geofence', at_ms }).map(nameOf)).toEqual(state.fences);
      expect(
        membershipsAt(db, at_ms)
          .map((it) => `${it.member_id} in ${it.group_id}`)
          .sort(),
      ).toEqual(state.groups.toSorted());
    }
  }
});

test('the change log has what changed alone, the whole of what was added or removed, and the version after it', async () => {
  const { db, depot } = await openBench();
  await depot.group.add([group('north')]);
  await depot.vehicle.add([vehicle('van')]);
  depot.clock.ms += 5;
  await depot.vehicle.change('van', (old) => ({ ...old, plate: 'B-1', group_ids: ['north'] }));
  await depot.vehicle.remove('van');
  const [, added, changed, removed] = logOf(db);
  expect(added).toMatchObject({
    version: 1,
    before: null,
    visible_to: null,
    after: { name: 'van', group_ids: [] },
  });
  expect(changed).toMatchObject({
    topic: 'vehicle',
    resource_id: 'van',
    at_ms: morning + 5,
    visible_to: '[]',
    version: 2,
    before: { plate: null, group_ids: [] },
    after: { plate: 'B-1', group_ids: ['north'] },
  });
  expect(Object.keys(changed?.after as object)).toHaveLength(2);
  expect(removed).toMatchObject({
    version: null,
    after: null,
    visible_to: '["north"]',
    before: { plate: 'B-1' },
  });
});

test('no secret is in the change log, but that it changed', async () => {
  const { db, depot } = await openBench();
  await depot.user.add([user('anna', { password_hash: 'hash-one' })]);
  await depot.user.change('anna', (old) => ({ ...old, password_hash: 'hash-two' }));
  await depot.user.add([user('ben', { password_hash: 'hash-three' })]);
  await depot.user.remove('ben');
  await depot.vehicle.add([vehicle('van')]);
  await depot.profile.add([profile('p', 'van', 'secret-one')]);
  await depot.profile.change('p', (old) => ({ ...old, secret_id: null }));
  const text = JSON.stringify(logOf(db));
  for (const secret of ['hash-one', 'hash-two', 'hash-three', 'secret-one'])
    expect(text).not.toContain(secret);
  const changes = logOf(db).map(({ before, after }) => ({ before, after }));
  expect(changes[1]).toEqual({ before: { password_hash: 'changed' }, after: { password_hash: 'changed' } });
  expect(changes.at(-1)).toEqual({ before: { secret_id: 'changed' }, after: { secret_id: null } });
});

test.each(['user', 'group', 'vehicle', 'profile', 'recipient'] as const)(
  'a second %s with a key that is taken is refused with a sentence',
  async (kind) => {
    const { db, depot } = await openBench();
    await depot.vehicle.add([vehicle('van', { terminal_id: '7' }), vehicle('bus')]);
    await depot.user.add([user('u1', { login: 'Anna' })]);
    await depot.group.add([group('g1', 'North')]);
    await depot.profile.add([profile('p1', 'van', null)]);
    await depot.recipient.add([recipient('r1', 'duty@depot.invalid')]);
    const second = {
      user: () => depot.user.add([user('u2', { login: 'anna' })]),
      group: () => depot.group.add([group('g2', 'north')]),
      vehicle: () => depot.vehicle.add([vehicle('truck', { terminal_id: '007' })]),
      profile: () => depot.profile.add([profile('p2', 'van', null)]),
      recipient: () => depot.recipient.add([recipient('r2', 'duty@depot.invalid')]),
    };
    const before = countOf(db, 'change_log');
    await expect(second[kind]()).rejects.toMatchObject({
      reason: 'taken',
      message: expect.stringMatching(/^[A-Z].* (taken|already)\.$|already/) as string,
    });
    expect(countOf(db, 'change_log')).toBe(before);
  },
);

test('the terminal of an archived vehicle may serve another one', async () => {
  const { depot } = await openBench();
  await depot.vehicle.add([vehicle('old', { terminal_id: '7' })]);
  await depot.vehicle.change('old', (it) => ({ ...it, archived_at: it.created_at }));
  await depot.vehicle.add([vehicle('new', { terminal_id: '7' })]);
  expect(depot.vehicle.all()).toHaveLength(2);
});

test('of a vehicle that is changed all day the newest 200 versions stay, and 200 memberships that have ended', async () => {
  const { db } = await openFile();
  const depot = await openDepot({ store: storeOver(db) });
  await depot.group.add([group('north')]);
  await depot.vehicle.add([vehicle('van'), vehicle('bus')]);
  for (let at = 0; at < 450; at += 1) {
    depot.clock.ms += 1;
    await depot.vehicle.change('van', (old) => ({ ...old, group_ids: at % 2 === 0 ? ['north'] : [] }));
  }
  const ofVan = "vehicle_id = 'van'";
  expect(countOf(db, 'vehicle_versions', ofVan)).toBe(200);
  expect(countOf(db, 'vehicle_versions', `${ofVan} AND version > 251`)).toBe(200);
  expect(countOf(db, 'vehicle_versions', "vehicle_id = 'bus'")).toBe(1);
  expect(countOf(db, 'memberships', 'to_ms IS NOT NULL')).toBe(201);
});

test('the versions of a large geofence hold a megabyte, and two of them whatever they hold', async () => {
  const { db } = await openFile();
  const depot = await openDepot({ store: storeOver(db) });
  await depot.geofence.add([geofence('yard')]);
  const named = (name: string) => depot.geofence.change('yard', (old) => ({ ...old, name }));
  for (let at = 0; at < 20; at += 1) await named('x'.repeat(100_000 + at));
  expect(countOf(db, 'geofence_versions')).toBe(9);
  await named('y'.repeat(2_000_000));
  await named('z'.repeat(2_000_000));
  expect(countOf(db, 'geofence_versions')).toBe(2);
  expect(depot.geofence.get('yard')?.version).toBe(23);
});

test('the log of changes says how long a value was that is too long for it', async () => {
  const { db } = await openFile();
  const depot = await openDepot({ store: storeOver(db) });
  await depot.geofence.add([geofence('yard', { name: 'x'.repeat(5_000) })]);
  await depot.geofence.change('yard', (old) => ({ ...old, name: 'short' }));
  const [row] = db.all<{ before: string; after: string }>(
    'SELECT before, after FROM change_log ORDER BY seq DESC LIMIT 1',
  );
  expect(JSON.parse(row?.before ?? '')).toEqual({ name: { characters: 5_002 } });
  expect(JSON.parse(row?.after ?? '')).toEqual({ name: 'short' });
});

test('a vehicle that is deleted with all data leaves of itself the name under which it was deleted', async () => {
  const { db } = await openBench();
  const ann = { user_id: 'ann', login: 'Ann', address: '192.0.2.1', request_id: 'r' };
  const depot = await openDepot({ store: storeOver(db), by: () => ann });
  await depot.group.add([group('north')]);
  for (const id of ['van', 'bus']) {
    await depot.vehicle.add([vehicle(id, { group_ids: ['north'], plate: `B-${id}` })]);
    await depot.vehicle.change(id, (old) => ({ ...old, note: `of ${id}` }));
    await depot.profile.add([profile(`camera of ${id}`, id, null)]);
  }
  await depot.profile.remove('camera of van');
  const holding = (id: string) => ({
    vehicles: countOf(db, 'vehicles', `vehicle_id = '${id}'`),
    vehicle_versions: countOf(db, 'vehicle_versions', `vehicle_id = '${id}'`),
    memberships: countOf(db, 'memberships', `member_id = '${id}'`),
    values_in_log: countOf(db, 'change_log', `before LIKE '%${id}%' OR after LIKE '%${id}%'`),
  });
  expect(holding('van')).toEqual({ vehicles: 1, vehicle_versions: 2, memberships: 1, values_in_log: 4 });

  await depot.acts.run((act) => {
    depot.vehicle.staged.remove('van');
    act.write('forgetVehicle', 'van');
  });

  expect(holding('van')).toEqual({ vehicles: 0, vehicle_versions: 0, memberships: 0, values_in_log: 1 });
  expect(holding('bus')).toEqual({ vehicles: 1, vehicle_versions: 2, memberships: 1, values_in_log: 3 });
  const rows = logOf(db).filter((row) => row.resource_id === 'van');
  expect(rows.map(({ actor, before, after }) => ({ actor, before, after }))).toEqual([
    { actor: 'ann', before: null, after: null },
    { actor: 'ann', before: null, after: null },
    { actor: 'ann', before: { name: 'van' }, after: null },
  ]);
});

const prune = (db: Database, before: Partial<typeof keepAll>) => {
  for (;;) {
    if (!pruneSlice({ db, at_ms: morning, by: null }, { ...keepAll, ...before }).more) return;
  }
};

test('what was replaced or deleted before a moment is pruned, and how things were at that moment is not', async () => {
  const { db, depot } = await openBench();
  const { clock } = depot;
  const act = async (run: () => Promise<unknown>) => {
    clock.ms += 10;
    await run();
  };
  await act(() => depot.group.add([group('a'), group('b')]));
  await act(() => depot.vehicle.add([vehicle('van', { group_ids: ['a'] }), vehicle('gone')]));
  for (const name of ['One', 'Two', 'Three'])
    await act(() => depot.vehicle.change('van', (old) => ({ ...old, name, group_ids: ['b'] })));
  await act(() => depot.vehicle.remove('gone'));
  await act(() => depot.geofence.add([geofence('yard')]));
  await act(() => depot.vehicle.change('van', (old) => ({ ...old, name: 'Four' })));

  const limit_ms = morning + 50;
  const asOf = (at_ms: number) => [
    entitiesAt(db, { kind: 'vehicle', at_ms }).map(
      (row) => (JSON.parse(row.record) as { name: string }).name,
    ),
    membershipsAt(db, at_ms).map((it) => it.group_id),
  ];
  expect(asOf(limit_ms - 1)[0]).toEqual(['gone', 'Two']);
  const moments = [0, 10, 20, 30].map((later) => limit_ms + later);
  const before = moments.map(asOf);
  prune(db, { versions_ms: limit_ms });
  expect(moments.map(asOf)).toEqual(before);
  expect(asOf(limit_ms - 1)[0]).toEqual(['gone']);
  expect(countOf(db, 'memberships', 'to_ms IS NOT NULL')).toBe(0);
  prune(db, { versions_ms: clock.ms + 1 });
  expect([
    countOf(db, 'vehicle_versions', "vehicle_id = 'gone'"),
    countOf(db, 'vehicle_versions', "vehicle_id = 'van'"),
    countOf(db, 'geofence_versions'),
  ]).toEqual([0, 1, 1]);
});

test('changes that somebody made are kept as long as the audit log, and streams replay only where the log is whole', async () => {
  const { db } = await openBench();
  const ann = { user_id: 'ann', login: 'Ann', address: '192.0.2.1', request_id: 'r' };
  const change = { topic: 'task', resource_id: 't', visible_to: null };
  const said = { ...change, after: { status: 'cancelled' } };
  for (let at = 0; at < 12_000; at++) {
    logChanges({ db, at_ms: morning + at, by: at % 1_000 === 0 ? ann : null }, [
      at % 1_000 > 0 ? change : said,
    ]);
  }
  prune(db, { changes_ms: morning + 11_500, events_ms: morning + 9_000, audit_ms: morning + 3_000 });
  expect(countOf(db, 'change_log')).toBe(500 + 9);
  expect(countOf(db, 'change_log', "actor = 'ann'")).toBe(9);
  expect(changesAfter(db, { seq: 11_499, limit: 1 })).toBeNull();
  expect(changesAfter(db, { seq: 11_500, limit: 1_000 })).toHaveLength(500);
  // An audit log that is kept for a shorter time than changes leave streams what they need.
  prune(db, { changes_ms: morning + 11_600, audit_ms: morning + 12_000 });
  expect([countOf(db, 'change_log', 'seq > 11600'), countOf(db, 'change_log')]).toEqual([400, 400]);
});
