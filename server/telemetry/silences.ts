import type { Rule } from '../contract/rules.ts';
import { isActive } from '../geofences/scheduleClock.ts';
import type { GeofenceSides } from '../geofences/geofenceEngine.ts';
import type { EventRow, PositionRow } from '../store/telemetry/rows.ts';
import type { VehicleRecord } from '../vehicles/vehicleRecord.ts';
import { eventRow, evidenceOf } from './eventRows.ts';
import { isoTime } from './presentPosition.ts';
import {
  baseKey,
  inServiceFrom,
  ruleEffectiveFrom,
  namesGeofence,
  type EventUpdate,
  type EngineContext,
  appliesTo,
  isNewTo,
} from './engineContext.ts';

/** The measures by which a vehicle was reported as offline, since the contact after which it fell silent. */
interface ReportedOffline {
  contact_ms: number;
  /** `base`, or rules' ids. */
  reported: readonly string[];
}

/** An open event of silence inside a geofence. */
interface OpenSilence {
  event_id: string;
  rule_id: string;
  rule_version: number;
  geozone_id: string;
  contact_ms: number;
  at_ms: number;
  threshold_s: number;
}

/** By rule and geofence. */
type OpenSilences = Readonly<Record<string, OpenSilence>>;

/** What of a vehicle's state its silences go by. */
export interface SilenceState {
  /** The newest drawn position by its own time, late ones too. */
  newest: PositionRow | null;
  /** The newest fix that the engines have seen, and when it came. */
  evaluated: PositionRow | null;
  /** When the last message came, with or without a fix; Unix ms. */
  last_contact_ms: number | null;
  sides: GeofenceSides;
  /** Null while the vehicle is not reported as offline. */
  offline: ReportedOffline | null;
  silences: OpenSilences;
}

/** A silence that becomes long at a moment. */
export interface DueSilence {
  at_ms: number;
  contact_ms: number;
  /** Null: by the settings. */
  rule: Rule | null;
  threshold_s: number;
  /** Null: it is off line, wherever it is. */
  geozone_id: string | null;
}

/**
 * When a silence of so many seconds is reached, Unix ms. It counts from the last contact, also over a restart or a
 * sleep of the machine; but then the host heard nobody, so nothing of it is due before the host has listened for
 * `settling_s`: terminals that could not reach it come back within that time.
 */
function silentAt(
  contact_ms: number,
  threshold_s: number,
  { started_ms, settings }: Pick<EngineContext, 'started_ms' | 'settings'>,
): number {
  const at_ms = contact_ms + threshold_s * 1_000;
  return contact_ms < started_ms ? Math.max(at_ms, started_ms + settings.settling_s * 1_000) : at_ms;
}

/** When the present silence becomes long, by each measure that has not reported it yet. */
export function dueSilences(
  state: SilenceState,
  vehicle: VehicleRecord,
  around: EngineContext,
): DueSilence[] {
  const contact_ms = state.last_contact_ms;
  if (contact_ms === null) return [];
  const { measuredRules, settings } = around;
  const reported = state.offline?.contact_ms === contact_ms ? state.offline.reported : [];
  const found: DueSilence[] = [];
  const { offline_s } = settings;
  if (!reported.includes(baseKey) && inServiceFrom(vehicle) <= contact_ms + offline_s * 1_000) {
    const threshold_s = offline_s;
    const at_ms = silentAt(contact_ms, threshold_s, around);
    found.push({ at_ms, contact_ms, rule: null, threshold_s, geozone_id: null });
  }
  for (const rule of measuredRules) {
    const { event_kind, params } = rule;
    if (event_kind !== 'offline' && event_kind !== 'silent_inside') continue;
    const threshold_s =
      event_kind === 'offline'
        ? (params.min_duration_s ?? settings.offline_s)
        : (params.silent_s ?? settings.silent_s);
    // A silence that was long already when the rule came is none of its own, not after a restart either.
    if (ruleEffectiveFrom(rule, vehicle) > contact_ms + threshold_s * 1_000) continue;
    const at_ms = silentAt(contact_ms, threshold_s, around);
    const due = { at_ms, contact_ms, rule, threshold_s };
    if (event_kind === 'offline') {
      if (!reported.includes(rule.rule_id)) found.push({ ...due, geozone_id: null });
      continue;
    }
    for (const geozone_id of geofencesAround(state, vehicle, around, rule, at_ms)) {
      if (state.silences[silenceKey(rule.rule_id, geozone_id)]?.contact_ms !== contact_ms)
        found.push({ ...due, geozone_id });
    }
  }
  return found;
}

/** The geofences of a rule in which the vehicle was last, and that hold for it at a moment. */
function geofencesAround(
  { sides, evaluated }: SilenceState,
  vehicle: VehicleRecord,
  { geofences }: EngineContext,
  rule: Rule,
  at_ms: number,
): string[] {
  return Object.keys(sides).filter((geozoneId) => {
    if (sides[geozoneId]?.inside !== true) return false;
    if (rule.geozone_ids.length > 0 && !namesGeofence(rule, geozoneId)) return false;
    const geofence = geofences.get(geozoneId);
    return (
      geofence !== undefined &&
      appliesTo(geofence, vehicle) &&
      !isNewTo(geofence, vehicle, evaluated?.received_ms ?? Number.NEGATIVE_INFINITY) &&
      isActive(geofence.geofence.schedule, at_ms)
    );
  });
}

function silenceKey(ruleId: string, geozoneId: string): string {
  return `${ruleId} ${geozoneId}`;
}

/** Reports that a silence has become long. */
export function reportSilence<S extends SilenceState>(
  state: S,
  vehicle: VehicleRecord,
  due: DueSilence,
  event_id: string,
): { state: S; event: EventRow } {
  const { at_ms, contact_ms, rule, threshold_s, geozone_id } = due;
  if (rule === null || geozone_id === null) {
    const before = state.offline?.contact_ms === contact_ms ? state.offline.reported : [];
    const offline = { contact_ms, reported: [...before, rule?.rule_id ?? baseKey] };
    const event = silenceEvent(state.newest, vehicle.vehicle_id, {
      event_id,
      rule_id: rule?.rule_id ?? null,
      rule_version: rule?.version ?? null,
      geozone_id: null,
      contact_ms,
      at_ms,
      threshold_s,
      ended_ms: null,
    });
    return { state: { ...state, offline }, event };
  }
  const { rule_id, version: rule_version } = rule;
  const open: OpenSilence = { event_id, rule_id, rule_version, geozone_id, contact_ms, at_ms, threshold_s };
  return {
    state: { ...state, silences: { ...state.silences, [silenceKey(rule_id, geozone_id)]: open } },
    event: silenceEvent(state.newest, vehicle.vehicle_id, { ...open, ended_ms: null }),
  };
}

type ReportedSilence = Omit<OpenSilence, 'rule_id' | 'rule_version' | 'geozone_id'> &
  Pick<EventRow, 'rule_id' | 'rule_version' | 'geozone_id'> & { ended_ms: number | null };

function silenceEvent(fix: PositionRow | null, vehicle_id: string, silence: ReportedSilence): EventRow {
  const { at_ms, contact_ms, threshold_s, ended_ms, ...named } = silence;
  const { event_id, rule_id, rule_version, geozone_id } = named;
  const lasted_s = ((ended_ms ?? at_ms) - contact_ms) / 1_000;
  return eventRow({
    event_id,
    kind: geozone_id === null ? 'offline' : 'silent_inside',
    vehicle_id,
    time_ms: at_ms,
    received_ms: at_ms,
    lat: fix?.lat ?? null,
    lon: fix?.lon ?? null,
    geozone_id,
    rule_id,
    rule_version,
    details: {
      measured: lasted_s,
      threshold: threshold_s,
      unit: 's',
      duration_s: lasted_s,
      limit_source: rule_id === null ? 'setting' : 'rule',
      ended_at: ended_ms === null ? null : isoTime(ended_ms),
      fixes: evidenceOf(fix),
    },
  });
}

/** Whether a silence was reported that a contact has ended since. */
export function isHeardAgain({ offline, silences, last_contact_ms }: SilenceState): boolean {
  if (last_contact_ms === null) return false;
  if (offline !== null && offline.contact_ms < last_contact_ms) return true;
  for (const key in silences) if ((silences[key]?.contact_ms ?? 0) < last_contact_ms) return true;
  return false;
}

/**
 * Ends what was reported of a silence, once the vehicle has sent something; the same state when there is nothing to
 * end.
 *
 * @param lastSeen the newest position before it was heard again
 */
export function endSilences<S extends SilenceState>(
  state: S,
  lastSeen: PositionRow | null,
  vehicle: VehicleRecord,
  newId: () => string,
): { state: S; updates: EventUpdate[] } {
  const { offline, last_contact_ms } = state;
  if (last_contact_ms === null || !isHeardAgain(state)) return { state, updates: [] };
  const updates: EventUpdate[] = [];
  const isOver = (contact_ms: number) => contact_ms < last_contact_ms;
  const silences: Record<string, OpenSilence> = {};
  for (const [key, open] of Object.entries(state.silences)) {
    if (!isOver(open.contact_ms)) {
      silences[key] = open;
      continue;
    }
    const event = silenceEvent(lastSeen, vehicle.vehicle_id, { ...open, ended_ms: last_contact_ms });
    updates.push({ event, isNew: false });
  }
  const isBack = offline !== null && isOver(offline.contact_ms);
  if (isBack && offline.reported.includes(baseKey))
    updates.push({ event: onlineEvent(state, vehicle.vehicle_id, offline.contact_ms, newId()), isNew: true });
  return { state: { ...state, silences, offline: isBack ? null : offline }, updates };
}

function onlineEvent(
  { last_contact_ms, newest }: SilenceState,
  vehicle_id: string,
  contact_ms: number,
  event_id: string,
): EventRow {
  const at_ms = last_contact_ms ?? contact_ms;
  const silent_s = (at_ms - contact_ms) / 1_000;
  return eventRow({
    event_id,
    kind: 'online',
    vehicle_id,
    time_ms: at_ms,
    received_ms: at_ms,
    lat: newest?.lat ?? null,
    lon: newest?.lon ?? null,
    details: { measured: silent_s, unit: 's', duration_s: silent_s, fixes: evidenceOf(newest) },
  });
}
