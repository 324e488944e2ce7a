/** What follows for incidents from alarms, clips and users, in the transaction that stores those. */
import { quotas, incidentBounds } from '../../contract/quotas.ts';
import type { Tx } from '../operation.ts';
import { recordChanges } from './changesTable.ts';
import { fromVehicleId } from './columns.ts';
import type { Database } from './database.ts';
import type { FormerOwner, IncidentOpening, IncidentRow } from './incidentRows.ts';
import { incidentsById, writeIncident } from './incidentsTable.ts';
import { addLine, assign, attachAlarm, attachClip, begin, logOf, openCount } from './incidentWrites.ts';
import { notificationsById } from './notificationsTable.ts';
import type { ChangeRow, NotificationRow, TaskRow, Written } from './rows.ts';

/** What alarms and clips did to incidents, and what of it stands in the log of changes. */
interface Followed {
  incidents: IncidentRow[];
  changes: ChangeRow[];
}

interface Room {
  all: number;
  ofUser: number;
}

/** By which the host itself acts, whoever brought its message. */
const ofHost = (tx: Tx): Tx => ({ ...tx, by: null });

/**
 * Opens incidents for alarms, or adds the alarms to those that are not closed; in the transaction that stores the alarms.
 * @param most so many that are not closed may there be, and of the rules of one user: beyond it only an SOS opens one
 */
export function openIncidents(
  caller: Tx,
  openings: readonly IncidentOpening[],
  most: Room = { all: quotas.incidents.most, ofUser: quotas.incidents_of_user.most },
): Followed {
  const tx = ofHost(caller);
  const changed = new Map<string, IncidentRow>();
  for (const opening of openings) {
    const row = openIncident(tx, opening, most);
    if (row !== null) changed.set(row.incident_id, row);
  }
  return publishChanged(tx, [...changed.values()]);
}

function publishChanged(tx: Tx, incidents: IncidentRow[]): Followed {
  return {
    incidents,
    changes: recordChanges(
      tx,
      incidents.map((row) => logOf(row, null, null)),
    ),
  };
}

function openIncident(tx: Tx, opening: IncidentOpening, most: Room): IncidentRow | null {
  const { db } = tx;
  const { notification_id, task_ids, ...made } = opening;
  const own = notification_id === null ? null : holderOf(db, notification_id);
  const known = own ?? openOfKey(db, opening.repeat_key);
  if (known !== null) {
    // It goes on: its events and track belong to it.
    db.run('UPDATE incidents SET from_ms = min(from_ms, ?), to_ms = max(to_ms, ?) WHERE incident_id = ?', [
      ...[Math.round(made.from_ms), Math.round(made.to_ms), known],
    ]);
  }
  if (own !== null || (known !== null && notification_id === null)) return null;
  if (known !== null && notification_id !== null && wasDetached(db, known, notification_id)) return null;
  const [alarm] = notification_id === null ? [] : notificationsById(db, [notification_id]);
  const before = known === null ? undefined : incidentsById(db, [known])[0];
  const fits = before !== undefined && before.alarms.length < incidentBounds.alarms;
  // Of SOS there is one for each vehicle at the most.
  if (!fits && opening.opened_by !== 'sos' && !hasRoom(db, opening.rule_owner, most)) return null;
  const row = fits ? before : begin(tx, made);
  if (alarm !== undefined) attachAlarm(tx, row, alarm);
  // Two rules of one SOS have the same clips.
  const clips = new Set(task_ids);
  for (const { task_id } of row.clips) clips.delete(task_id);
  for (const task_id of [...clips].slice(0, incidentBounds.clips - row.clips.length))
    attachClip(tx, row, task_id, fromVehicleId(made.vehicle_id));
  writeIncident(db, row);
  return row;
}

function hasRoom(db: Database, rule_owner: string | null, most: Room): boolean {
  return openCount(db) < most.all && (rule_owner === null || openCount(db, rule_owner) < most.ofUser);
}

/** The incident that the alarm belongs to. */
function holderOf(db: Database, notification_id: string): string | null {
  const row = db.get<{ incident_id: string }>(
    'SELECT incident_id FROM incident_alarms WHERE notification_id = ?',
    [notification_id],
  );
  return row?.incident_id ?? null;
}

/** Whether somebody took the alarm off the incident: its repeats stay off, too. */
function wasDetached(db: Database, incident_id: string, notification_id: string): boolean {
  const row = db.get<{ action: string }>(
    `SELECT action FROM incident_entries INDEXED BY incident_entries_of
      WHERE incident_id = ? AND notification_id = ? AND action IN ('alarm_added', 'alarm_removed')
      ORDER BY entry_id DESC LIMIT 1`,
    [incident_id, notification_id],
  );
  return row?.action === 'alarm_removed';
}

function openOfKey(db: Database, repeat_key: string): string | null {
  const row = db.get<{ incident_id: string }>(
    `SELECT incident_id FROM incidents INDEXED BY incidents_by_key
      WHERE status <> 'closed' AND repeat_key = ? ORDER BY created_ms DESC, number DESC LIMIT 1`,
    [repeat_key],
  );
  return row?.incident_id ?? null;
}

/** Notes in their incidents that alarms are acknowledged, by whom it says on them. */
export function noteAcknowledged(tx: Tx, rows: readonly NotificationRow[]): Followed {
  const acknowledged = new Map(
    rows.flatMap((row) => (row.state === 'acknowledged' ? [[row.notification_id, row] as const] : [])),
  );
  const changed = new Map<string, IncidentRow>();
  for (const { incident_id, notification_id } of attachedTo(tx.db, 'alarm', [...acknowledged.keys()])) {
    const row = changed.get(incident_id) ?? incidentsById(tx.db, [incident_id])[0];
    const alarm = acknowledged.get(notification_id);
    if (row === undefined || alarm === undefined) continue;
    addLine(tx, row, {
      ...{ action: 'alarm_acknowledged', text: alarm.ack?.note ?? null, notification_id },
      vehicle_id: fromVehicleId(alarm.vehicle_id),
    });
    changed.set(incident_id, row);
  }
  for (const row of changed.values()) writeIncident(tx.db, row);
  return publishChanged(ofHost(tx), [...changed.values()]);
}

function attachedTo(
  db: Database,
  what: 'alarm' | 'clip',
  ids: readonly string[],
): { incident_id: string; notification_id: string; task_id: string; status: string }[] {
  if (ids.length === 0) return [];
  const [table, id, joined] =
    what === 'alarm'
      ? ['incident_alarms', 'notification_id', '']
      : ['incident_clips', 'task_id', 'JOIN video_tasks USING (task_id)'];
  return db.all(
    `SELECT * FROM json_each(?) AS one CROSS JOIN ${table} AS attached ON attached.${id} = one.value ${joined}`,
    [JSON.stringify(ids)],
  );
}

/** Leaves to nobody what is not closed and belongs to users who may handle it no more, so that others see that it waits. */
export function releaseIncidents(
  tx: Tx,
  former: readonly FormerOwner[],
): Written & { incidents: IncidentRow[] } {
  const kept = new Map(former.map(({ user_id, keeps }) => [user_id, new Set(keeps)]));
  const owned = tx.db.all<{ incident_id: string }>(
    `SELECT incident_id FROM incidents INDEXED BY incidents_not_closed
      WHERE status <> 'closed' AND owner_id IN (SELECT value FROM json_each(?))`,
    [JSON.stringify([...kept.keys()])],
  );
  const rows = incidentsById(
    tx.db,
    owned.map((it) => it.incident_id),
  ).filter((row) => kept.get(row.owner_id ?? '')?.has(row.vehicle_id) !== true);
  const logged = rows.map((row) => {
    const before = { owner: row.owner_name };
    assign(tx, row, null);
    row.version += 1;
    writeIncident(tx.db, row);
    return logOf(row, before, { owner: null });
  });
  return { incidents: rows, changes: recordChanges(tx, logged) };
}

const mostEntries = incidentBounds.entries + incidentBounds.hostEntries;

/** Runs what writes tasks, and notes in their incidents that clips are there, or will not come. */
export function notingClips(caller: Tx, tasks: readonly TaskRow[], writeRows: () => void): Followed {
  const tx = ofHost(caller);
  const attached = attachedTo(
    tx.db,
    'clip',
    tasks.map((it) => it.task_id),
  );
  writeRows();
  const changed = new Map<string, IncidentRow>();
  for (const { incident_id, task_id, status: before } of attached) {
    const task = tasks.find((it) => it.task_id === task_id);
    const action = task === undefined || task.status === before ? null : endOf(task.status);
    const row = changed.get(incident_id) ?? incidentsById(tx.db, [incident_id])[0];
    if (action === null || row === undefined || task === undefined || row.entries >= mostEntries) continue;
    addLine(tx, row, {
      ...{ action, task_id, vehicle_id: task.vehicle_id },
      text: action === 'clip_failed' ? (task.error?.detail ?? null) : null,
    });
    changed.set(incident_id, row);
  }
  for (const row of changed.values()) writeIncident(tx.db, row);
  return publishChanged(tx, [...changed.values()]);
}

function endOf(status: TaskRow['status']): 'clip_done' | 'clip_failed' | null {
  if (status === 'done') return 'clip_done';
  return status === 'failed' ? 'clip_failed' : null;
}
