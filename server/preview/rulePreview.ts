import type { EventKind } from '../contract/events.ts';
import type { Geofence } from '../contract/geofences.ts';
import type { Rule, RulePreview } from '../contract/rules.ts';
import type { SettingsFields } from '../contract/settings.ts';
import { createGeofenceIndex, type GeofenceIndex } from '../geofences/geofenceIndex.ts';
import type { TimeRange } from '../geofences/scheduleClock.ts';
import type { HistoryReader } from '../store/telemetry/historyReader.ts';
import type { NotificationRow, PositionRow } from '../store/telemetry/rows.ts';
import { isoTime } from '../telemetry/presentPosition.ts';
import type { VehicleRecord } from '../vehicles/vehicleRecord.ts';
import { createFirstItems, maxItems } from './visitPreview.ts';
import { createRecentNotifications, retentionMs } from '../notifications/recentNotifications.ts';
import { applyRules, isOwnMeasure, type RuleEvent } from '../notifications/ruleEngine.ts';
import { runVehicleTimers, nextDeadline } from '../telemetry/vehicleTimers.ts';
import { evaluate } from '../telemetry/evaluate.ts';
import type { EngineContext } from '../telemetry/engineContext.ts';
import { initialVehicleState, type VehicleState } from '../telemetry/vehicleState.ts';

/** The firings of one rule; plain data, as it goes to a thread. */
export interface FiringOrder {
  rule: Rule;
  /** Those that the rule holds for and the viewer sees. */
  vehicles: readonly VehicleRecord[];
  geofences: readonly Geofence[];
  /** Those that the rule's owner sees. */
  seen_fence_ids: readonly string[];
  settings: SettingsFields;
  period: TimeRange;
  now_ms: number;
}

const rowsPerProgress = 5_000;

export function previewRule(
  order: FiringOrder,
  reader: Pick<HistoryReader, 'track'>,
  onProgress: (fraction: number) => void,
): RulePreview {
  const { rule, vehicles, period } = order;
  const geofences = createGeofenceIndex(
    neededGeofences(rule, order.geofences).map((geofence) => ({ geofence, known_from_ms: 0 })),
  );
  const seen = new Set(order.seen_fence_ids);
  const found = createFirstItems<NotificationRow>(maxItems, (it) => it.first_ms);
  let positions = 0;
  let events = 0;

  function* counted(vehicle_id: string, done: number): Generator<PositionRow> {
    for (const row of reader.track(vehicle_id, period.from_ms - replayLeadMs, period.to_ms - 1)) {
      if (row.time_ms >= period.from_ms) {
        positions += 1;
        if (positions % rowsPerProgress === 0) {
          const fraction = (row.time_ms - period.from_ms) / (period.to_ms - period.from_ms);
          onProgress((done + fraction) / vehicles.length);
        }
      }
      yield row;
    }
  }

  for (const [at, vehicle] of vehicles.entries()) {
    const replayed = replayRule({
      ...order,
      vehicle,
      geofences,
      seesGeofence: (geozoneId) => seen.has(geozoneId),
      track: counted(vehicle.vehicle_id, at),
      onNotification: (row) => found.add(row),
    });
    events += replayed.events;
    onProgress((at + 1) / vehicles.length);
  }
  return {
    from: isoTime(period.from_ms),
    to: isoTime(period.to_ms),
    vehicles: vehicles.length,
    positions,
    events,
    notifications: found.count(),
    items: found.list().map(present),
    truncated: found.count() > maxItems,
  };
}

const kindsAtGeofences: ReadonlySet<EventKind> = new Set([
  'geofence_enter',
  'geofence_exit',
  'geofence_dwell',
  'silent_inside',
]);

/** The engines' time goes to geofences: they are given those alone that can make a difference to the rule. */
function neededGeofences(rule: Rule, geofences: readonly Geofence[]): Geofence[] {
  const named = new Set(rule.geozone_ids);
  if (kindsAtGeofences.has(rule.event_kind)) {
    return geofences.filter((geofence) => named.size === 0 || named.has(geofence.geozone_id));
  }
  if (rule.event_kind !== 'overspeed') return [];
  return geofences.filter((geofence) => geofence.speed_limit_kmh !== null || named.has(geofence.geozone_id));
}

function present({
  first_ms,
  last_ms,
  ongoing_until_ms,
  ...row
}: NotificationRow): RulePreview['items'][number] {
  const { vehicle_id, geozone_id, count, late, lat, lon, details } = row;
  if (vehicle_id === null) throw new Error('positions are of vehicles');
  return {
    vehicle_id,
    geozone_id,
    count,
    late,
    first_time: isoTime(first_ms),
    last_time: isoTime(last_ms),
    ongoing_until: ongoing_until_ms === null ? null : isoTime(ongoing_until_ms),
    lat,
    lon,
    details,
  };
}

/** One rule over the past of one vehicle that it holds for. */
interface Replay {
  rule: Rule;
  vehicle: VehicleRecord;
  geofences: GeofenceIndex;
  /** Whether the rule's owner sees a geofence. */
  seesGeofence: (geozoneId: string) => boolean;
  settings: SettingsFields;
  /** Its end is not in it. */
  period: TimeRange;
  /** Time passes up to this moment, and no farther. */
  now_ms: number;
  /** The positions with times from `replayLeadMs` before the period up to its end, in order of time. */
  track: Iterable<PositionRow>;
  /** Each notification that began in the period, when nothing more can come to it. */
  onNotification: (row: NotificationRow) => void;
}

/** So long before a period the engines begin, for them to know at its start what goes on. */
const replayLeadMs = 86_400_000;

const epoch = new Date(0).toISOString();
const minPauseMs = 1_000;
const foldEvery = 1_000;

/**
 * Runs the live engines and the rule over a stored track, each position as if it had come at its own time, with the
 * host's clock driven along, and as if rule, geofences and groups had always been as they are. Nobody acknowledges anything. Pure.
 *
 * @returns how many events of the period the rule took
 */
function replayRule(replay: Replay): { events: number } {
  const { period } = replay;
  const rule: Rule = { ...replay.rule, enabled: true, channels: [], updated_at: epoch };
  const vehicle: VehicleRecord = { ...replay.vehicle, groups_changed_at: epoch, restored_at: epoch };
  const counter = createCounter();
  const around: EngineContext = {
    geofences: replay.geofences,
    measuredRules: isOwnMeasure(rule) ? [rule] : [],
    settings: replay.settings,
    newId: counter,
    started_ms: period.from_ms - replayLeadMs,
  };
  const open = new Map<string, NotificationRow>();
  let clock_ms = around.started_ms;
  const recent = createRecentNotifications([], { now: () => clock_ms });
  let state: VehicleState = initialVehicleState;
  let events = 0;

  function emit(news: readonly RuleEvent[]): void {
    for (const item of news) {
      if (item.event.kind !== rule.event_kind) continue;
      const outcome = applyRules({
        updates: [item],
        rules: [rule],
        inScope: (_rule, _vehicleId, geozoneId) => geozoneId === null || replay.seesGeofence(geozoneId),
        snoozedUntil: () => null,
        recent,
        newId: counter,
        now_ms: clock_ms,
      });
      if (outcome.rows.length === 0) continue;
      recent.apply(outcome.rows);
      for (const row of outcome.rows) open.set(row.notification_id, row);
      if (item.isNew && isWithin(item.event.time_ms, period)) events += 1;
      if (open.size >= foldEvery) fold(clock_ms - retentionMs);
    }
  }

  /** Gives out what no event can come to any more. */
  function fold(before_ms: number): void {
    for (const [id, row] of open) {
      if (row.last_ms >= before_ms) continue;
      open.delete(id);
      if (isWithin(row.first_ms, period)) replay.onNotification(row);
    }
  }

  function passTime(until_ms: number): void {
    let at_ms = nextDeadline(state, vehicle, around);
    while (at_ms !== null && at_ms <= until_ms) {
      // Some moments turn out to be early.
      clock_ms = Math.max(clock_ms, at_ms);
      const elapsed = runVehicleTimers(state, vehicle, clock_ms, around);
      state = elapsed.state;
      emit(elapsed.updates);
      const next_ms = nextDeadline(state, vehicle, around);
      at_ms = next_ms === null ? null : Math.max(next_ms, clock_ms + minPauseMs);
    }
    clock_ms = Math.max(clock_ms, until_ms);
  }

  for (const stored of replay.track) {
    // History's answer is the same in whatever order, and how late, it came.
    const row = { ...stored, received_ms: stored.time_ms };
    passTime(row.time_ms);
    const { received_ms, alarms } = row;
    const evaluated = evaluate(
      state,
      { row, vehicle, outcome: 'stored', received_ms, newAlarms: alarms },
      around,
    );
    state = evaluated.state;
    if (evaluated.updates.length > 0) emit(evaluated.updates);
  }
  passTime(Math.min(period.to_ms, replay.now_ms));
  fold(Number.POSITIVE_INFINITY);
  return { events };
}

function isWithin(at_ms: number, { from_ms, to_ms }: TimeRange): boolean {
  return at_ms >= from_ms && at_ms < to_ms;
}

/** Names that are unique here, since nobody else sees them. */
function createCounter(): () => string {
  let last = 0;
  return () => {
    last += 1;
    return String(last);
  };
}
