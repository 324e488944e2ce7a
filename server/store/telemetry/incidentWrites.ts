import { causeOf } from '../../contract/causeTexts.ts';
import { quotas, type QuotaName, incidentBounds } from '../../contract/quotas.ts';
import type { Tx } from '../operation.ts';
import { inLog, recordChanges } from './changesTable.ts';
import { fromVehicleId } from './columns.ts';
import { upsert, type Database } from './database.ts';
import { Refused } from './entityTables.ts';
import type {
  IncidentChange,
  IncidentEntryRow,
  IncidentOwner,
  IncidentRow,
  NewIncidentRow,
  SnapshotRow,
} from './incidentRows.ts';
import { driverStillKnown, entryOf, incidentsById, writeIncident } from './incidentsTable.ts';
import { notificationsById, writeNotifications } from './notificationsTable.ts';
import type { NotificationRow, Written } from './rows.ts';

/** What a write did to incidents, and to the alarms of them. */
export interface IncidentsWritten extends Written {
  incidents: IncidentRow[];
  /** Those that were acknowledged with it. */
  notifications: NotificationRow[];
}

type Line = Pick<IncidentEntryRow, 'action'> &
  Partial<
    Pick<
      IncidentEntryRow,
      'text' | 'before' | 'after' | 'notification_id' | 'task_id' | 'snapshot_id' | 'vehicle_id'
    >
  >;

/** In `meta`: numbers are given once, also where the newest incident is gone. */
const lastNumber = 'incident_number';

function nextNumber(db: Database): number {
  const row = db.get<{ value: string }>(
    `INSERT INTO meta (name, value) VALUES (?, '1')
      ON CONFLICT (name) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT) RETURNING value`,
    [lastNumber],
  );
  return Number(row?.value);
}

/** Counts the line on the row, which is to be written after it. */
export function addLine(tx: Tx, row: IncidentRow, line: Line): void {
  const { db, at_ms, by } = tx;
  const entry = db.get<IncidentEntryRow>(
    `INSERT INTO incident_entries
        (incident_id, at_ms, action, actor, actor_name, text, before, after, notification_id, task_id, snapshot_id,
        vehicle_id)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *`,
    [
      ...[row.incident_id, at_ms, line.action, by?.user_id ?? null, by?.login ?? null],
      ...[line.text ?? null, line.before ?? null, line.after ?? null],
      ...[line.notification_id ?? null, line.task_id ?? null, line.snapshot_id ?? null],
      line.vehicle_id ?? null,
    ],
  );
  if (entry === undefined) throw new Error('a line of an incident was given no number');
  row.last_entry = entryOf(entry);
  row.entries += 1;
  row.revision += 1;
  row.updated_ms = at_ms;
}

export function attachAlarm(tx: Tx, row: IncidentRow, alarm: NotificationRow): void {
  const { notification_id, vehicle_id, rule_name } = alarm;
  tx.db.run('INSERT INTO incident_alarms (notification_id, incident_id, vehicle_id) VALUES (?, ?, ?)', [
    ...[notification_id, row.incident_id, fromVehicleId(vehicle_id)],
  ]);
  row.alarms.push({ notification_id, vehicle_id });
  addLine(tx, row, {
    ...{ action: 'alarm_added', text: rule_name, notification_id },
    vehicle_id: fromVehicleId(vehicle_id),
  });
}

export function attachClip(tx: Tx, row: IncidentRow, task_id: string, vehicle_id: string): void {
  tx.db.run('INSERT INTO incident_clips (task_id, incident_id, vehicle_id) VALUES (?, ?, ?)', [
    ...[task_id, row.incident_id, vehicle_id],
  ]);
  row.clips.push({ task_id, vehicle_id });
  addLine(tx, row, { action: 'clip_added', task_id, vehicle_id });
}

export function begin(tx: Tx, made: NewIncidentRow): IncidentRow {
  const { rule_name, checklist, ...facts } = made;
  const row: IncidentRow = {
    ...facts,
    driver: driverStillKnown(tx.db, facts.driver),
    number: nextNumber(tx.db),
    status: 'open',
    close_reason: null,
    ...{ owner_id: null, owner_name: null },
    checklist: checklist.map((text, at) => ({ item_id: at + 1, text, done: null })),
    ...{ notes: 0, note_chars: 0, entries: 0, last_entry: null, alarms: [], clips: [], snapshots: [] },
    created_by: tx.by?.user_id ?? null,
    ...{ created_ms: tx.at_ms, updated_ms: tx.at_ms, closed_ms: null },
    ...{ version: 1, revision: 0 },
  };
  addLine(tx, row, { action: 'created', text: rule_name });
  return row;
}

export function openCount(db: Database, userId?: string): number {
  const ofUser = userId === undefined ? '' : 'AND (created_by = :userId OR rule_owner = :userId)';
  const row = db.get<{ count: number }>(
    `SELECT count(*) AS count FROM incidents INDEXED BY incidents_not_closed WHERE status <> 'closed' ${ofUser}`,
    userId === undefined ? {} : { userId },
  );
  return row?.count ?? 0;
}

export function logOf({ incident_id, vehicle_id }: IncidentRow, before: object | null, after: object | null) {
  return {
    topic: 'incident' as const,
    resource_id: incident_id,
    visible_to: null,
    vehicle_id,
    before,
    after,
  };
}

const insertSnapshot = upsert(
  'incident_snapshots',
  ['snapshot_id'],
  [
    ...['incident_id', 'kind', 'time_ms', 'vehicle_id', 'channel', 'note', 'width', 'height'],
    ...['size_bytes', 'sha256', 'created_by', 'created_ms'],
  ],
);

type Bound = 'notes' | 'note_chars' | 'entries' | 'clips' | 'snapshots' | 'snapshot_bytes' | 'alarms';

const full = (of: Bound, most: number): Refused =>
  new Refused('quota', null, causeOf(`incident.most_${of}`, { most }));

function quotaUsed(name: QuotaName, there: number, more: number): Refused {
  return new Refused('quota', null, causeOf(`quota.${name}`, { most: quotas[name].most, there, more }));
}

/** For one more that is not closed. @param userId who opened it; null: no user, or one without a bound. @throws {Refused} */
function checkRoom(db: Database, userId: string | null): void {
  const ofAll = openCount(db);
  if (ofAll >= quotas.incidents.most) throw quotaUsed('incidents', ofAll, 1);
  if (userId === null) return;
  const ofUser = openCount(db, userId);
  if (ofUser >= quotas.incidents_of_user.most) throw quotaUsed('incidents_of_user', ofUser, 1);
}

export interface IncidentOrder {
  made: NewIncidentRow;
  notification_ids: readonly string[];
  tasks: readonly { task_id: string; vehicle_id: string }[];
  owner: IncidentOwner | null;
  note: string | null;
  /** The user opened it who is no dealer. */
  isLimited: boolean;
}

/** Opens an incident for a user. @throws {Refused} */
export function createIncident(
  tx: Tx,
  { made, notification_ids, tasks, owner, note, isLimited }: IncidentOrder,
): IncidentsWritten {
  const { db, by } = tx;
  checkRoom(db, isLimited ? (by?.user_id ?? null) : null);
  const row = begin(tx, made);
  for (const id of notification_ids) attachAlarm(tx, row, freeAlarm(db, id));
  for (const { task_id, vehicle_id } of tasks) attachClip(tx, row, task_id, vehicle_id);
  if (owner !== null) assign(tx, row, owner);
  if (note !== null) addNote(tx, row, note);
  writeIncident(db, row);
  const { number, title, severity, vehicle_id } = row;
  const after = { number, title, severity, vehicle_id, owner: owner?.name ?? null, notification_ids, note };
  const changes = recordChanges(tx, [logOf(row, null, after)]);
  return { changes, incidents: [row], notifications: [] };
}

/** An alarm that belongs to no incident. @throws {Refused} */
function freeAlarm(db: Database, notification_id: string): NotificationRow {
  const held = db.get<{ number: number }>(
    `SELECT number FROM incident_alarms JOIN incidents USING (incident_id) WHERE notification_id = ?`,
    [notification_id],
  );
  if (held !== undefined)
    throw new Refused('in_use', null, causeOf('incident.alarm_held', { number: String(held.number) }));
  const [alarm] = notificationsById(db, [notification_id]);
  if (alarm === undefined) throw new Refused('gone', null, 'There is no such notification');
  return alarm;
}

export function assign(tx: Tx, row: IncidentRow, owner: IncidentOwner | null): void {
  addLine(tx, row, { action: 'assigned', before: row.owner_name, after: owner?.name ?? null });
  row.owner_id = owner?.user_id ?? null;
  row.owner_name = owner?.name ?? null;
}

function addNote(tx: Tx, row: IncidentRow, text: string): void {
  if (row.notes >= incidentBounds.notes) throw full('notes', incidentBounds.notes);
  if (row.note_chars + text.length > incidentBounds.noteChars)
    throw full('note_chars', incidentBounds.noteChars);
  addLine(tx, row, { action: 'note_added', text });
  row.notes += 1;
  row.note_chars += text.length;
}

/** Does one thing to an incident, as it is at this moment. @throws {Refused} */
export function changeIncident(
  tx: Tx,
  { incident_id, change }: { incident_id: string; change: IncidentChange },
): IncidentsWritten {
  const { db } = tx;
  const [row] = incidentsById(db, [incident_id]);
  if (row === undefined) throw new Refused('gone', null, 'There is no such incident');
  const nothing = { changes: [], incidents: [row], notifications: [] };
  const before = row.revision;
  const done = apply(tx, row, change);
  if (row.revision === before) return nothing;
  writeIncident(db, row);
  const ofAlarms = done.notifications.map(({ notification_id, vehicle_id, ack }) => ({
    ...{ topic: 'notification' as const, resource_id: notification_id, visible_to: null, vehicle_id },
    before: { state: 'open', note: null },
    after: { state: 'acknowledged', note: ack?.note ?? null },
  }));
  const ofIncident =
    change.kind === 'describe' ? logOf(row, null, null) : logOf(row, done.before, done.after);
  const changes = recordChanges(tx, [...ofAlarms, ofIncident]);
  return { changes, incidents: [row], notifications: done.notifications };
}

interface Done {
  /** For the audit log. */
  before: object;
  after: object;
  notifications: NotificationRow[];
}

const did = (after: object, before: object = {}): Done => ({ before, after, notifications: [] });

function apply(tx: Tx, row: IncidentRow, change: IncidentChange): Done {
  const { kind } = change;
  if (kind === 'describe') {
    // Deleted while it was looked up: it does not come back.
    if (row.described) return did({});
    const driver = driverStillKnown(tx.db, change.driver);
    Object.assign(row, { described: true, driver, place: change.place });
    row.revision += 1;
    return did({});
  }
  if (kind === 'close') return close(tx, row, change);
  // Who closes it is never refused; all else has an end.
  if (row.entries >= incidentBounds.entries) throw full('entries', incidentBounds.entries);
  if (kind === 'note') {
    addNote(tx, row, change.text);
    return did({ note: inLog(change.text) });
  }
  if (kind === 'reopen') {
    checkVersion(row, change.if_version);
    if (row.status !== 'closed') throw new Refused('in_use', null, causeOf('incident.open'));
    checkRoom(tx.db, change.isLimited ? row.created_by : null);
    const { status, close_reason } = row;
    addLine(tx, row, { action: 'reopened', text: change.note, before: close_reason });
    Object.assign(row, { status: 'open', close_reason: null, closed_ms: null, version: row.version + 1 });
    if (change.releases === true) assign(tx, row, null);
    return did({ status: 'open', close_reason: null }, { status, close_reason });
  }
  if (row.status === 'closed') throw new Refused('in_use', null, causeOf('incident.closed'));
  switch (kind) {
    case 'patch':
      return patch(tx, row, change);
    case 'tick':
      return tick(tx, row, change);
    case 'attach_alarm':
      return addAlarm(tx, row, change.notification_id);
    case 'detach_alarm': {
      const { notification_id } = change;
      const alarm = row.alarms.find((it) => it.notification_id === notification_id);
      if (alarm === undefined) throw new Refused('gone', null, 'There is no such alarm of the incident');
      tx.db.run('DELETE FROM incident_alarms WHERE notification_id = ?', [notification_id]);
      row.alarms = row.alarms.filter((it) => it !== alarm);
      const vehicle_id = fromVehicleId(alarm.vehicle_id);
      addLine(tx, row, { action: 'alarm_removed', notification_id, vehicle_id });
      return did({ alarm: null }, { alarm: notification_id });
    }
    case 'attach_clip': {
      const { task_id, vehicle_id } = change;
      if (row.clips.some((it) => it.task_id === task_id)) return did({});
      if (row.clips.length >= incidentBounds.clips) throw full('clips', incidentBounds.clips);
      attachClip(tx, row, task_id, vehicle_id);
      return did({ clip: task_id });
    }
    case 'detach_clip': {
      const { task_id } = change;
      const clip = row.clips.find((it) => it.task_id === task_id);
      if (clip === undefined) throw new Refused('gone', null, 'There is no such clip of the incident');
      tx.db.run('DELETE FROM incident_clips WHERE task_id = ? AND incident_id = ?', [
        ...[task_id, row.incident_id],
      ]);
      row.clips = row.clips.filter((it) => it !== clip);
      addLine(tx, row, { action: 'clip_removed', task_id, vehicle_id: fromVehicleId(clip.vehicle_id) });
      return did({ clip: null }, { clip: task_id });
    }
    case 'attach_snapshot':
      return addSnapshot(tx, row, change);
    case 'remove_snapshot': {
      const { snapshot_id } = change;
      const snapshot = row.snapshots.find((it) => it.snapshot_id === snapshot_id);
      if (snapshot === undefined)
        throw new Refused('gone', null, 'There is no such snapshot of the incident');
      tx.db.run('DELETE FROM incident_snapshots WHERE snapshot_id = ?', [snapshot_id]);
      row.snapshots = row.snapshots.filter((it) => it !== snapshot);
      addLine(tx, row, { action: 'snapshot_removed', ...lineOf(snapshot) });
      return did({ snapshot: null }, { snapshot: snapshot_id });
    }
  }
}

const lineOf = ({ snapshot_id, kind, note, vehicle_id }: SnapshotRow) => ({
  ...{ snapshot_id, text: note, after: kind },
  vehicle_id: fromVehicleId(vehicle_id),
});

function addSnapshot(
  tx: Tx,
  row: IncidentRow,
  { snapshot, shown, isLimited }: Extract<IncidentChange, { kind: 'attach_snapshot' }>,
): Done {
  const { db, at_ms, by } = tx;
  const { snapshots, snapshotsBytes } = incidentBounds;
  if (row.snapshots.length >= snapshots) throw full('snapshots', snapshots);
  if (row.snapshots.reduce((sum, it) => sum + it.size_bytes, snapshot.size_bytes) > snapshotsBytes)
    throw full('snapshot_bytes', snapshotsBytes);
  const added = { ...snapshot, created_by: by?.user_id ?? '', created_ms: at_ms };
  checkSnapshots(db, added.size_bytes);
  if (isLimited) checkSnapshots(db, added.size_bytes, added.created_by);
  insertSnapshot(db, { ...added, incident_id: row.incident_id, vehicle_id: fromVehicleId(added.vehicle_id) });
  db.run(
    'INSERT INTO incident_snapshot_vehicles (vehicle_id, snapshot_id) SELECT value, ? FROM json_each(?)',
    [added.snapshot_id, JSON.stringify(shown)],
  );
  row.snapshots.push(added);
  addLine(tx, row, { action: 'snapshot_added', ...lineOf(added) });
  return did({ snapshot: added.snapshot_id, kind: added.kind, note: inLog(added.note) });
}

/** For one more. @param userId who attached those that count; left out: whoever did @throws {Refused} */
function checkSnapshots(db: Database, bytes: number, userId?: string): void {
  const there = db.get<{ count: number; bytes: number }>(
    `SELECT count(*) AS count, coalesce(sum(size_bytes), 0) AS bytes
      FROM incident_snapshots INDEXED BY incident_snapshots_of_user
      ${userId === undefined ? '' : 'WHERE created_by = :userId'}`,
    userId === undefined ? {} : { userId },
  ) ?? { count: 0, bytes: 0 };
  const count = userId === undefined ? 'snapshots' : 'snapshots_of_user';
  const size = userId === undefined ? 'snapshot_bytes' : 'snapshot_bytes_of_user';
  if (there.count >= quotas[count].most) throw quotaUsed(count, there.count, 1);
  if (there.bytes + bytes > quotas[size].most) throw quotaUsed(size, there.bytes, bytes);
}

function checkVersion({ version }: IncidentRow, if_version: number | null): void {
  if (if_version !== null && if_version !== version)
    throw new Refused(
      'conflict',
      null,
      `The resource is at version ${version}, the request was made for ${if_version}`,
    );
}

function patch(tx: Tx, row: IncidentRow, change: Extract<IncidentChange, { kind: 'patch' }>): Done {
  checkVersion(row, change.if_version);
  const { title, status, severity, owner } = change;
  const before: Record<string, string | null> = {};
  const after: Record<string, string | null> = {};
  const note = (field: string, was: string | null, is: string | null) => {
    before[field] = was;
    after[field] = is;
  };
  if (title !== undefined && title !== row.title) {
    addLine(tx, row, { action: 'renamed', before: row.title, after: title });
    note('title', row.title, title);
    row.title = title;
  }
  if (severity !== undefined && severity !== row.severity) {
    addLine(tx, row, { action: 'severity_changed', before: row.severity, after: severity });
    note('severity', row.severity, severity);
    row.severity = severity;
  }
  if (owner !== undefined && (owner?.user_id ?? null) !== row.owner_id) {
    note('owner', row.owner_name, owner?.name ?? null);
    assign(tx, row, owner);
  }
  if (status !== undefined && status !== row.status) {
    addLine(tx, row, { action: 'status_changed', before: row.status, after: status });
    note('status', row.status, status);
    row.status = status;
  }
  if (Object.keys(after).length > 0) row.version += 1;
  return did(after, before);
}

function tick(tx: Tx, row: IncidentRow, change: Extract<IncidentChange, { kind: 'tick' }>): Done {
  const { item_id, done } = change;
  const item = row.checklist.find((it) => it.item_id === item_id);
  if (item === undefined) throw new Refused('gone', null, 'There is no such item of the checklist');
  // Two who tick it at once have ticked it; the first one stands there.
  if ((item.done !== null) === done) return did({});
  addLine(tx, row, { action: done ? 'item_ticked' : 'item_cleared', text: item.text });
  const user = { user_id: tx.by?.user_id ?? '', user_name: tx.by?.login ?? '' };
  item.done = done ? { ...user, at: new Date(tx.at_ms).toISOString() } : null;
  return did({ [item.text]: done }, { [item.text]: !done });
}

function addAlarm(tx: Tx, row: IncidentRow, notification_id: string): Done {
  if (row.alarms.some((it) => it.notification_id === notification_id)) return did({});
  if (row.alarms.length >= incidentBounds.alarms) throw full('alarms', incidentBounds.alarms);
  const alarm = freeAlarm(tx.db, notification_id);
  if (alarm.vehicle_id === row.vehicle_id) {
    // Its events and track belong to it now.
    row.from_ms = Math.min(row.from_ms, alarm.first_ms);
    row.to_ms = Math.max(row.to_ms, alarm.last_ms);
  }
  attachAlarm(tx, row, alarm);
  return did({ alarm: notification_id });
}

/**
 * Its open alarms are acknowledged with it, as far as who closes it sees them: the next of the same rule is news, and
 * opens another incident.
 */
function close(tx: Tx, row: IncidentRow, change: Extract<IncidentChange, { kind: 'close' }>): Done {
  const { db, at_ms, by } = tx;
  checkVersion(row, change.if_version);
  if (row.status === 'closed') throw new Refused('in_use', null, causeOf('incident.closed_already'));
  const { reason, note, vehicle_ids } = change;
  const ids = row.alarms.flatMap((it) => (vehicle_ids.includes(it.vehicle_id) ? it.notification_id : []));
  const open = notificationsById(db, ids).filter((it) => it.state === 'open');
  const ack = { user_id: by?.user_id ?? '', at_ms, note: `#${row.number}: ${reason}` };
  const acknowledged = open.map((it): NotificationRow => ({
    ...it,
    state: 'acknowledged',
    ack,
    updated_ms: at_ms,
  }));
  writeNotifications(db, acknowledged);
  const { status } = row;
  addLine(tx, row, { action: 'closed', text: note, before: status, after: reason });
  Object.assign(row, { status: 'closed', close_reason: reason, closed_ms: at_ms, version: row.version + 1 });
  const after = { status: 'closed', close_reason: reason, ...(note === null ? {} : { note }) };
  return { before: { status }, after, notifications: acknowledged };
}
