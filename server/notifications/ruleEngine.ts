import type { EventKind } from '../contract/events.ts';
import type { Rule } from '../contract/rules.ts';
import { isActive } from '../geofences/scheduleClock.ts';
import type { DeliveryRow, EventRow, NotificationRow, RuleVersionRow } from '../store/telemetry/rows.ts';
import { targetsOf } from './ruleChannels.ts';
import { versionRow } from './ruleRecord.ts';

/** An event that just happened or, with `isNew` false, has grown or ended since. */
export interface RuleEvent {
  event: EventRow;
  isNew: boolean;
}

export interface RuleStep {
  updates: readonly RuleEvent[];
  rules: readonly Rule[];
  /** Whether a rule's scope, within its owner's rights, holds for a vehicle, and for an event's geofence. */
  inScope: (rule: Rule, vehicleId: string | null, geozoneId: string | null) => boolean;
  snoozedUntil: SnoozedUntil;
  /** Rows that an event may still count on or belong to. */
  recent: RecentRows;
  newId: () => string;
  now_ms: number;
}

/** Until when what a rule makes of a vehicle is snoozed, Unix ms; null when it is not. */
export type SnoozedUntil = (
  row: Pick<NotificationRow, 'vehicle_id' | 'rule_id' | 'event_kind'>,
) => number | null;

/** Reads among the rows that are open or young; changes of this step are seen by its own later events. */
export interface RecentRows {
  /** The open rows of a repeat key. */
  open(key: string): readonly NotificationRow[];
  withEvent(eventId: string): readonly NotificationRow[];
}

export interface Fired {
  row: NotificationRow;
  rule: Rule;
  event: EventRow;
}

export interface RuleOutcome {
  /** Changed and new rows, each once in its last form. */
  rows: NotificationRow[];
  /** The new rows with what fired them. */
  fired: Fired[];
  /** New events that were counted on rows which were open. */
  counted: Fired[];
  /** The rules that opened rows, as they are now. */
  versions: RuleVersionRow[];
  /** What leaves the console: for new rows alone, and none for a row that is snoozed. */
  deliveries: DeliveryRow[];
}

/** Same rule, same vehicle, same geofence: a repeat. */
export function repeatKey(row: Pick<NotificationRow, 'rule_id' | 'vehicle_id' | 'geozone_id'>): string {
  return `${row.rule_id} ${row.vehicle_id ?? ''} ${row.geozone_id ?? ''}`;
}

const maxEventIds = 100;

/**
 * Makes notifications of events, by the rules. Pure. An event within a rule's cool-down of those on a row that is still
 * open is counted on that row, on the nearest one if there are several (late alarms find the row of their own time);
 * what happens after an acknowledgement is news and opens a new row.
 */
export function applyRules(step: RuleStep): RuleOutcome {
  const changed = new Map<string, NotificationRow>();
  /** The changed rows by their newest event; some have a newer one since. */
  const changedByNewest = new Map<string, Set<string>>();
  const openedByKey = new Map<string, string[]>();
  const fired: Fired[] = [];
  const repeated: Fired[] = [];

  function change(row: NotificationRow): void {
    changed.set(row.notification_id, row);
    const newest = row.event_ids.at(-1);
    if (newest === undefined) return;
    const ids = changedByNewest.get(newest) ?? new Set();
    changedByNewest.set(newest, ids.add(row.notification_id));
  }

  function openRows(key: string): NotificationRow[] {
    return [
      ...step.recent.open(key).map((row) => changed.get(row.notification_id) ?? row),
      ...(openedByKey.get(key) ?? []).flatMap((id) => changed.get(id) ?? []),
    ];
  }

  for (const { event, isNew } of step.updates) {
    if (!isNew) {
      const before = step.recent.withEvent(event.event_id);
      const ids = new Set([
        ...before.map((row) => row.notification_id),
        ...(changedByNewest.get(event.event_id) ?? []),
      ]);
      for (const id of ids) {
        const row = changed.get(id) ?? before.find((it) => it.notification_id === id);
        if (row !== undefined && row.event_ids.at(-1) === event.event_id) {
          change({ ...row, ...lastOf(event), updated_ms: step.now_ms });
        }
      }
      continue;
    }
    for (const rule of step.rules) {
      if (!matches(rule, event) || !step.inScope(rule, event.vehicle_id, event.geozone_id)) continue;
      const key = repeatKey({
        rule_id: rule.rule_id,
        vehicle_id: event.vehicle_id,
        geozone_id: event.geozone_id,
      });
      const row = nearest(openRows(key), event, rule.cooldown_s);
      if (row !== undefined) {
        const again = counted(row, event, step.now_ms);
        change(again);
        repeated.push({ row: again, rule, event });
        continue;
      }
      const begun = opened(rule, event, step);
      change(begun);
      openedByKey.set(key, [...(openedByKey.get(key) ?? []), begun.notification_id]);
      fired.push({ row: begun, rule, event });
    }
  }
  return {
    rows: [...changed.values()],
    fired,
    counted: repeated,
    versions: [...new Set(fired.map((it) => it.rule))].map(versionRow),
    deliveries: fired.flatMap((it) => deliveriesOf(it, step)),
  };
}

/**
 * Whether a rule is measured separately: with thresholds of its own, or in its own geofences alone. What it measures
 * bears its id and is its own, apart from what the settings' numbers make of the same ride. Nobody asks for silence
 * inside a geofence but such rules.
 */
export function isOwnMeasure({
  event_kind,
  params,
  geozone_ids,
}: Pick<Rule, 'event_kind' | 'params' | 'geozone_ids'>): boolean {
  switch (event_kind) {
    case 'overspeed':
      return geozone_ids.length > 0 || Object.values(params).some((it) => it !== undefined);
    case 'geofence_dwell':
      return params.dwell_s !== undefined;
    case 'silent_inside':
      return true;
    case 'idling':
    case 'offline':
      return params.min_duration_s !== undefined;
    default:
      return false;
  }
}

function matches(rule: Rule, event: EventRow): boolean {
  if (!rule.enabled || rule.event_kind !== event.kind) return false;
  if (isOwnMeasure(rule)) return event.rule_id === rule.rule_id && isActive(rule.schedule, event.time_ms);
  if (event.rule_id !== null) return false;
  if (
    rule.geozone_ids.length > 0 &&
    (event.geozone_id === null || !rule.geozone_ids.includes(event.geozone_id))
  )
    return false;
  if (!namesAlarm(rule, event)) return false;
  return isActive(rule.schedule, event.time_ms);
}

function namesAlarm({ event_kind, params: { alarms } }: Rule, { details: { alarm } }: EventRow): boolean {
  if (event_kind !== 'terminal_alarm' || alarms === undefined) return true;
  return alarm !== null && alarms.includes(alarm);
}

function nearest(
  rows: readonly NotificationRow[],
  event: EventRow,
  cooldown_s: number,
): NotificationRow | undefined {
  let found: NotificationRow | undefined;
  let minMs = cooldown_s * 1_000;
  for (const row of rows) {
    const awayMs = Math.max(row.first_ms - event.time_ms, event.time_ms - row.last_ms, 0);
    if (awayMs > minMs) continue;
    found = row;
    minMs = awayMs;
  }
  return found;
}

/** What a row shows of its newest event. */
function lastOf(event: EventRow) {
  return {
    details: event.details,
    lat: event.lat,
    lon: event.lon,
    ongoing_until_ms: ongoingUntil(event),
  };
}

/** Their event is emitted again when they end. The end of `offline` is an event of its own, `online`. */
const episodes: ReadonlySet<EventKind> = new Set(['overspeed', 'idling', 'silent_inside', 'host_trouble']);

function ongoingUntil({ kind, time_ms, details: { ended_at } }: EventRow): number | null {
  if (ended_at !== null) return Date.parse(ended_at);
  return episodes.has(kind) ? null : time_ms;
}

function counted(row: NotificationRow, event: EventRow, now_ms: number): NotificationRow {
  const isNewest = event.time_ms >= row.last_ms;
  return {
    ...row,
    ...(isNewest ? lastOf(event) : {}),
    count: row.count + 1,
    late: row.late && event.late,
    first_ms: Math.min(row.first_ms, event.time_ms),
    last_ms: Math.max(row.last_ms, event.time_ms),
    event_ids: isNewest
      ? [...row.event_ids, event.event_id].slice(-maxEventIds)
      : [event.event_id, ...row.event_ids].slice(-maxEventIds),
    updated_ms: now_ms,
  };
}

function opened(rule: Rule, event: EventRow, step: RuleStep): NotificationRow {
  return {
    notification_id: step.newId(),
    rule_id: rule.rule_id,
    rule_name: rule.name,
    rule_version: rule.version,
    event_kind: event.kind,
    vehicle_id: event.vehicle_id,
    geozone_id: event.geozone_id,
    severity: rule.severity,
    quiet: rule.quiet || rule.severity === 'info',
    sound: rule.sound,
    state: 'open',
    count: 1,
    late: event.late,
    first_ms: event.time_ms,
    last_ms: event.time_ms,
    ...lastOf(event),
    event_ids: [event.event_id],
    ack: null,
    updated_ms: step.now_ms,
  };
}

/** One for each address, so that nobody sees the other recipients. */
function deliveriesOf({ row, rule }: Fired, step: RuleStep): DeliveryRow[] {
  const targets = targetsOf(rule);
  if (targets.length === 0 || step.snoozedUntil(row) !== null) return [];
  return targets.map(({ channel, target }) => ({
    delivery_id: step.newId(),
    notification_id: row.notification_id,
    rule_id: row.rule_id,
    vehicle_id: row.vehicle_id,
    channel,
    target,
    status: 'waiting',
    attempts: 0,
    next_attempt_ms: step.now_ms,
    last_error: null,
    created_ms: step.now_ms,
    sent_ms: null,
    step: null,
    user_id: null,
  }));
}
