import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { maxListedVehicles } from '../../../../server/contract/fields.ts';
import {
  accessOfSql,
  taskList,
  taskListing,
  clipSpansSql,
  tasksInSql,
  tasksOfVehicleSql,
} from '../../../../server/store/telemetry/tasksTable.ts';
import {
  eventList,
  eventListing,
  eventsOfVehicleSql,
} from '../../../../server/store/telemetry/eventsTable.ts';
import { daysOfSetSql, dropDaysSql } from '../../../../server/store/telemetry/dayRecordsTable.ts';
import { incidentList, incidentListing } from '../../../../server/store/telemetry/incidentsTable.ts';
import { endOfSlice, newestFirstSql } from '../../../../server/store/telemetry/newestFirst.ts';
import {
  notificationList,
  notificationListing,
  notificationsOfVehicleSql,
  openQuietSql,
  recentNotificationsSql,
} from '../../../../server/store/telemetry/notificationsTable.ts';
import { trackPageSql } from '../../../../server/store/telemetry/positionsTable.ts';
import { migrations } from '../../../../server/store/telemetry/schema.ts';

const few = Array.from({ length: maxListedVehicles }, (_, index) => `vehicle ${index}`);
const many = Array.from({ length: 3_000 }, (_, index) => `vehicle ${index}`);
const page = { limit: 100 };
const later = { ...page, before: { ms: 5, id: 'x' } };
const period = { from_ms: 1, to_ms: 9 };

function planOf(sql: string): string[] {
  const db = new DatabaseSync(':memory:');
  for (const migration of migrations) db.exec(migration.sql);
  const lines = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
  db.close();
  return lines.map((line) => String(line.detail));
}

/** Lines that read a whole table or index of ours; lists of ids that a query brings or finds are read whole, of course. */
const wholeScans = (plan: string[]) =>
  plan.filter((line) => line.startsWith('SCAN') && !/^SCAN (one\b|json_each\b|\(subquery)/.test(line));

test.each<[string, string, string]>([
  ['a track', trackPageSql, 'USING PRIMARY KEY (vehicle_key=? AND time_ms>? AND time_ms<?)'],
  ['all events', newestFirstSql(eventListing, eventList(page)).sql, 'events_by_time (time_ms<?)'],
  [
    'events of a period',
    newestFirstSql(eventListing, eventList({ ...later, ...period })).sql,
    'events_by_time (time_ms>? AND time_ms<?)',
  ],
  [
    'events of one vehicle',
    newestFirstSql(eventListing, eventList({ ...later, ...period, vehicle_ids: few, kinds: ['sos'] })).sql,
    'events_by_vehicle (vehicle_id=? AND time_ms>? AND time_ms<?)',
  ],
  [
    'events of many vehicles',
    newestFirstSql(eventListing, eventList({ ...page, vehicle_ids: many })).sql,
    'events_by_time (time_ms<?)',
  ],
  [
    'events of a geofence, of many vehicles',
    newestFirstSql(
      eventListing,
      eventList({ ...later, ...period, geozone_id: 'x', vehicle_ids: many, kinds: ['sos'] }),
    ).sql,
    'events_by_geofence (geozone_id=? AND time_ms>? AND time_ms<?)',
  ],
  [
    'events of a geofence, of few vehicles',
    newestFirstSql(
      eventListing,
      eventList({ ...later, ...period, geozone_id: 'x', vehicle_ids: few, kinds: ['sos'] }),
    ).sql,
    'COVERING INDEX events_by_geofence_vehicle (geozone_id=? AND vehicle_id=? AND time_ms>? AND time_ms<?)',
  ],
  [
    'the end of a slice of events of a geofence, of few vehicles,',
    endOfSlice(eventListing, eventList({ ...later, ...period, geozone_id: 'x', vehicle_ids: few }), 100)[0],
    'COVERING INDEX events_by_geofence_vehicle (geozone_id=? AND vehicle_id=? AND time_ms>? AND time_ms<?)',
  ],
  [
    'events by their ids',
    newestFirstSql(eventListing, eventList({ ...page, event_ids: few, vehicle_ids: many })).sql,
    'USING PRIMARY KEY (event_id=?)',
  ],
  [
    'notifications',
    newestFirstSql(notificationListing, notificationList(later)).sql,
    'notifications_by_last (last_ms<?)',
  ],
  [
    'open notifications',
    newestFirstSql(notificationListing, notificationList({ ...page, state: 'open' })).sql,
    'notifications_by_state (state=? AND last_ms<?)',
  ],
  [
    'open notifications of many vehicles',
    newestFirstSql(
      notificationListing,
      notificationList({ ...later, vehicle_ids: many, state: 'open', severities: few }),
    ).sql,
    'notifications_by_state (state=? AND last_ms<?)',
  ],
  [
    'notifications of few vehicles',
    newestFirstSql(
      notificationListing,
      notificationList({ ...later, ...period, vehicle_ids: few, state: 'open' }),
    ).sql,
    'notifications_by_vehicle (vehicle_id=? AND last_ms>? AND last_ms<?)',
  ],
  [
    'open notifications of a rule, of many vehicles',
    newestFirstSql(
      notificationListing,
      notificationList({ ...later, ...period, vehicle_ids: many, state: 'open', rule_id: 'x' }),
    ).sql,
    'notifications_by_rule (rule_id=? AND last_ms>? AND last_ms<?)',
  ],
  [
    'notifications of a rule, of few vehicles',
    newestFirstSql(notificationListing, notificationList({ ...later, vehicle_ids: few, rule_id: 'x' })).sql,
    'notifications_by_rule (rule_id=? AND last_ms<?)',
  ],
  ['open quiet notifications', openQuietSql, 'notifications_quiet (last_ms<?)'],
  ['recent notifications', recentNotificationsSql, 'notifications_by_last (last_ms>?)'],
  [
    'tasks',
    newestFirstSql(taskListing, taskList({ ...later, ...period, statuses: few })).sql,
    'tasks_by_creation (created_ms<?)',
  ],
  [
    'tasks of few vehicles',
    newestFirstSql(taskListing, taskList({ ...page, vehicle_ids: few })).sql,
    'tasks_by_vehicle (vehicle_id=? AND created_ms<?)',
  ],
  [
    'tasks of an event',
    newestFirstSql(taskListing, taskList({ ...later, event_id: 'x', vehicle_ids: few, statuses: few })).sql,
    'tasks_by_event (event_id=? AND created_ms<?)',
  ],
  [
    'incidents',
    newestFirstSql(incidentListing, incidentList({ ...later, ...period })).sql,
    'incidents_by_creation (created_ms>? AND created_ms<?)',
  ],
  [
    'incidents of few vehicles',
    newestFirstSql(incidentListing, incidentList({ ...later, vehicle_ids: few, own_of: 'x' })).sql,
    'incidents_by_vehicle (vehicle_id=? AND created_ms<?)',
  ],
  [
    'incidents that are not closed',
    newestFirstSql(
      incidentListing,
      incidentList({
        ...{ ...later, vehicle_ids: many, statuses: ['open', 'waiting'] },
        search: { number: 1, in_driver: true, words: few, vehicle_ids: few },
      }),
    ).sql,
    'incidents_not_closed (created_ms<?)',
  ],
  ['days of a vehicle', daysOfSetSql, 'USING PRIMARY KEY (set_key=? AND from_ms>? AND from_ms<?)'],
  ['days to be dropped', dropDaysSql, 'day_records_by_need (vehicle_key=? AND need_to_ms>?)'],
  [
    'events of a vehicle',
    eventsOfVehicleSql,
    'events_by_vehicle (vehicle_id=? AND (time_ms,event_id)>(?,?) AND time_ms<?)',
  ],
  [
    'notifications of a vehicle',
    notificationsOfVehicleSql,
    'notifications_by_vehicle (vehicle_id=? AND (last_ms,notification_id)>(?,?))',
  ],
  [
    'tasks of a vehicle',
    tasksOfVehicleSql,
    'tasks_by_vehicle (vehicle_id=? AND (created_ms,task_id)>(?,?) AND created_ms<?)',
  ],
  ['who had a video', accessOfSql, 'video_access_by_task (task_id=?)'],
  ['clips of tasks of a time', clipSpansSql, 'tasks_by_creation (created_ms>? AND created_ms<?)'],
  ['tasks in a status', tasksInSql, 'tasks_by_status (status=?)'],
])('%s are found by an index', (_, sql, expected) => {
  const plan = planOf(sql);
  expect(plan.join('\n')).toContain(expected);
  expect(wholeScans(plan)).toEqual([]);
});

test.each<[string, string]>([
  ['all events', newestFirstSql(eventListing, eventList(later)).sql],
  ['events of many vehicles', newestFirstSql(eventListing, eventList({ ...later, vehicle_ids: many })).sql],
  [
    'events of one vehicle',
    newestFirstSql(eventListing, eventList({ ...later, ...period, vehicle_ids: ['a'], kinds: ['sos'] })).sql,
  ],
  [
    'events of a geofence, of one vehicle',
    newestFirstSql(eventListing, eventList({ ...later, geozone_id: 'x', vehicle_ids: ['a'] })).sql,
  ],
  [
    'events of a geofence, of many vehicles',
    newestFirstSql(eventListing, eventList({ ...later, geozone_id: 'x', vehicle_ids: many })).sql,
  ],
  [
    'open notifications',
    newestFirstSql(notificationListing, notificationList({ ...later, state: 'open' })).sql,
  ],
  [
    'notifications of a rule',
    newestFirstSql(notificationListing, notificationList({ ...later, state: 'open', rule_id: 'x' })).sql,
  ],
  ['tasks', newestFirstSql(taskListing, taskList(later)).sql],
  ['tasks of an event', newestFirstSql(taskListing, taskList({ ...later, event_id: 'x' })).sql],
  ['a track', trackPageSql],
  ['who had a video', accessOfSql],
])('%s are read in their order, so that a page ends early', (_, sql) => {
  // What finds the ids of a page; those few rows are then looked up and sorted.
  const [found = ''] = planOf(sql).join('\n').split('SCAN (subquery');
  expect(found).toMatch(/SEARCH/);
  expect(found).not.toMatch(/TEMP B-TREE/);
});

test.each<[string, string]>([
  ['events', newestFirstSql(eventListing, eventList({ ...later, kinds: ['sos'], vehicle_ids: many })).sql],
  [
    'events of few vehicles',
    newestFirstSql(eventListing, eventList({ ...later, kinds: ['sos'], vehicle_ids: few })).sql,
  ],
  [
    'events of a geofence',
    newestFirstSql(eventListing, eventList({ ...later, geozone_id: 'x', kinds: ['sos'], vehicle_ids: many }))
      .sql,
  ],
  ['notifications', newestFirstSql(notificationListing, notificationList({ ...later, severities: few })).sql],
  [
    'notifications of a rule',
    newestFirstSql(
      notificationListing,
      notificationList({ ...later, rule_id: 'x', state: 'open', severities: few, vehicle_ids: many }),
    ).sql,
  ],
  ['tasks', newestFirstSql(taskListing, taskList({ ...later, ...period, statuses: few })).sql],
])('%s that a filter leaves out are not read: their index excludes them', (_, sql) => {
  expect(planOf(sql).join('\n')).toMatch(
    /CO-ROUTINE \(subquery-\d+\)\n(SCAN json_each.*\n)?SEARCH \w+ USING COVERING INDEX/,
  );
});
