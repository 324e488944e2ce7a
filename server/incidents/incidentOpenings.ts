import type { EventKind } from '../contract/events.ts';
import { severity, type Rule, type Severity } from '../contract/rules.ts';
import type { SettingsFields } from '../contract/settings.ts';
import type { Fired, RuleEvent, RuleOutcome, SnoozedUntil } from '../notifications/ruleEngine.ts';
import type { IncidentOpening } from '../store/telemetry/incidentRows.ts';
import type { NotificationRow, TaskRow } from '../store/telemetry/rows.ts';

/** The track, and the events, that belong to an incident begin so long before its first alarm and end as long after its last. */
const aroundMs = 5 * 60_000;

/** The worst last. */
export const severities: readonly Severity[] = severity.options;

export function spanAround(first_ms: number, last_ms: number): { from_ms: number; to_ms: number } {
  return { from_ms: first_ms - aroundMs, to_ms: last_ms + aroundMs };
}

/** Alarms of one key go to one incident: those of a rule and a vehicle; an SOS of a vehicle whatever rules notify of it. */
export function incidentKey({
  event_kind,
  rule_id,
  vehicle_id,
}: Pick<NotificationRow, 'event_kind' | 'rule_id' | 'vehicle_id'>): string {
  return `${event_kind === 'sos' ? 'sos' : rule_id} ${vehicle_id ?? ''}`;
}

export type IncidentSettings = Pick<SettingsFields, 'sos_opens_incident' | 'incident_checklists'>;

/** Driver and address are looked up once it is stored: an alarm waits for neither. */
const notDescribed = { described: false, driver: null, place: null };

/** What is to be done about an alarm of this kind, or about what began without an alarm. */
export function checklistOf(settings: IncidentSettings, kind: EventKind | null): readonly string[] {
  return settings.incident_checklists.find((it) => it.event_kind === kind)?.items ?? [];
}

interface OpeningsDeps {
  updates: readonly RuleEvent[];
  outcome: Pick<RuleOutcome, 'rows' | 'fired' | 'counted'>;
  /** The video tasks that the rules ordered. */
  ordered: readonly TaskRow[];
  settings: IncidentSettings;
  snoozedUntil: SnoozedUntil;
  newId: () => string;
}

/**
 * What events make of incidents. An SOS opens one, also where no rule has notified of it, since nobody may miss it;
 * other alarms do by their rule's `opens_incident`. What is snoozed opens none. Pure but for `newId`.
 */
export function incidentOpenings(deps: OpeningsDeps): IncidentOpening[] {
  const { updates, outcome, ordered, settings, snoozedUntil, newId } = deps;
  const alarms = [...outcome.fired, ...outcome.counted];
  const opens = (rule: Rule) =>
    rule.event_kind === 'sos' ? settings.sos_opens_incident : rule.opens_incident;
  const lastForm = new Map(outcome.rows.map((row) => [row.notification_id, row]));
  const byAlarm = new Map<string, Fired>();
  for (const alarm of alarms) {
    const { notification_id } = alarm.row;
    if (opens(alarm.rule) && !byAlarm.has(notification_id) && snoozedUntil(alarm.row) === null)
      byAlarm.set(notification_id, alarm);
  }
  // An SOS of several rules is one incident, which begins with the worst.
  const worstFirst = [...byAlarm.values()].toSorted(
    (a, b) => severities.indexOf(b.row.severity) - severities.indexOf(a.row.severity),
  );
  const openings = worstFirst.map(({ row, event, rule }): IncidentOpening => {
    const last = lastForm.get(row.notification_id) ?? row;
    const { event_kind, rule_id, rule_name, vehicle_id, geozone_id, lat, lon } = last;
    return {
      incident_id: newId(),
      repeat_key: incidentKey(last),
      title: rule_name,
      rule_name,
      rule_id,
      event_kind,
      vehicle_id,
      geozone_id,
      lat,
      lon,
      rule_owner: event_kind === 'sos' ? null : rule.owner_id,
      severity: last.severity,
      opened_by: event_kind === 'sos' ? 'sos' : 'rule',
      time_ms: event.time_ms,
      ...spanAround(event.time_ms, event.time_ms),
      ...notDescribed,
      checklist: checklistOf(settings, event_kind),
      notification_id: last.notification_id,
      task_ids: ordered.flatMap((it) => (it.event_id === event.event_id ? it.task_id : [])),
    };
  });
  if (!settings.sos_opens_incident) return openings;
  const notified = new Set(alarms.map((it) => it.event.event_id));
  for (const { event, isNew } of updates) {
    if (event.kind !== 'sos' || !isNew || notified.has(event.event_id)) continue;
    const { vehicle_id, geozone_id, lat, lon, time_ms } = event;
    openings.push({
      incident_id: newId(),
      repeat_key: incidentKey({ event_kind: 'sos', rule_id: '', vehicle_id }),
      title: 'SOS',
      rule_name: null,
      rule_id: null,
      rule_owner: null,
      event_kind: 'sos',
      vehicle_id,
      geozone_id,
      lat,
      lon,
      severity: 'alarm',
      opened_by: 'sos',
      time_ms,
      ...spanAround(time_ms, time_ms),
      ...notDescribed,
      checklist: checklistOf(settings, 'sos'),
      notification_id: null,
      task_ids: [],
    });
  }
  return openings;
}
