import type { Rule } from '../contract/rules.ts';
import type { SettingsFields } from '../contract/settings.ts';
import type { GeofenceIndex, IndexedGeofence } from '../geofences/geofenceIndex.ts';
import type { EventRow } from '../store/telemetry/rows.ts';
import type { VehicleRecord } from '../vehicles/vehicleRecord.ts';

/** What the engines know beside the vehicle itself. */
export interface EngineContext {
  geofences: GeofenceIndex;
  /** Enabled rules that are measured by themselves and whose scope holds for the vehicle. */
  measuredRules: readonly Rule[];
  settings: SettingsFields;
  newId: () => string;
  /** Since when this host has listened without a gap; Unix ms. */
  started_ms: number;
}

export interface EventUpdate {
  event: EventRow;
  /** False: an event that was emitted before has grown or ended. */
  isNew: boolean;
}

const namedBy = new WeakMap<Rule, ReadonlySet<string>>();

/** Whether a rule names a geofence; asked for each position in each geofence, of rules that may name many. */
export function namesGeofence(rule: Rule, geozoneId: string): boolean {
  let named = namedBy.get(rule);
  if (named === undefined) {
    named = new Set(rule.geozone_ids);
    namedBy.set(rule, named);
  }
  return named.has(geozoneId);
}

/** The measure of the settings, beside those of rules, which go by their ids. */
export const baseKey = 'base';

/** Since when a vehicle is in service without a break, Unix ms: what was due while it was archived raises nothing. */
export const inServiceFrom = ({ restored_at }: VehicleRecord): number =>
  restored_at === undefined ? Number.NEGATIVE_INFINITY : Date.parse(restored_at);

/**
 * Since when a rule measures a vehicle, Unix ms: what was due before then raises nothing by it. A rule for groups knows
 * the vehicle no longer than the vehicle is in them.
 */
export function ruleEffectiveFrom(rule: Rule, vehicle: VehicleRecord): number {
  const changed_ms = Math.max(Date.parse(rule.updated_at), inServiceFrom(vehicle));
  const isForGroups = 'group_ids' in rule.scope && rule.scope.group_ids.length > 0;
  return isForGroups ? Math.max(changed_ms, Date.parse(vehicle.groups_changed_at)) : changed_ms;
}

/** Whether nothing is in it. Makes no list of its keys: it is asked several times for each fix of the fleet. */
export function isEmpty(record: Readonly<Record<string, unknown>>): boolean {
  for (const _ in record) return false;
  return true;
}

/** Whether a geofence holds for a vehicle: one without groups holds for all. */
export function appliesTo({ geofence }: IndexedGeofence, vehicle: VehicleRecord): boolean {
  return geofence.group_ids.length === 0 || geofence.group_ids.some((id) => vehicle.group_ids.includes(id));
}

/**
 * Whether a vehicle that was evaluated last by a fix received at `evaluated_ms` has never been held against this
 * geofence as it is now.
 */
export function isNewTo(geofence: IndexedGeofence, vehicle: VehicleRecord, evaluated_ms: number): boolean {
  return (
    geofence.known_from_ms > evaluated_ms ||
    (geofence.geofence.group_ids.length > 0 && Date.parse(vehicle.groups_changed_at) > evaluated_ms)
  );
}
