import type { Rule } from '../contract/rules.ts';
import type { SettingsFields } from '../contract/settings.ts';
import type { GeofenceIndex } from '../geofences/geofenceIndex.ts';
import type { TimeRange } from '../geofences/scheduleSpans.ts';
import { createRecentNotifications, retentionMs } from '../notifications/recentNotifications.ts';
import { applyRules, isOwnMeasure, type RuleEvent } from '../notifications/ruleEngine.ts';
import type { NotificationRow, PositionRow } from '../store/telemetry/rows.ts';
import { runVehicleTimers, nextDeadline } from '../telemetry/vehicleTimers.ts';
import { evaluate } from '../telemetry/evaluate.ts';
import type { EngineContext } from '../telemetry/engineContext.ts';
import { initialVehicleState, type VehicleState } from '../telemetry/vehicleState.ts';
import type { VehicleRecord } from '../vehicles/vehicleRecord.ts';

/** One rule over the past of one vehicle that it holds for. */
export interface Replay {
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
export const replayLeadMs = 86_400_000;

const epoch = new Date(0).toISOString();
const minPauseMs = 1_000;
const foldEvery = 1_000;

/**
 * Runs the live engines and the rule over a stored track, each position as if it had come at its own time, with the
 * host's clock driven along, and as if rule, geofences and groups had always been as they are. Nobody acknowledges anything. Pure.
 *
 * @returns how many events of the period the rule took
 */
export function replayRule(replay: Replay): { events: number } {
  const { period } = replay;
  const rule: Rule = { ...replay.rule, enabled: true, channels: [], updated_at: epoch };
  const vehicle: VehicleRecord = { ...replay.vehicle, groups_changed_at: epoch };
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
