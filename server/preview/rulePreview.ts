import type { EventKind } from '../contract/events.ts';
import type { Geofence } from '../contract/geofences.ts';
import type { Rule, RulePreview } from '../contract/rules.ts';
import type { SettingsFields } from '../contract/settings.ts';
import { createGeofenceIndex } from '../geofences/geofenceIndex.ts';
import type { TimeRange } from '../geofences/scheduleSpans.ts';
import type { HistoryReader } from '../store/telemetry/historyReader.ts';
import type { NotificationRow, PositionRow } from '../store/telemetry/rows.ts';
import { isoTime } from '../telemetry/presentPosition.ts';
import type { VehicleRecord } from '../vehicles/vehicleRecord.ts';
import { createFirstItems } from './firstItems.ts';
import { replayLeadMs, replayRule } from './ruleReplay.ts';
import { maxItems } from './visitPreview.ts';

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
