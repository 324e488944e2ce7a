import type { ReportedEvent, ReportedVideo } from '../contract/reportRows.ts';
import type { EventRow, NotificationRow, TaskRow } from '../store/telemetry/rows.ts';
import { isoTime } from '../telemetry/presentPosition.ts';
import type { RecordFilter, ReportVehicle } from './reportOrder.ts';
import type { GeofencesAt } from './geofencesAt.ts';
import { presentPlace, seconds } from './reportRows.ts';

/** What of a notification stands beside its events. */
export type Raised = Pick<NotificationRow, 'notification_id' | 'severity' | 'ack'>;

/** The notification of each event of a vehicle. */
export function raisedBy(notifications: Iterable<NotificationRow>): Map<string, Raised> {
  const byEvent = new Map<string, Raised>();
  for (const { notification_id, severity, ack, event_ids } of notifications) {
    for (const id of event_ids) byEvent.set(id, { notification_id, severity, ack });
  }
  return byEvent;
}

export function isAskedEvent(
  { kind, rule_id }: EventRow,
  raised: Raised | undefined,
  filter: RecordFilter,
): boolean {
  const { kinds, acknowledged } = filter;
  return (
    (kinds === null || kinds.includes(kind)) &&
    (filter.rule_id === null || rule_id === filter.rule_id) &&
    (acknowledged === null || (raised !== undefined && (raised.ack !== null) === acknowledged))
  );
}

export function presentEvent(
  event: EventRow,
  raised: Raised | undefined,
  vehicle: ReportVehicle,
  { geofencesAt, sees }: { geofencesAt: GeofencesAt; sees: Sees },
): ReportedEvent {
  const { details, lat, lon } = event;
  const ack = raised?.ack ?? null;
  return {
    event_id: event.event_id,
    vehicle_id: vehicle.vehicle_id,
    kind: event.kind,
    time: isoTime(event.time_ms),
    end_time: details.ended_at,
    duration_s: details.duration_s,
    place: lat === null || lon === null ? null : presentPlace({ lat, lon }, vehicle, geofencesAt),
    geozone_id: sees.geofence(event.geozone_id),
    rule_id: sees.rule(event.rule_id),
    measured: details.measured,
    threshold: details.threshold,
    unit: details.unit,
    alarm: details.alarm,
    late: event.late,
    notification_id: raised?.notification_id ?? null,
    severity: raised?.severity ?? null,
    acknowledged_at: ack === null ? null : isoTime(ack.at_ms),
    acknowledged_by: ack?.user_id ?? null,
    acknowledged_after_s: ack === null ? null : seconds(Math.max(0, ack.at_ms - event.time_ms)),
    note: ack?.note ?? null,
  };
}

export function presentVideo(task: TaskRow, sees: Sees): ReportedVideo {
  const { file, done_ms } = task;
  return {
    task_id: task.task_id,
    vehicle_id: task.vehicle_id,
    channel: task.channel,
    requested_at: isoTime(task.created_ms),
    start_time: isoTime(task.from_ms),
    end_time: isoTime(task.to_ms),
    duration_s: file?.duration_s ?? seconds(task.to_ms - task.from_ms),
    status: task.status,
    stream: task.stream,
    done_at: done_ms === null ? null : isoTime(done_ms),
    took_s: done_ms === null ? null : seconds(done_ms - task.created_ms),
    attempts: task.attempts,
    error: task.error?.code ?? null,
    size_bytes: file?.size_bytes ?? null,
    event_id: task.event_id,
    rule_id: sees.rule(task.rule_id),
    created_by: task.created_by,
  };
}

/** Hides the ids of what the caller may not see: null in their place. */
export interface Sees {
  geofence(id: string | null): string | null;
  rule(id: string | null): string | null;
}

/** @param filter `seen` is null for callers who see all, also what is gone */
export function createSees({ seen }: RecordFilter): Sees {
  if (seen === null) return { geofence: (id) => id, rule: (id) => id };
  const [geofences, rules] = [new Set(seen.geozone_ids), new Set(seen.rule_ids)];
  return {
    geofence: (id) => (id !== null && geofences.has(id) ? id : null),
    rule: (id) => (id !== null && rules.has(id) ? id : null),
  };
}
