import { isDealer, type Viewer } from '../http/viewer.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';

export type SeenVehicles = Pick<Vehicles, 'find' | 'visible' | 'sees'>;

/**
 * The vehicles whose rows a list may show. Dealers see those of all, deleted vehicles too, so nothing is given for
 * them. Throws 404 when `ref` (UUID or terminal ID) names no vehicle that the viewer sees.
 */
export function shownVehicles(
  vehicles: SeenVehicles,
  viewer: Viewer,
  ref: string | undefined,
): { vehicle_ids?: string[] } {
  if (ref !== undefined) return { vehicle_ids: [vehicles.find(ref, viewer).vehicle_id] };
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
