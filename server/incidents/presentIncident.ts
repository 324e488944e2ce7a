import type { Incident, IncidentEntry, IncidentSnapshot } from '../contract/incidents.ts';
import { holds, isDealer, type Viewer } from '../http/viewer.ts';
import type { Sight } from '../notifications/sight.ts';
import type { IncidentEntryRow, IncidentRow, SnapshotRow } from '../store/telemetry/incidentRows.ts';
import { isoTime } from '../telemetry/presentPosition.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';

export interface PresentIncidentDeps {
  vehicles: Pick<Vehicles, 'sees' | 'visible' | 'all'>;
  sight: Sight;
  /** Null for a user who is gone. */
  userName: (userId: string) => string | null;
}

/** Who may see which incident, and what of it. */
export type IncidentSight = ReturnType<typeof createIncidentSight>;

export function createIncidentSight({ vehicles, sight, userName }: PresentIncidentDeps) {
  function seesEverything(viewer: Viewer): boolean {
    if (isDealer(viewer)) return true;
    const all = vehicles.all().length;
    return all > 0 && vehicles.visible(viewer).length === all;
  }

  /** What is of no vehicle is for those who see all of them, and for those who opened or own it. */
  function sees(
    viewer: Viewer,
    { vehicle_id, created_by, owner_id }: Pick<IncidentRow, 'vehicle_id' | 'created_by' | 'owner_id'>,
  ): boolean {
    if (vehicle_id !== null) return vehicles.sees(viewer, vehicle_id);
    const { user_id } = viewer.user;
    return created_by === user_id || owner_id === user_id || seesEverything(viewer);
  }

  function entryOf(row: IncidentEntryRow): IncidentEntry {
    const { actor, actor_name, before: from, after: to, at_ms } = row;
    const { entry_id, action, text, notification_id, task_id, snapshot_id } = row;
    const user = actor === null ? null : { user_id: actor, name: userName(actor) ?? actor_name ?? '' };
    const what = { notification_id, task_id, snapshot_id };
    return { entry_id, time: isoTime(at_ms), action, user, text, from, to, ...what };
  }

  /** A picture of the map is of no vehicle where its incident is of none. */
  function seesSnapshot(
    viewer: Viewer,
    { kind, vehicle_id }: { kind: string | null; vehicle_id: string | null },
  ): boolean {
    if (kind === 'video' && !holds(viewer, 'video', 'read')) return false;
    return vehicle_id === null || vehicles.sees(viewer, vehicle_id);
  }

  function snapshotOf({ time_ms, created_ms, ...row }: SnapshotRow): IncidentSnapshot {
    return { ...row, time: isoTime(time_ms), created_at: isoTime(created_ms) };
  }

  /** Alarms, clips and snapshots of vehicles that the viewer does not see are left out of what they are attached to. */
  function seesEntry(viewer: Viewer, row: IncidentEntryRow): boolean {
    const { notification_id, task_id, snapshot_id, vehicle_id } = row;
    if (snapshot_id !== null) return seesSnapshot(viewer, { kind: row.after, vehicle_id });
    if (task_id !== null && !holds(viewer, 'video', 'read')) return false;
    return (notification_id === null && task_id === null) || vehicles.sees(viewer, vehicle_id);
  }

  /** With all that it names. */
  function whole(row: IncidentRow): Incident {
    const { repeat_key: _, described: _1, note_chars: _2, entries: _3, rule_owner: _4, ...shown } = row;
    const { alarms, clips, snapshots, ...rest } = shown;
    const { time_ms, from_ms, to_ms, created_ms, updated_ms, closed_ms, last_entry, ...facts } = rest;
    return {
      ...facts,
      time: isoTime(time_ms),
      from: isoTime(from_ms),
      to: isoTime(to_ms),
      notification_ids: alarms.map((it) => it.notification_id),
      task_ids: clips.map((it) => it.task_id),
      snapshots: snapshots.map(snapshotOf),
      last_entry: last_entry === null ? null : entryOf(last_entry),
      created_at: isoTime(created_ms),
      updated_at: isoTime(updated_ms),
      closed_at: closed_ms === null ? null : isoTime(closed_ms),
    };
  }

  /** With what the viewer may read of it, who sees it. @param all as `whole` gives it, which is given back to those who may */
  function seenBy(row: IncidentRow, viewer: Viewer, all: Incident = whole(row)): Incident {
    if (isDealer(viewer)) return all;
    const { rule_id, geozone_id } = sight.of({ rule_id: row.rule_id, geozone_id: row.geozone_id }, viewer);
    const mayVideo = holds(viewer, 'video', 'read');
    return {
      ...all,
      rule_id,
      geozone_id,
      driver: holds(viewer, 'vehicles', 'read') ? all.driver : null,
      notification_ids: row.alarms.flatMap((it) =>
        vehicles.sees(viewer, it.vehicle_id) ? it.notification_id : [],
      ),
      task_ids: row.clips.flatMap((it) =>
        mayVideo && vehicles.sees(viewer, it.vehicle_id) ? it.task_id : [],
      ),
      snapshots: all.snapshots.filter((it) => seesSnapshot(viewer, it)),
      last_entry: row.last_entry !== null && seesEntry(viewer, row.last_entry) ? all.last_entry : null,
    };
  }

  return {
    sees,
    seesSnapshot,
    snapshotOf,
    seesEverything,
    whole,
    seenBy,
    entries: (rows: readonly IncidentEntryRow[], viewer: Viewer): IncidentEntry[] =>
      rows.filter((row) => seesEntry(viewer, row)).map(entryOf),
  };
}
