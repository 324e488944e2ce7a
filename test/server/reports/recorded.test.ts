import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { reportRoutes, reportSchemas } from '../../../server/contract/reports.ts';
import { openHistoryReader, type HistoryReader } from '../../../server/store/telemetry/historyReader.ts';
import { addVehicle, openDepot } from '../../journey/depot.ts';
import { pathOf } from '../../support/caller.ts';
import { batch, event, morning, notification, task } from '../store/telemetry/sampleRows.ts';
import { openSampleStore } from '../store/telemetry/sampleStore.ts';
import { temporaryFolder } from '../store/temporaryFolder.ts';
import { day, hour, minute, orderFor, reportOn, van } from './drives.ts';

const iso = (ms: number) => new Date(ms).toISOString();
const vehicle_id = van.vehicle_id;
const period = { from_ms: morning - hour, to_ms: morning + day };
const noFilter = orderFor('events', period).filter;

async function storedReader(): Promise<HistoryReader> {
  const folder = await temporaryFolder();
  const store = await openSampleStore({ folder });
  const events = Array.from({ length: 2_100 }, (_, at) =>
    event({
      event_id: `e${String(at).padStart(4, '0')}`,
      vehicle_id,
      time_ms: morning + at * 1_000,
      rule_id: 'r1',
    }),
  );
  const { details } = event();
  await store.commit(
    batch({
      events: [
        ...events,
        event({
          ...{ event_id: 'sos', kind: 'sos', vehicle_id, time_ms: morning + 2 * hour, lat: 52, lon: 13 },
          ...{ geozone_id: 'g1', details: { ...details, measured: 91, threshold: 80, unit: 'km/h' } },
        }),
        event({ event_id: 'before', vehicle_id, time_ms: period.from_ms - 1 }),
        event({ event_id: 'after', vehicle_id, time_ms: period.to_ms }),
        event({ event_id: 'other', vehicle_id: 'v2' }),
      ],
      notifications: [
        notification({
          ...{ vehicle_id, event_ids: ['sos'], last_ms: morning + 2 * hour, first_ms: morning + 2 * hour },
          ...{
            severity: 'alarm',
            ack: { user_id: 'ann', at_ms: morning + 2 * hour + minute, note: 'called' },
          },
        }),
        notification({ notification_id: 'open', vehicle_id, event_ids: ['e0000'] }),
      ],
      tasks: [
        task({ vehicle_id, task_id: 't1', created_ms: morning + minute, from_ms: morning, rule_id: 'r1' }),
        task({
          ...{ vehicle_id, task_id: 't2', created_ms: morning + 2 * minute, done_ms: morning + 5 * minute },
          ...{ status: 'done', file: fileOf(7_000_000) },
        }),
        task({ vehicle_id, task_id: 'old', created_ms: period.from_ms - 1 }),
      ],
    }),
  );
  const reader = openHistoryReader(join(folder, 'telemetry.db'));
  onTestFinished(() => reader.close());
  return reader;
}

function fileOf(size_bytes: number) {
  return {
    ...{ size_bytes, duration_s: 29.5, content_type: 'video/mp4', sha256: '', width: 640, height: 360 },
    starts_at: null,
  };
}

describe('a report of events', () => {
  test('a report of events has those of the period in order of time, with what became of their notifications', async () => {
    const reader = await storedReader();
    const { rows } = reportOn('events', reader, { period });
    expect(rows).toHaveLength(2_101);
    expect(rows.map((it) => it.time)).toEqual(rows.map((it) => it.time).toSorted());
    expect(rows.at(-1)).toMatchObject({
      ...{ kind: 'sos', time: iso(morning + 2 * hour), geozone_id: 'g1', measured: 91, threshold: 80 },
      ...{ severity: 'alarm', acknowledged_at: iso(morning + 2 * hour + minute), acknowledged_by: 'ann' },
      ...{ acknowledged_after_s: 60, note: 'called', place: { lat: 52, lon: 13 } },
    });
    expect(rows[0]).toMatchObject({
      event_id: 'e0000',
      notification_id: 'open',
      acknowledged_at: null,
      place: null,
    });
    expect(rows[1]).toMatchObject({ notification_id: null, rule_id: 'r1' });
  });

  test('a report of events is cut down by kind, rule and acknowledgement', async () => {
    const reader = await storedReader();
    const ids = (filter: object) =>
      reportOn('events', reader, { period, filter: { ...noFilter, ...filter } }).rows.map(
        (it) => it.event_id,
      );
    expect(ids({ kinds: ['sos'] })).toEqual(['sos']);
    expect(ids({ rule_id: 'r1' })).toHaveLength(2_100);
    expect(ids({ acknowledged: true })).toEqual(['sos']);
    expect(ids({ acknowledged: false })).toEqual(['e0000']);
  });

  test('a report of events names no geofence and no rule that the caller does not see', async () => {
    const reader = await storedReader();
    const seen = { geozone_ids: [], rule_ids: ['r2'] };
    const { rows } = reportOn('events', reader, { period, filter: { ...noFilter, seen } });
    expect(new Set(rows.map((it) => it.rule_id))).toEqual(new Set([null]));
    expect(rows.at(-1)?.geozone_id).toBeNull();
  });
});

test('a report of video has the requests of the period with their times and bytes', async () => {
  const reader = await storedReader();
  expect(reportOn('video', reader, { period }).rows).toMatchObject([
    {
      task_id: 't1',
      status: 'queued',
      duration_s: 30,
      size_bytes: null,
      done_at: null,
      took_s: null,
      rule_id: 'r1',
    },
    { task_id: 't2', status: 'done', duration_s: 29.5, size_bytes: 7_000_000, took_s: 180 },
  ]);
  const done = reportOn('video', reader, { period, filter: { ...noFilter, statuses: ['done'] } });
  expect(done.rows.map((it) => it.task_id)).toEqual(['t2']);
});

test('reports of events and of video take the right to what they show, beside that to reports', async () => {
  const { dealer, host } = await openDepot();
  const group_id = (await dealer.post('/api/v1/groups', { name: 'North' })).body.group_id as string;
  await addVehicle(dealer, '2', { group_ids: [group_id] });
  const query = { from: iso(period.from_ms), to: iso(period.to_ms) };
  const password = 'a user of the depot';
  async function of(login: string, rights: object) {
    await dealer.post('/api/v1/users', { login, password, group_ids: [group_id], rights });
    const caller = await host.login(login, password);
    const codes = [];
    for (const kind of ['events', 'video', 'daily'] as const) {
      const answer = await caller.get(pathOf(reportRoutes[kind], { query }));
      codes.push(answer.code ?? reportSchemas[kind].parse(answer.body).vehicles);
    }
    return codes;
  }
  expect(await of('ann', { notifications: 'none', video: 'none' })).toEqual(['forbidden', 'forbidden', 1]);
  expect(await of('bob', { notifications: 'read', video: 'read' })).toEqual([1, 1, 1]);
  expect(await of('eve', { reports: 'none', video: 'read' })).toEqual([
    'forbidden',
    'forbidden',
    'forbidden',
  ]);
});
