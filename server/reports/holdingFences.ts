import type { Geofence } from '../contract/geofences.ts';
import { createFenceIndex, type IndexedFence } from '../geofences/fenceIndex.ts';
import type { Place } from '../geofences/geodesy.ts';
import type { ReportVehicle } from './reportOrder.ts';

/** Whether a geofence holds for a vehicle. */
export function holdsFor(vehicle: ReportVehicle): (fence: IndexedFence) => boolean {
  return ({ fence }) =>
    fence.group_ids.length === 0 || fence.group_ids.some((id) => vehicle.group_ids.includes(id));
}

export type FencesAt = (place: Place, vehicle: ReportVehicle) => string[];

/** The ids of the geofences that hold for a vehicle and that a place lies in, by their names; schedules do not count. */
export function createFencesAt(fences: readonly Geofence[]): FencesAt {
  const index = createFenceIndex(fences.map((fence) => ({ fence, known_from_ms: 0 })));
  return (place, vehicle) => {
    const near: IndexedFence[] = [];
    index.near(place, place, collect, near);
    return near
      .filter(holdsFor(vehicle))
      .filter(({ shape }) => shape.isInside(place))
      .map(({ fence }) => fence)
      .sort((a, b) => a.name.localeCompare(b.name) || (a.geozone_id < b.geozone_id ? -1 : 1))
      .map(({ geozone_id }) => geozone_id);
  };
}

function collect(fence: IndexedFence, found: IndexedFence[]): void {
  found.push(fence);
}
