import { join } from 'node:path';
import { expect, test } from 'vitest';
import { incidentBounds, quotas } from '../../../../server/contract/quotas.ts';
import { openDatabase } from '../../../../server/store/telemetry/database.ts';
import { archiveIncidentsOf, regroupIncidents } from '../../../../server/store/telemetry/incidentErasure.ts';
import { notingClips, openIncidents } from '../../../../server/store/telemetry/incidentFollowUps.ts';
import { changeIncident, createIncident } from '../../../../server/store/telemetry/incidentWrites.ts';
import type { TaskRow } from '../../../../server/store/telemetry/rows.ts';
import { writeTasks } from '../../../../server/store/telemetry/tasksTable.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { batch, morning, notification, opening, task } from './sampleRows.ts';
import { openSampleStore } from './sampleStore.ts';

test('the 201st alarm of a rule and vehicle opens the next incident, which takes those after it', async () => {
  const store = await openSampleStore();
  const ids = Array.from({ length: 203 }, (_, at) => `alarm ${at}`);
  const written = await store.commit(
    batch({
      notifications: ids.map((notification_id) => notification({ notification_id })),
      openings: ids.map((notification_id) =>
        opening({ incident_id: `of ${notification_id}`, notification_id }),
      ),
    }),
  );
  expect(new Set(written.incidents?.map((it) => it.incident_id))).toEqual(
    new Set(['of alarm 0', 'of alarm 200']),
  );
  const rows = await store.incidentsById(['of alarm 0', 'of alarm 200']);
  expect(new Map(rows.map((it) => [it.number, it.alarms.length]))).toEqual(
    new Map([
      [1, 200],
      [2, 3],
    ]),
  );
});

test('where as many incidents are open as may be, alarms go to those of their key alone, but an SOS opens one', async () => {
  const folder = await temporaryFolder();
  await (await openSampleStore({ folder })).close();
  const db = openDatabase(join(folder, 'telemetry.db'), { readOnly: false });
  const open = (incident_id: string, repeat_key: string, opened_by: 'rule' | 'sos' = 'rule') =>
    openIncidents(
      { db, at_ms: morning, by: null },
      [opening({ incident_id, repeat_key, opened_by, notification_id: null })],
      { all: 2, ofUser: 2 },
    ).incidents.map((it) => it.number);
  expect([open('a', 'first'), open('b', 'second'), open('c', 'third')]).toEqual([[1], [2], []]);
  expect([open('d', 'first'), open('e', 'sos van', 'sos'), open('f', 'fourth')]).toEqual([[], [3], []]);
  db.close();
});

test('where the rules of one user opened as many incidents as may be, those of others and of the depot open more', async () => {
  const folder = await temporaryFolder();
  await (await openSampleStore({ folder })).close();
  const db = openDatabase(join(folder, 'telemetry.db'), { readOnly: false });
  const open = (incident_id: string, rule_owner: string | null) =>
    openIncidents(
      { db, at_ms: morning, by: null },
      [opening({ incident_id, repeat_key: incident_id, rule_owner, notification_id: null })],
      { all: 4, ofUser: 1 },
    ).incidents.map((it) => it.number);
  expect([open('a', 'anna'), open('b', 'anna'), open('c', 'ben'), open('d', null)]).toEqual([
    [1],
    [],
    [2],
    [3],
  ]);
  expect([open('e', null), open('f', null)]).toEqual([[4], []]);
  db.close();
});

test('a user who closes incidents to open others cannot reopen them beyond the bound; a dealer can', async () => {
  const folder = await temporaryFolder();
  await (await openSampleStore({ folder })).close();
  const db = openDatabase(join(folder, 'telemetry.db'), { readOnly: false });
  const tx = { db, at_ms: morning, by: { user_id: 'anna', login: 'anna', address: '', request_id: '' } };
  const { notification_id: _, task_ids: _1, ...made } = opening({ opened_by: 'user' });
  const create = (incident_id: string) =>
    createIncident(tx, {
      made: { ...made, incident_id, repeat_key: null },
      ...{ notification_ids: [], tasks: [], owner: null, note: null, isLimited: true },
    });
  const reopen = (isLimited: boolean) =>
    changeIncident(tx, {
      incident_id: 'closed',
      change: { kind: 'reopen', if_version: null, note: null, isLimited },
    });
  db.exec('BEGIN');
  create('closed');
  changeIncident(tx, {
    incident_id: 'closed',
    change: { kind: 'close', if_version: null, reason: 'Test', note: null, vehicle_ids: [] },
  });
  const { most } = quotas.incidents_of_user;
  for (let at = 0; at < most; at++) create(`open ${at}`);
  const refusal = `At most ${most} incidents that one user`;
  expect(() => create('one more')).toThrow(refusal);
  expect(() => reopen(true)).toThrow(refusal);
  expect(reopen(false).incidents).toMatchObject([{ incident_id: 'closed', status: 'open' }]);
  db.exec('COMMIT');
  db.close();
});

test('of vehicles that are archived or change groups the newest 200 incidents are reported', async () => {
  const folder = await temporaryFolder();
  await (await openSampleStore({ folder })).close();
  const db = openDatabase(join(folder, 'telemetry.db'), { readOnly: false });
  const by = { user_id: 'anna', login: 'anna', address: '', request_id: '' };
  const { notification_id: _, task_ids: _1, ...made } = opening({ opened_by: 'user' });
  db.exec('BEGIN');
  for (let at = 0; at < 202; at++) {
    const tx = { db, at_ms: morning + at, by };
    const incident_id = `the ${at}.`;
    createIncident(tx, {
      made: { ...made, incident_id, repeat_key: null, vehicle_id: at === 201 ? 'lorry' : 'van' },
      ...{ notification_ids: [], tasks: [], owner: null, note: null, isLimited: false },
    });
    changeIncident(tx, {
      incident_id,
      change: { kind: 'close', if_version: null, reason: 'Test', note: null, vehicle_ids: [] },
    });
  }
  const archived = archiveIncidentsOf(
    { db, at_ms: morning + 300, by },
    { vehicle_id: 'van', isDeleted: false },
  );
  expect(archived.changes.map((it) => it.resource_id)).toEqual(
    Array.from({ length: 200 }, (_, at) => `the ${200 - at}.`),
  );
  const moved = ['van', 'lorry', 'tram'].map((vehicle_id) => ({
    vehicle_id,
    visible_to: [`${vehicle_id}s`],
  }));
  const regrouped = regroupIncidents({ db, at_ms: morning + 400, by }, moved);
  expect(new Map(regrouped.changes.map((it) => [it.resource_id, it.visible_to]))).toEqual(
    new Map(Array.from({ length: 200 }, (_, at) => [`the ${201 - at}.`, [at === 0 ? 'lorrys' : 'vans']])),
  );
  db.exec('COMMIT');
  db.close();
});

test('snapshots are bounded in count and bytes, of one user and of all, and a dealer is only bound by those of all', async () => {
  const folder = await temporaryFolder();
  await (await openSampleStore({ folder })).close();
  const db = openDatabase(join(folder, 'telemetry.db'), { readOnly: false });
  const { notification_id: _, task_ids: _1, ...made } = opening({ opened_by: 'user' });
  const by = { user_id: 'anna', login: 'anna', address: '', request_id: '' };
  const tx = { db, at_ms: morning, by };
  createIncident(tx, {
    made: { ...made, incident_id: 'here', repeat_key: null },
    ...{ notification_ids: [], tasks: [], owner: null, note: null, isLimited: true },
  });
  const snapshot = (snapshot_id: string, size_bytes = 100) => ({
    ...{ snapshot_id, kind: 'map' as const, time_ms: morning, vehicle_id: null, channel: null, note: null },
    ...{ width: 1, height: 1, size_bytes, sha256: '' },
  });
  const attach = (isLimited: boolean, size_bytes?: number) => () =>
    changeIncident(tx, {
      incident_id: 'here',
      change: {
        kind: 'attach_snapshot',
        snapshot: snapshot(`of ${isLimited}`, size_bytes),
        shown: [],
        isLimited,
      },
    });
  const fill = (user: string, count: number, bytes: number) => {
    db.run('DELETE FROM incident_snapshots');
    db.run(
      `WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < ?)
        INSERT INTO incident_snapshots SELECT 's' || at, 'elsewhere', 'map', 0, '', NULL, NULL, 1, 1, ?, '', ?, 0 FROM n`,
      [count, bytes, user],
    );
  };
  const { snapshots, snapshots_of_user, snapshot_bytes, snapshot_bytes_of_user } = quotas;
  const atMost = ({ most }: { most: number }) => `At most ${most.toLocaleString('en')} `;
  db.exec('BEGIN');
  fill('anna', snapshots_of_user.most, 1);
  expect(attach(true)).toThrow(atMost(snapshots_of_user));
  expect(attach(false)().incidents[0]?.snapshots).toHaveLength(1);
  fill('anna', 1, snapshot_bytes_of_user.most - 100);
  expect(attach(true, 101)).toThrow(atMost(snapshot_bytes_of_user));
  expect(attach(true)().incidents[0]?.snapshots).toHaveLength(1);
  fill('boris', snapshots.most, 1);
  for (const isLimited of [true, false]) expect(attach(isLimited)).toThrow(atMost(snapshots));
  fill('boris', 1, snapshot_bytes.most - 100);
  for (const isLimited of [true, false]) expect(attach(isLimited, 101)).toThrow(atMost(snapshot_bytes));
  db.exec('COMMIT');
  db.close();
});

test('a clip that is requested again and fails again and again is noted so often as an incident takes entries', async () => {
  const folder = await temporaryFolder();
  const store = await openSampleStore({ folder });
  const failed = task({ status: 'failed', error: { code: 'bad_media', detail: 'No disk' } });
  await store.commit(batch({ tasks: [task()], openings: [opening({ task_ids: ['task'] })] }));
  await store.close();
  const { entries, hostEntries } = incidentBounds;
  const db = openDatabase(join(folder, 'telemetry.db'), { readOnly: false });
  db.run('UPDATE incidents SET entries = ?', [entries + hostEntries - 2]);
  const tx = { db, at_ms: morning, by: null };
  const linesOf = (row: TaskRow) => {
    db.exec('BEGIN');
    const { incidents } = notingClips(tx, [row], () => writeTasks(db, [row]));
    db.exec('COMMIT');
    return incidents.map((it) => it.entries - entries - hostEntries);
  };
  const lines = Array.from({ length: 4 }, () => [linesOf(failed), linesOf(task())]);
  expect(lines.map(([ofFailed]) => ofFailed)).toEqual([[-1], [0], [], []]);
  db.close();
});
