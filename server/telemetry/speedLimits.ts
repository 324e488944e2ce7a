import type { GeofenceSides } from '../geofences/geofenceEngine.ts';
import type { IndexedGeofence } from '../geofences/geofenceIndex.ts';
import { isActive } from '../geofences/scheduleClock.ts';
import type { EventRow, PositionRow } from '../store/telemetry/rows.ts';
import type { VehicleRecord } from '../vehicles/vehicleRecord.ts';
import { eventRow, evidenceOf } from './eventRows.ts';
import type { EpisodeUpdate, SpeedLimit } from './overspeedEngine.ts';
import { isoTime } from './presentPosition.ts';
import { baseKey, namesGeofence, type EngineContext } from './engineContext.ts';

interface PlaceLimit {
  limit_kmh: number | null;
  limit_source: 'geofence' | 'vehicle';
  geozone_id: string | null;
}

/** The limits that a vehicle is measured against where it is: the one that holds there, and those of the rules. */
export function speedLimits(
  vehicle: VehicleRecord,
  sides: GeofenceSides,
  time_ms: number,
  around: EngineContext,
): readonly SpeedLimit[] {
  const inside: IndexedGeofence[] = [];
  for (const id in sides) {
    const geofence = sides[id]?.inside === true ? around.geofences.get(id) : undefined;
    if (geofence !== undefined && isActive(geofence.geofence.schedule, time_ms)) inside.push(geofence);
  }
  if (inside.length > 0) return limitsIn(inside, vehicle, around);
  const known = outside.get(around);
  if (known?.vehicle === vehicle) return known.limits;
  const limits = limitsIn(inside, vehicle, around);
  outside.set(around, { vehicle, limits });
  return limits;
}

/** Most fixes lie in no geofence, and the limits of a vehicle are the same for all these of a batch. */
const outside = new WeakMap<EngineContext, { vehicle: VehicleRecord; limits: readonly SpeedLimit[] }>();

function limitsIn(
  inside: readonly IndexedGeofence[],
  vehicle: VehicleRecord,
  { measuredRules, settings }: EngineContext,
): SpeedLimit[] {
  const here = limitHere(vehicle, inside);
  const limits: SpeedLimit[] = [
    {
      ...here,
      key: baseKey,
      rule_version: null,
      tolerance_kmh: settings.overspeed_tolerance_kmh,
      min_duration_s: settings.overspeed_min_duration_s,
    },
  ];
  for (const rule of measuredRules) {
    if (rule.event_kind !== 'overspeed') continue;
    const geofence = inside.find((it) => namesGeofence(rule, it.geofence.geozone_id));
    const holds = rule.geozone_ids.length === 0 || geofence !== undefined;
    const own = rule.params.limit_kmh;
    limits.push({
      key: rule.rule_id,
      rule_version: rule.version,
      limit_kmh: holds ? (own ?? here.limit_kmh) : null,
      limit_source: own === undefined ? here.limit_source : 'rule',
      geozone_id: geofence?.geofence.geozone_id ?? (own === undefined ? here.geozone_id : null),
      tolerance_kmh: rule.params.tolerance_kmh ?? settings.overspeed_tolerance_kmh,
      min_duration_s: rule.params.min_duration_s ?? settings.overspeed_min_duration_s,
    });
  }
  return limits;
}

/** The lowest limit of the geofences that the vehicle is in, else its own. */
function limitHere(vehicle: VehicleRecord, inside: readonly IndexedGeofence[]): PlaceLimit {
  let lowest: PlaceLimit = { limit_kmh: vehicle.speed_limit_kmh, limit_source: 'vehicle', geozone_id: null };
  for (const { geofence } of inside) {
    const limit = geofence.speed_limit_kmh;
    if (limit === null) continue;
    if (lowest.limit_source === 'vehicle' || lowest.limit_kmh === null || limit < lowest.limit_kmh) {
      lowest = { limit_kmh: limit, limit_source: 'geofence', geozone_id: geofence.geozone_id };
    }
  }
  return lowest;
}

export function overspeedEvent(
  { key, episode, event_id, ended_ms }: EpisodeUpdate,
  row: PositionRow,
): EventRow {
  const announced = episode.announced ?? row;
  const lasted_ms = (ended_ms ?? episode.last_over.time_ms) - episode.since_ms;
  return eventRow({
    event_id,
    kind: 'overspeed',
    vehicle_id: row.vehicle_id,
    time_ms: announced.time_ms,
    received_ms: announced.received_ms,
    lat: episode.peak.lat,
    lon: episode.peak.lon,
    geozone_id: episode.geozone_id,
    rule_id: key === baseKey ? null : key,
    rule_version: episode.rule_version,
    details: {
      measured: episode.peak.speed_kmh,
      threshold: episode.limit_kmh,
      unit: 'km/h',
      duration_s: lasted_ms / 1_000,
      limit_source: episode.limit_source,
      ended_at: ended_ms === null ? null : isoTime(ended_ms),
      fixes: evidenceOf(episode.first ?? null, episode.peak, announced),
    },
  });
}
