import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { ActRefused, DiskFull, StoreFailed } from '../../../../server/store/storeErrors.ts';
import { batch, event, morning, position } from '../telemetry/sampleRows.ts';
import { openSampleStore, wholeTrack } from '../telemetry/sampleStore.ts';
import {
  countOf,
  geofence,
  group,
  openDepot,
  openFile,
  profile,
  rule,
  storeOver,
  user,
  vehicle,
} from './depotBench.ts';

async function openBench(by?: Parameters<typeof openDepot>[0]['by']) {
  const { db } = await openFile();
  const store = storeOver(db);
  return { db, store, depot: await openDepot({ store, ...(by && { by }) }) };
}

test('an act stores what it staged in several collections at once, and shows it after the commit', async () => {
  const { db, store, depot } = await openBench();
  const seen: string[] = [];
  depot.group.onChange(() => seen.push(`group ${depot.vehicle.all().length}`));
  depot.vehicle.onChange(() => seen.push(`vehicle ${depot.group.all().length}`));
  const added = depot.acts.run((act) => {
    depot.group.staged.add([group('north')]);
    expect(depot.group.get('north')?.version).toBe(1);
    depot.vehicle.staged.add([vehicle('van', { group_ids: ['north'] })]);
    expect(depot.vehicle.all()).toHaveLength(1);
    act.afterCommit(() => seen.push(`after commit ${depot.vehicle.all().length}`));
    return depot.vehicle.get('van');
  });
  expect(depot.vehicle.all()).toEqual([]);
  expect((await added)?.group_ids).toEqual(['north']);
  expect(depot.vehicle.get('van')).toBe(await added);
  // Every collection shows the whole act before anybody is called.
  expect(seen).toEqual(['after commit 1', 'group 1', 'vehicle 1']);
  expect(store.sent).toHaveLength(1);
  expect([countOf(db, 'groups'), countOf(db, 'vehicles'), countOf(db, 'memberships')]).toEqual([1, 1, 1]);
  expect(depot.committed.map(({ seq, topic }) => [seq, topic])).toEqual([
    [1, 'group'],
    [2, 'vehicle'],
  ]);
});

test('an act whose stage throws stores nothing, and leaves nothing to the acts after it', async () => {
  const { db, depot } = await openBench();
  const failing = depot.acts.run(() => {
    depot.group.staged.add([group('north')]);
    throw new Error('no');
  });
  const next = depot.acts.run(() => depot.group.get('north'));
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBeUndefined();
  expect([countOf(db, 'groups'), countOf(db, 'change_log')]).toEqual([0, 0]);
});

test('what stages outside of an act is refused', async () => {
  const { depot } = await openBench();
  expect(() => depot.group.staged.add([group('north')])).toThrow('no act is being staged');
  expect(() => depot.group.staged.remove('north')).toThrow('no act is being staged');
});

test('acts of one turn are stored together, each on top of those before it', async () => {
  const { store, depot } = await openBench();
  const all = await Promise.all([
    depot.group.add([group('north')]),
    depot.group.change('north', (old) => ({ ...old, name: 'Nord' })),
    depot.group.change('north', (old) => ({ ...old, name: `${old.name} 2` })),
  ]);
  expect(store.sent.map((acts) => acts.length)).toEqual([3]);
  expect(all[2]).toMatchObject({ name: 'Nord 2', version: 3 });
  expect(depot.group.get('north')).toBe(all[2]);
});

test('a thousand changes that are asked for at once are sixteen transactions', async () => {
  const { db, store, depot } = await openBench();
  await depot.vehicle.add(Array.from({ length: 1_000 }, (_, at) => vehicle(`v${at}`)));
  await Promise.all(
    depot.vehicle.all().map((it) => depot.vehicle.change(it.vehicle_id, (old) => ({ ...old, plate: 'B-1' }))),
  );
  expect(store.sent).toHaveLength(1 + 16);
  expect(countOf(db, 'change_log')).toBe(2_000);
});

test('64 acts at most are stored together', async () => {
  const { store, depot } = await openBench();
  await Promise.all(Array.from({ length: 100 }, (_, at) => depot.group.add([group(`g${at}`)])));
  expect(store.sent.map((acts) => acts.length)).toEqual([64, 36]);
});

test('acts whose records are large are stored a few at a time', async () => {
  const { store, depot } = await openBench();
  const large = (id: string) => depot.group.add([group(id, id.repeat(40_000))]);
  await Promise.all(['a', 'b', 'c', 'd'].map(large));
  expect(store.sent.map((acts) => acts.length)).toEqual([3, 1]);
});

test('an act one of whose statements fails stores nothing, and the acts after it are staged again', async () => {
  const { db, store, depot } = await openBench();
  const failing = depot.acts.run((act) => {
    depot.group.staged.add([group('north')]);
    act.write('deleteSessions', ['s']);
    act.write('saveSessions', [{ session_id: 's', user_id: null as never } as never]);
  });
  const next = depot.acts.run(() => {
    const isThere = depot.group.get('north') !== undefined;
    depot.group.staged.add([group('south')]);
    return isThere;
  });
  await expect(failing).rejects.toBeInstanceOf(StoreFailed);
  expect(await next).toBe(false);
  expect(store.sent.map((acts) => acts.length)).toEqual([2, 1]);
  expect(depot.group.all().map((it) => it.group_id)).toEqual(['south']);
  expect([countOf(db, 'groups'), countOf(db, 'change_log'), depot.reloads()]).toEqual([1, 1, 0]);
});

test('of two acts staged on one another the first is refused, and the second is staged again', async () => {
  const { store, db, depot } = await openBench();
  // What no collection shows: the mirror decides rightly as long as nobody else writes.
  db.run(
    "INSERT INTO vehicles (vehicle_id, version, terminal_key, record) VALUES ('ghost', 1, 't-van', '{}')",
  );
  const first = depot.vehicle.add([vehicle('van')]);
  let runs = 0;
  const second = depot.acts.run(() => {
    runs += 1;
    return depot.vehicle.staged.change('van', (old) => ({ ...old, name: 'never' })) ?? 'no such vehicle';
  });
  await expect(first).rejects.toMatchObject({
    name: 'ActRefused',
    reason: 'taken',
    message: 'The terminal ID belongs to a vehicle already.',
  });
  expect(await second).toBe('no such vehicle');
  expect([runs, store.sent.length]).toEqual([2, 1]);
  expect(depot.vehicle.all()).toEqual([]);
});

test('a version that is not the expected one is stale: staged again three times, then refused', async () => {
  const { db, store, depot } = await openBench();
  await depot.group.add([group('north')]);
  db.run('UPDATE groups SET version = 9');
  await expect(depot.group.change('north', (old) => ({ ...old, name: 'Nord' }))).rejects.toMatchObject({
    name: 'ActRefused',
    reason: 'stale',
  });
  expect(store.sent).toHaveLength(1 + 4);
  expect(depot.group.get('north')?.name).toBe('north');
});

test('a removal of what a rule names is in use, and a rule that names what is gone is refused, in either order', async () => {
  const { depot } = await openBench();
  await depot.geofence.add([geofence('a'), geofence('b')]);
  const outcomes = await Promise.allSettled([
    depot.rule.add([rule('first', { geozone_ids: ['a'] })]),
    depot.geofence.remove('a'),
  ]);
  expect(outcomes.map((it) => it.status)).toEqual(['fulfilled', 'rejected']);
  expect(outcomes[1]).toMatchObject({ reason: { name: 'ActRefused', reason: 'in_use' } });
  const reversed = await Promise.allSettled([
    depot.geofence.remove('b'),
    depot.rule.add([rule('second', { geozone_ids: ['b'] })]),
  ]);
  expect(reversed.map((it) => it.status)).toEqual(['fulfilled', 'rejected']);
  expect(depot.rule.all().map((it) => it.rule_id)).toEqual(['first']);
});

test('a group goes once nothing is in it any more, in one act with what leaves it', async () => {
  const { db, depot } = await openBench();
  await depot.group.add([group('north'), group('south')]);
  await depot.vehicle.add([vehicle('van', { group_ids: ['north', 'south'] })]);
  await depot.geofence.add([geofence('yard', { group_ids: ['north'] })]);
  await expect(depot.group.remove('south')).rejects.toMatchObject({ reason: 'in_use' });
  await depot.acts.run(() => {
    for (const it of depot.vehicle.all())
      depot.vehicle.staged.change(it.vehicle_id, (old) => ({
        ...old,
        group_ids: old.group_ids.filter((id) => id !== 'north'),
      }));
    depot.geofence.staged.remove('yard');
    depot.group.staged.remove('north');
  });
  expect(depot.vehicle.get('van')?.group_ids).toEqual(['south']);
  expect([countOf(db, 'groups'), countOf(db, 'memberships', 'to_ms IS NULL')]).toEqual([1, 1]);
});

test('the last active dealer stays, and an act may exchange it for another', async () => {
  const { depot } = await openBench();
  await depot.user.add([user('anna'), user('ben', { role: 'user' })]);
  const block = () => depot.user.change('anna', (old) => ({ ...old, blocked: true }));
  await expect(block()).rejects.toMatchObject({ reason: 'in_use' });
  await depot.acts.run(() => {
    depot.user.staged.change('anna', (old) => ({ ...old, blocked: true }));
    depot.user.staged.change('ben', (old) => ({ ...old, role: 'dealer' }));
  });
  expect(depot.user.get('ben')?.role).toBe('dealer');
});

test('two vehicles exchange their terminals in one act', async () => {
  const { depot } = await openBench();
  await depot.vehicle.add([vehicle('a'), vehicle('b')]);
  await depot.vehicle.changeMany(['a', 'b'], (old) => ({
    ...old,
    terminal_id: old.vehicle_id === 'a' ? 't-b' : 't-a',
  }));
  expect(depot.vehicle.all().map((it) => it.terminal_id)).toEqual(['t-b', 't-a']);
  await expect(depot.vehicle.change('a', (old) => ({ ...old, terminal_id: '0T-A' }))).rejects.toBeInstanceOf(
    ActRefused,
  );
});

test('what is changed twice in one act is one version and one line of the log', async () => {
  const { db, depot } = await openBench();
  await depot.vehicle.add([vehicle('van')]);
  await depot.acts.run(() => {
    depot.vehicle.staged.change('van', (old) => ({ ...old, name: 'one' }));
    depot.vehicle.staged.change('van', (old) => ({ ...old, name: 'two' }));
    // Added and removed again: it never was.
    depot.group.staged.add([group('north')]);
    depot.group.staged.remove('north');
  });
  expect(depot.vehicle.get('van')).toMatchObject({ name: 'two', version: 2 });
  expect(countOf(db, 'change_log')).toBe(2);
  expect(countOf(db, 'vehicle_versions')).toBe(2);
});

test('a key that was used brings nothing about again, and its response is stored with the act', async () => {
  const { db, depot } = await openBench();
  const once = {
    user_id: 'anna',
    operation: 'createVehicle',
    key: 'k',
    fingerprint: Uint8Array.of(1, 2),
    max: 10,
    present: (added: { vehicle_id: string }[]) => JSON.stringify(added.map((it) => it.vehicle_id)),
  };
  await depot.acts.run(() => depot.vehicle.staged.add([vehicle('van')]), { once });
  expect(db.get('SELECT key, response, at_ms FROM idempotency_keys')).toEqual({
    key: 'k',
    response: '["van"]',
    at_ms: morning,
  });
  const again = depot.acts.run(() => depot.vehicle.staged.add([vehicle('bus')]), { once });
  await expect(again).rejects.toMatchObject({ name: 'ActRefused', reason: 'key_used' });
  expect(countOf(db, 'vehicles')).toBe(1);
});

test('further operations and sealed documents are stored with the act, and their results come back', async () => {
  const { db, depot } = await openBench();
  const results: unknown[] = [];
  await depot.acts.run((act) => {
    act.write('recordChanges', [{ topic: 'rule', resource_id: 's', visible_to: ['g'] }], (written) =>
      results.push(written.changes[0]?.resource_id),
    );
    act.intent(
      { document: 'settings', version: 4, sealed: Uint8Array.of(9) },
      {
        topic: 'settings',
        resource_id: 'settings',
        visible_to: null,
        version: 4,
        before: { name: 'a' },
        after: { name: 'b' },
      },
    );
  });
  expect(results).toEqual(['s']);
  expect(db.get('SELECT document, version FROM document_intents')).toEqual({
    document: 'settings',
    version: 4,
  });
  expect(countOf(db, 'change_log', 'topic = \'settings\' AND after = \'{"name":"b"}\'')).toBe(1);
});

test('each act is staged and logged on behalf of who asked for it', async () => {
  const callers = new AsyncLocalStorage<string>();
  const { db, depot } = await openBench(() => {
    const user_id = callers.getStore();
    return user_id === undefined
      ? null
      : { user_id, login: `the ${user_id}`, address: '::1', request_id: '' };
  });
  await Promise.all([
    callers.run('a', () => depot.group.add([group('north')])),
    callers.run('b', () => depot.group.add([group('south')])),
    depot.group.add([group('west')]),
  ]);
  expect(
    db
      .all('SELECT resource_id, actor, actor_name, address FROM change_log ORDER BY seq')
      .map((row) => ({ ...row })),
  ).toEqual([
    { resource_id: 'north', actor: 'a', actor_name: 'the a', address: '::1' },
    { resource_id: 'south', actor: 'b', actor_name: 'the b', address: '::1' },
    { resource_id: 'west', actor: null, actor_name: null, address: null },
  ]);
});

test('after a store that failed the collections are loaded again, and show what was stored all the same', async () => {
  const { db } = await openFile();
  const store = storeOver(db);
  let fate: 'stored' | 'lost' | null = null;
  const depot = await openDepot({
    store: {
      ...store,
      async act(acts) {
        const outcomes = fate === 'lost' ? [] : await store.act(acts);
        if (fate === null) return outcomes;
        fate = null;
        throw new StoreFailed('the writer has died');
      },
    },
  });
  await depot.group.add([group('north')]);
  const changes: unknown[] = [];
  depot.group.onChange((it) => changes.push(...it.map(({ before, after }) => [before?.name, after?.name])));

  fate = 'stored';
  const failed = depot.group.change('north', (old) => ({ ...old, name: 'Nord' }));
  await expect(failed).rejects.toBeInstanceOf(StoreFailed);
  expect((await depot.group.change('north', (old) => ({ ...old, name: `${old.name} 2` })))?.version).toBe(3);
  fate = 'lost';
  await expect(depot.group.remove('north')).rejects.toBeInstanceOf(StoreFailed);
  expect((await depot.group.change('north', (old) => old))?.name).toBe('Nord 2');
  expect(changes).toEqual([
    ['north', 'Nord'],
    ['Nord', 'Nord 2'],
  ]);
  expect(depot.reloads()).toBe(2);
});

test('a record that is not of its form stops the loading and is named', async () => {
  const { db } = await openFile();
  db.run("INSERT INTO rules (rule_id, version, record) VALUES ('r1', 1, '{}')");
  await expect(openDepot({ store: storeOver(db) })).rejects.toThrow(
    'the rule r1 in the database is not of its form',
  );
});

test('records are loaded in the order in which they were added, with their groups in order', async () => {
  const { db } = await openFile();
  const before = await openDepot({ store: storeOver(db) });
  const ids = [randomUUID(), randomUUID(), randomUUID()];
  await before.group.add(ids.map((id) => group(id)));
  await before.vehicle.add([vehicle('z', { group_ids: ids.toReversed() })]);
  before.clock.ms += 1_000;
  await before.vehicle.add([vehicle('b'), vehicle('a')]);
  await before.profile.add([profile('p', 'z', 'secret name')]);
  const after = await openDepot({ store: storeOver(db) });
  expect(after.vehicle.all().map((it) => it.vehicle_id)).toEqual(['z', 'a', 'b']);
  expect(after.vehicle.get('z')).toEqual(before.vehicle.get('z'));
  expect(after.profile.all()).toEqual(before.profile.all());
});

test('closing waits for the acts that were asked for, and refuses later ones', async () => {
  const { db, depot } = await openBench();
  const added = depot.group.add([group('north')]);
  await depot.acts.close();
  expect(countOf(db, 'groups')).toBe(1);
  await added;
  await expect(depot.group.add([group('south')])).rejects.toBeInstanceOf(StoreFailed);
});

test('a refused act is undone alone, while the positions of its transaction are committed', async () => {
  const store = await openSampleStore();
  const depot = await openDepot({ store });
  await depot.vehicle.add([vehicle('bus', { terminal_id: '7' })]);
  const outcomes = await Promise.allSettled([
    store.commit(batch({ positions: [position()] })),
    depot.vehicle.add([vehicle('van', { terminal_id: '07' })]),
    store.commit(batch({ events: [event()] })),
  ]);
  expect(outcomes.map((it) => it.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await wholeTrack(store, 'van')).toHaveLength(1);
  expect(await store.events({ limit: 9 })).toHaveLength(1);
  expect((await store.loadEntities('vehicle')).map((it) => it.id)).toEqual(['bus']);
  // Numbers of the log are given without gaps.
  expect((await store.changesAfter({ seq: 0, limit: 9 }))?.map(({ seq, topic }) => [seq, topic])).toEqual([
    [1, 'vehicle'],
    [2, 'event'],
  ]);
});

test('acts that the writer died with are stored or not, and the collections show which', async () => {
  const workers: Worker[] = [];
  const notice = (worker: Worker) => workers.push(worker);
  process.on('worker', notice);
  onTestFinished(() => void process.off('worker', notice));
  const store = await openSampleStore();
  const depot = await openDepot({ store });
  const [writer] = workers;
  const first = depot.vehicle.add([vehicle('first')]);
  await first;
  const asked = Array.from({ length: 200 }, (_, at) => depot.vehicle.add([vehicle(`v${at}`)]));
  await asked[0];
  await writer?.terminate();
  const outcomes = await Promise.allSettled(asked);
  for (const it of outcomes) if (it.status === 'rejected') expect(it.reason).toBeInstanceOf(StoreFailed);
  await depot.vehicle.change('first', (old) => ({ ...old, name: 'it goes on' }));
  const stored = (await store.loadEntities('vehicle')).map((it) => it.id);
  expect(
    depot.vehicle
      .all()
      .map((it) => it.vehicle_id)
      .sort(),
  ).toEqual(stored.toSorted());
  for (const [at, it] of outcomes.entries())
    if (it.status === 'fulfilled') expect(stored).toContain(`v${at}`);
});

test('a full disk fails acts that do not fit, keeps those that do, and collections and tables agree', async () => {
  const store = await openSampleStore({ maxPages: 150 });
  const depot = await openDepot({ store });
  const heavy = (at: number) =>
    vehicle(`v${at}`, {
      attributes: Object.fromEntries(Array.from({ length: 20 }, (_, key) => [`k${key}`, 'x'.repeat(400)])),
    });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 60 }, (_, at) => depot.vehicle.add([heavy(at)])),
  );
  const failed = outcomes.flatMap((it) => (it.status === 'rejected' ? [it.reason as unknown] : []));
  expect(failed.length).toBeGreaterThan(0);
  expect(failed.length).toBeLessThan(60);
  for (const error of failed) expect(error).toBeInstanceOf(DiskFull);
  const stored = await store.loadEntities('vehicle');
  expect(stored).toHaveLength(60 - failed.length);
  expect(
    depot.vehicle
      .all()
      .map((it) => it.vehicle_id)
      .sort(),
  ).toEqual(stored.map((it) => it.id).sort());
  await depot.vehicle.remove(stored[0]?.id ?? '');
  await depot.vehicle.remove(stored[1]?.id ?? '');
});
