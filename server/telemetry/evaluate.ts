import type { EventValues } from '../contract/events.ts';
import type { Rule } from '../contract/rules.ts';
import type { SettingsFields } from '../contract/settings.ts';
import {
  advanceFences,
  type FenceCrossing,
  type FencedFix,
  type FenceSides,
} from '../geofences/fenceEngine.ts';
import type { FenceIndex, IndexedFence } from '../geofences/fenceIndex.ts';
import { isActive } from '../geofences/scheduleClock.ts';
import type { EventRow, PositionRow } from '../store/telemetry/rows.ts';
import type { VehicleRecord } from '../vehicles/vehicleRecord.ts';
import type { Admitted } from './admission.ts';
import { advanceOverspeed, type EpisodeNews, type SpeedLimit } from './overspeedEngine.ts';
import { isoTime } from './presentPosition.ts';
import { withContact, type VehicleState } from './vehicleState.ts';
import { idleSince, speedAfter } from './vehicleStatus.ts';

/** What the engines know beside the vehicle itself. */
export interface Surroundings {
  fences: FenceIndex;
  /** Rules of kind `overspeed` with numbers of their own that hold for the vehicle. */
  speedRules: readonly Rule[];
  settings: SettingsFields;
  newId: () => string;
}

export interface Evaluated {
  state: VehicleState;
  news: { event: EventRow; isNew: boolean }[];
}

/**
 * Takes one admitted position into a vehicle's state and tells what happened. Pure but for `newId`. Late positions,
 * those out of order and those without a fix move no engine; their alarms count all the same.
 */
export function evaluate(before: VehicleState, admitted: Admitted, around: Surroundings): Evaluated {
  const { row, vehicle, newAlarms } = admitted;
  // A merged row keeps when it first came; what is new in it came now.
  const arrived = { ...row, received_ms: admitted.received_ms };
  const late = arrived.received_ms - row.time_ms > around.settings.late_s * 1_000;
  const news = alarmNews(before, arrived, newAlarms, late, around.newId);
  let state = withContact(noted(before, row, around.settings), admitted.received_ms);
  const isNext = before.evaluated === null || row.time_ms > before.evaluated.time_ms;
  if (row.valid && isNext && !late) {
    const fences = fenceStep(before, row, vehicle, around.fences);
    news.push(
      ...fences.crossings.map((it) => ({ event: crossingEvent(it, row, around.newId()), isNew: true })),
    );
    const limits = speedLimits(vehicle, fences.after, row, around);
    const speeding = advanceOverspeed({
      limits,
      before: before.episodes,
      previous: before.evaluated,
      fix: row,
      newId: around.newId,
    });
    news.push(...speeding.news.map((it) => ({ event: episodeEvent(it, row), isNew: it.change === 'began' })));
    state = { ...state, evaluated: row, sides: fences.after, episodes: speeding.after };
  }
  return { state, news };
}

function noted(before: VehicleState, row: PositionRow, settings: SettingsFields): VehicleState {
  const isNewest = row.valid && (before.newest === null || row.time_ms >= before.newest.time_ms);
  const isLatest = before.last_stored_ms === null || row.time_ms >= before.last_stored_ms;
  return {
    ...before,
    newest: isNewest ? row : before.newest,
    last_stored_ms: Math.max(before.last_stored_ms ?? row.time_ms, row.time_ms),
    idle_since_ms: isLatest ? idleSince(before, row, settings.idle_kmh) : before.idle_since_ms,
    alarms: isLatest ? row.alarms : before.alarms,
    ignition: isLatest ? (row.ignition ?? before.ignition) : before.ignition,
    speed_kmh: isLatest ? speedAfter(before, row) : before.speed_kmh,
    battery_pct: isLatest ? (row.battery_pct ?? before.battery_pct) : before.battery_pct,
  };
}

/** The emergency button tells each time; any other alarm of the terminal when the message before did not bear it. */
function alarmNews(
  before: VehicleState,
  row: PositionRow,
  newAlarms: readonly string[],
  late: boolean,
  newId: () => string,
): Evaluated['news'] {
  return newAlarms
    .filter((alarm) => alarm === 'sos' || late || !before.alarms.includes(alarm))
    .map((alarm) => ({
      isNew: true,
      event: {
        ...eventOf(row, newId(), late),
        kind: alarm === 'sos' ? 'sos' : 'terminal_alarm',
        lat: row.valid ? row.lat : null,
        lon: row.valid ? row.lon : null,
        values: { ...noValues, alarm, fixes: row.valid ? [evidence(row)] : [] },
      },
    }));
}

function fenceStep(before: VehicleState, row: PositionRow, vehicle: VehicleRecord, index: FenceIndex) {
  const evaluatedAt = before.evaluated?.received_ms ?? Number.NEGATIVE_INFINITY;
  const regroupedAt = Date.parse(vehicle.groups_changed_at);
  return advanceFences({
    index,
    before: before.sides,
    previous: before.evaluated,
    fix: row,
    appliesTo: ({ fence }) =>
      fence.group_ids.length === 0 || fence.group_ids.some((id) => vehicle.group_ids.includes(id)),
    isFirstLook: ({ fence, known_from_ms }) =>
      known_from_ms > evaluatedAt || (fence.group_ids.length > 0 && regroupedAt > evaluatedAt),
  });
}

interface PlaceLimit {
  limit_kmh: number | null;
  limit_from: 'geofence' | 'vehicle';
  geozone_id: string | null;
}

/** The lowest limit of the geofences that the vehicle is in, else its own. */
function limitHere(vehicle: VehicleRecord, inside: readonly IndexedFence[]): PlaceLimit {
  let lowest: PlaceLimit = { limit_kmh: vehicle.speed_limit_kmh, limit_from: 'vehicle', geozone_id: null };
  for (const { fence } of inside) {
    const limit = fence.speed_limit_kmh;
    if (limit === null) continue;
    if (lowest.limit_from === 'vehicle' || lowest.limit_kmh === null || limit < lowest.limit_kmh) {
      lowest = { limit_kmh: limit, limit_from: 'geofence', geozone_id: fence.geozone_id };
    }
  }
  return lowest;
}

function speedLimits(
  vehicle: VehicleRecord,
  sides: FenceSides,
  row: PositionRow,
  { fences, speedRules, settings }: Surroundings,
): SpeedLimit[] {
  const inside = Object.entries(sides)
    .filter(([, side]) => side.inside)
    .flatMap(([id]) => fences.get(id) ?? [])
    .filter(({ fence }) => isActive(fence.schedule, row.time_ms));
  const here = limitHere(vehicle, inside);
  const base: SpeedLimit = {
    ...here,
    key: 'base',
    rule_version: null,
    tolerance_kmh: settings.overspeed_tolerance_kmh,
    min_duration_s: settings.overspeed_min_duration_s,
  };
  return [
    base,
    ...speedRules.map((rule): SpeedLimit => {
      const fence = inside.find((it) => rule.geozone_ids.includes(it.fence.geozone_id));
      const holds = rule.geozone_ids.length === 0 || fence !== undefined;
      const own = rule.params.limit_kmh;
      return {
        key: rule.rule_id,
        rule_version: rule.version,
        limit_kmh: holds ? (own ?? here.limit_kmh) : null,
        limit_from: own === undefined ? here.limit_from : 'rule',
        geozone_id: fence?.fence.geozone_id ?? (own === undefined ? here.geozone_id : null),
        tolerance_kmh: rule.params.tolerance_kmh ?? settings.overspeed_tolerance_kmh,
        min_duration_s: rule.params.min_duration_s ?? settings.overspeed_min_duration_s,
      };
    }),
  ];
}

const noValues: EventValues = {
  measured: null,
  threshold: null,
  unit: null,
  duration_s: null,
  alarm: null,
  limit_from: null,
  ended_at: null,
  fixes: [],
};

function eventOf(row: PositionRow, event_id: string, late: boolean): Omit<EventRow, 'kind' | 'values'> {
  return {
    event_id,
    vehicle_id: row.vehicle_id,
    time_ms: row.time_ms,
    received_ms: row.received_ms,
    late,
    lat: row.lat,
    lon: row.lon,
    geozone_id: null,
    rule_id: null,
    rule_version: null,
  };
}

function evidence(fix: FencedFix): EventValues['fixes'][number] {
  return { time: isoTime(fix.time_ms), lat: fix.lat, lon: fix.lon, speed_kmh: fix.speed_kmh };
}

function crossingEvent(crossing: FenceCrossing, row: PositionRow, event_id: string): EventRow {
  const { at } = crossing;
  return {
    ...eventOf(row, event_id, false),
    kind: crossing.kind,
    time_ms: at.time_ms,
    lat: at.lat,
    lon: at.lon,
    geozone_id: crossing.geozone_id,
    values: { ...noValues, duration_s: crossing.duration_s, fixes: crossing.fixes.map(evidence) },
  };
}

function episodeEvent({ key, episode, event_id, ended_ms }: EpisodeNews, row: PositionRow): EventRow {
  const announced = episode.announced ?? row;
  const lasted_ms = (ended_ms ?? episode.last_over.time_ms) - episode.since_ms;
  const fixes = [episode.peak, announced].sort((a, b) => a.time_ms - b.time_ms);
  return {
    ...eventOf(row, event_id, false),
    kind: 'overspeed',
    time_ms: announced.time_ms,
    received_ms: announced.received_ms,
    lat: episode.peak.lat,
    lon: episode.peak.lon,
    geozone_id: episode.geozone_id,
    rule_id: key === 'base' ? null : key,
    rule_version: episode.rule_version,
    values: {
      ...noValues,
      measured: episode.peak.speed_kmh,
      threshold: episode.limit_kmh,
      unit: 'km/h',
      duration_s: lasted_ms / 1_000,
      limit_from: episode.limit_from,
      ended_at: ended_ms === null ? null : isoTime(ended_ms),
      fixes: (fixes[0]?.time_ms === fixes[1]?.time_ms ? fixes.slice(0, 1) : fixes).map(evidence),
    },
  };
}
