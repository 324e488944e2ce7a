import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventQuery, EventRow } from '../../../../server/store/telemetry/rows.ts';
import { batch, event, morning, notification, task } from './sampleRows.ts';
import { openSampleStore } from './sampleStore.ts';

const vehicles = Array.from({ length: 100 }, (_, index) => `vehicle ${index}`);
const geofences = ['yard', 'gate'];

test('paging through events, many of them at the same moment, meets each once, whatever the filter', async () => {
  const store = await openSampleStore();
  const kinds = ['overspeed', 'sos', 'geofence_enter'] as const;
  const rows = Array.from({ length: 600 }, (_, index) =>
    event({
      event_id: `e${(index * 7919) % 600}`,
      kind: kinds[index % 3] ?? 'sos',
      vehicle_id: vehicles[index % 100] ?? '',
      geozone_id: geofences[index % 7] ?? null,
      time_ms: morning + Math.floor(index / 97),
    }),
  );
  await store.commit(batch({ events: rows }));

  const newestFirst = rows.toSorted((a, b) => b.time_ms - a.time_ms || (a.event_id < b.event_id ? 1 : -1));
  await fc.assert(
    fc.asyncProperty(
      fc.record(
        {
          limit: fc.integer({ min: 7, max: 250 }),
          // Below and above the number from which vehicles are no longer asked one by one.
          vehicle_ids: fc.oneof(
            fc.array(fc.constantFrom(...vehicles), { maxLength: 5 }),
            fc.shuffledSubarray(vehicles, { minLength: 70 }),
          ),
          kinds: fc.subarray([...kinds]),
          geozone_id: fc.constantFrom(...geofences, 'unknown'),
          from_ms: fc.integer({ min: morning - 1, max: morning + 7 }),
          to_ms: fc.integer({ min: morning - 1, max: morning + 7 }),
          event_ids: fc.subarray(rows.map((row) => row.event_id)),
        },
        { requiredKeys: ['limit'] },
      ),
      async (query) => {
        const expected = newestFirst.filter((row) => matches(row, query));
        const found: EventRow[] = [];
        for (;;) {
          const last = found.at(-1);
          const page = await store.events({
            ...query,
            ...(last && { before: { ms: last.time_ms, id: last.event_id } }),
          });
          found.push(...page);
          if (page.length < query.limit) break;
        }
        expect(found.map((row) => row.event_id)).toEqual(expected.map((row) => row.event_id));
      },
    ),
    { numRuns: 60 },
  );
});

function matches(row: EventRow, query: EventQuery): boolean {
  return (
    (query.vehicle_ids?.includes(row.vehicle_id ?? '') ?? true) &&
    (query.kinds?.includes(row.kind) ?? true) &&
    (query.geozone_id === undefined || query.geozone_id === row.geozone_id) &&
    (query.event_ids?.includes(row.event_id) ?? true) &&
    row.time_ms >= (query.from_ms ?? -Infinity) &&
    row.time_ms <= (query.to_ms ?? Infinity)
  );
}

test('the queue is filtered by state, severity, vehicle and period, newest first', async () => {
  const store = await openSampleStore();
  const rows = [
    notification({ notification_id: 'a', last_ms: morning + 10, severity: 'alarm' }),
    notification({ notification_id: 'b', last_ms: morning + 10, vehicle_id: 'bus' }),
    notification({ notification_id: 'c', last_ms: morning + 20, state: 'acknowledged' }),
    notification({ notification_id: 'd', first_ms: morning + 25, last_ms: morning + 30, severity: 'info' }),
  ];
  await store.saveNotifications(rows);
  const idsOf = async (query: Parameters<typeof store.notifications>[0]) =>
    (await store.notifications(query)).map((row) => row.notification_id).join('');

  expect(await idsOf({ limit: 9 })).toBe('dcba');
  expect(await idsOf({ limit: 9, state: 'open' })).toBe('dba');
  expect(await idsOf({ limit: 2, state: 'open' })).toBe('db');
  expect(await idsOf({ limit: 2, state: 'open', before: { ms: morning + 10, id: 'b' } })).toBe('a');
  expect(await idsOf({ limit: 9, severities: ['alarm', 'info'] })).toBe('da');
  expect(await idsOf({ limit: 9, vehicle_ids: ['van'], state: 'open' })).toBe('da');
  expect(await idsOf({ limit: 9, vehicle_ids: ['bus', ...vehicles], state: 'open' })).toBe('b');
  expect(await idsOf({ limit: 9, vehicle_ids: [] })).toBe('');
  // Those whose events touch the period.
  expect(await idsOf({ limit: 9, from_ms: morning + 15, to_ms: morning + 24 })).toBe('c');

  const recent = await store.recentNotifications(morning + 20);
  expect(recent.map((row) => row.notification_id).toSorted()).toEqual(['c', 'd']);
  const later = await store.recentNotifications(morning + 21);
  expect(later.map((row) => row.notification_id)).toEqual(['d']);
});

test('the tasks of an event are listed newest first, of those vehicles alone that are asked for', async () => {
  const store = await openSampleStore();
  await store.saveTasks([
    task({ task_id: 'a', created_ms: morning + 2, event_id: 'crash' }),
    task({ task_id: 'b', created_ms: morning + 1, event_id: 'crash', status: 'done' }),
    task({ task_id: 'c', created_ms: morning + 3, event_id: 'other' }),
    task({ task_id: 'd', created_ms: morning + 3 }),
  ]);
  const idsOf = async (query: Partial<Parameters<typeof store.tasks>[0]>) =>
    (await store.tasks({ limit: 9, event_id: 'crash', ...query })).map((row) => row.task_id).join('');

  expect(await idsOf({})).toBe('ab');
  expect(await idsOf({ limit: 1 })).toBe('a');
  expect(await idsOf({ before: { ms: morning + 2, id: 'a' } })).toBe('b');
  expect(await idsOf({ statuses: ['done'] })).toBe('b');
  expect(await idsOf({ to_ms: morning - 1 })).toBe('');
  expect(await idsOf({ vehicle_ids: ['van'] })).toBe('ab');
  expect(await idsOf({ vehicle_ids: ['bus'] })).toBe('');
  expect(await idsOf({ vehicle_ids: [] })).toBe('');
  expect(await idsOf({ vehicle_ids: ['van', ...vehicles] })).toBe('ab');
  expect(await idsOf({ event_id: 'nothing' })).toBe('');
});

test('tasks are listed newest first by status, vehicle and the period that they overlap', async () => {
  const store = await openSampleStore();
  await store.saveTasks([
    task({ task_id: 'a', created_ms: morning + 2, status: 'done' }),
    task({ task_id: 'b', created_ms: morning + 1, vehicle_id: 'bus', status: 'waiting' }),
    task({ task_id: 'c', created_ms: morning + 1, from_ms: morning + 90_000, to_ms: morning + 99_000 }),
  ]);
  const idsOf = async (query: Parameters<typeof store.tasks>[0]) =>
    (await store.tasks(query)).map((row) => row.task_id).join('');

  expect(await idsOf({ limit: 9 })).toBe('acb');
  expect(await idsOf({ limit: 9, before: { ms: morning + 1, id: 'c' } })).toBe('b');
  expect(await idsOf({ limit: 9, statuses: ['waiting', 'queued'] })).toBe('cb');
  expect(await idsOf({ limit: 9, vehicle_ids: ['bus'] })).toBe('b');
  expect(await idsOf({ limit: 9, from_ms: morning + 30_001 })).toBe('c');
  expect(await idsOf({ limit: 9, from_ms: morning + 30_000, to_ms: morning + 89_999 })).toBe('ab');

  expect((await store.tasksIn(['waiting', 'queued', 'done'])).map((row) => row.task_id)).toEqual([
    'b',
    'c',
    'a',
  ]);
});
