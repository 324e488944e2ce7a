import type { IndexedGeofence } from '../geofences/geofenceIndex.ts';
import { isActive } from '../geofences/scheduleClock.ts';
import type { Rule } from '../contract/rules.ts';
import type { EventRow } from '../store/telemetry/rows.ts';
import type { VehicleRecord } from '../vehicles/vehicleRecord.ts';
import { eventRow, evidenceOf, type EvidenceFix } from './eventRows.ts';
import {
  baseKey,
  inServiceFrom,
  ruleEffectiveFrom,
  namesGeofence,
  type EngineContext,
} from './engineContext.ts';

/** By geofence, the visit and the measures by which it was reported as long. */
export type ReportedDwells = Readonly<Record<string, { since_ms: number; reported: readonly string[] }>>;

/** A stay in a geofence as far as it is known. */
export interface Stay {
  geofence: IndexedGeofence;
  since_ms: number;
  /** Until then it was inside for certain; infinite: it still is. Unix ms. */
  until_ms: number;
}

/** A stay that becomes long at a moment. */
export interface DueDwell {
  at_ms: number;
  geofence: IndexedGeofence;
  since_ms: number;
  /** Null: by the settings. */
  rule: Rule | null;
  threshold_s: number;
}

/**
 * The moments at which a stay becomes long, by each measure that has not reported it yet; those it does not reach are
 * left out.
 */
export function dueDwells(
  { geofence, since_ms, until_ms }: Stay,
  reported: ReportedDwells,
  vehicle: VehicleRecord,
  { measuredRules, settings }: EngineContext,
): DueDwell[] {
  const { geozone_id, schedule } = geofence.geofence;
  const before = reported[geozone_id];
  const known = before?.since_ms === since_ms ? before.reported : [];
  const found: DueDwell[] = [];

  function look(rule: Rule | null, threshold_s: number): void {
    const at_ms = since_ms + threshold_s * 1_000;
    if (at_ms > until_ms || known.includes(rule?.rule_id ?? baseKey)) return;
    if ((rule === null ? inServiceFrom(vehicle) : ruleEffectiveFrom(rule, vehicle)) > at_ms) return;
    if (isActive(schedule, at_ms)) found.push({ at_ms, geofence, since_ms, rule, threshold_s });
  }

  look(null, settings.dwell_s);
  for (const rule of measuredRules) {
    if (rule.event_kind !== 'geofence_dwell') continue;
    if (rule.geozone_ids.length > 0 && !namesGeofence(rule, geozone_id)) continue;
    look(rule, rule.params.dwell_s ?? settings.dwell_s);
  }
  return found;
}

/** The state once these were reported; visits that are over by `isOver` are dropped. */
export function withDwells(
  reported: ReportedDwells,
  dues: readonly DueDwell[],
  isOver: (geozoneId: string, since_ms: number) => boolean,
): ReportedDwells {
  const after: Record<string, { since_ms: number; reported: readonly string[] }> = {};
  for (const [geozoneId, visit] of Object.entries(reported)) {
    if (!isOver(geozoneId, visit.since_ms)) after[geozoneId] = visit;
  }
  for (const { geofence, since_ms, rule } of dues) {
    const { geozone_id } = geofence.geofence;
    if (isOver(geozone_id, since_ms)) continue;
    const key = rule?.rule_id ?? baseKey;
    const before = after[geozone_id];
    after[geozone_id] = {
      since_ms,
      reported: before?.since_ms === since_ms ? [...before.reported, key] : [key],
    };
  }
  return after;
}

/** @param fix the last that is known */
export function dwellEvent(
  { at_ms, geofence, rule, threshold_s }: DueDwell,
  vehicle_id: string,
  fix: EvidenceFix | null,
  received_ms: number,
  event_id: string,
): EventRow {
  return eventRow({
    event_id,
    kind: 'geofence_dwell',
    vehicle_id,
    time_ms: at_ms,
    received_ms,
    lat: fix?.lat ?? null,
    lon: fix?.lon ?? null,
    geozone_id: geofence.geofence.geozone_id,
    rule_id: rule?.rule_id ?? null,
    rule_version: rule?.version ?? null,
    details: {
      measured: threshold_s,
      threshold: threshold_s,
      unit: 's',
      duration_s: threshold_s,
      limit_source: rule === null ? 'setting' : 'rule',
      fixes: evidenceOf(fix),
    },
  });
}
