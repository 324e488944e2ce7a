import type { EventDetails } from '../contract/events.ts';
import type { Geofences } from '../geofences/geofences.ts';
import { holds, isDealer, type Viewer } from '../http/viewer.ts';
import type { Rules } from './rules.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';

/** What an event, a notification or a video task names beside its vehicle. */
interface Names {
  rule_id: string | null;
  geozone_id?: string | null;
  details?: EventDetails;
}

/** A record as its reader gets it: the rule may be hidden. */
export type Seen<T> = Omit<T, 'rule_id'> & { rule_id: string | null };

/**
 * What of a record the viewer may read who sees its vehicle. Whatever shows events, notifications or tasks asks here:
 * REST, the stream, files and messages. Who acted on a shared record (`ack.user_id`, `created_by`) is shown to all who
 * share it.
 */
export interface Sight {
  /**
   * The record without the names of geofences, rules and video tasks that the viewer may not see. A geofence that is
   * gone is for dealers alone: nobody knows any more who saw it. The same object when nothing is hidden.
   */
  of<T extends Names>(record: T, viewer: Viewer): Seen<T>;
  /** Whether records name the rule to the viewer; one that is gone they name to all. */
  seesRule(viewer: Viewer, ruleId: string): boolean;
  /** Whether records name the geofence to the viewer; one that is gone they name to dealers. */
  seesGeofence(viewer: Viewer, geozoneId: string): boolean;
  /** Null for a geofence that is gone or hidden. */
  geofenceName(geozoneId: string | null, viewer: Viewer): string | null;
}

export interface SightDeps {
  geofences: Pick<Geofences, 'get' | 'sees'>;
  rules: Pick<Rules, 'get' | 'isOwn'>;
}

export function createSight({ geofences, rules }: SightDeps): Sight {
  function seesRule(viewer: Viewer, ruleId: string): boolean {
    if (isDealer(viewer)) return true;
    if (!holds(viewer, 'notifications', 'read')) return false;
    const rule = rules.get(ruleId);
    // The id of a rule that is gone names nothing any more.
    return rule === undefined || rule.owner_id === null || rules.isOwn(viewer, rule);
  }

  const seesGeofence = (viewer: Viewer, geozoneId: string): boolean =>
    isDealer(viewer) || geofences.sees(viewer, geozoneId);

  return {
    seesRule,
    seesGeofence,

    of(record, viewer) {
      if (isDealer(viewer)) return record;
      const { rule_id, geozone_id = null, details } = record;
      const hidden: Partial<Names> = {};
      if (rule_id !== null && !seesRule(viewer, rule_id)) hidden.rule_id = null;
      if (geozone_id !== null && !seesGeofence(viewer, geozone_id)) hidden.geozone_id = null;
      if (details?.task_id !== undefined && !holds(viewer, 'video', 'read')) {
        const { task_id: _, ...rest } = details;
        hidden.details = rest;
      }
      return Object.keys(hidden).length === 0 ? record : { ...record, ...hidden };
    },

    geofenceName(geozoneId, viewer) {
      if (geozoneId === null || !geofences.sees(viewer, geozoneId)) return null;
      return geofences.get(geozoneId)?.name ?? null;
    },
  };
}

export type SeenVehicles = Pick<Vehicles, 'find' | 'visible' | 'sees'>;

/**
 * The vehicles whose rows a list may show. Dealers see those of all, deleted vehicles too, so nothing is given for
 * them. Throws 404 when one of `refs` (UUIDs or terminal IDs) names no vehicle that the viewer sees.
 */
export function shownVehicles(
  vehicles: SeenVehicles,
  viewer: Viewer,
  refs: string | readonly string[] | undefined,
): { vehicle_ids?: string[] } {
  if (refs !== undefined)
    return { vehicle_ids: [refs].flat().map((ref) => vehicles.find(ref, viewer).vehicle_id) };
  return isDealer(viewer) ? {} : { vehicle_ids: vehicles.visible(viewer).map((it) => it.vehicle_id) };
}

/** `from` and `to` of a list's query as the store takes them. */
export function periodOf(query: { from?: string | undefined; to?: string | undefined }): {
  from_ms?: number;
  to_ms?: number;
} {
  return {
    ...(query.from === undefined ? {} : { from_ms: Date.parse(query.from) }),
    ...(query.to === undefined ? {} : { to_ms: Date.parse(query.to) }),
  };
}
