import Flatbush from 'flatbush';
import type { Geofence } from '../contract/geofences.ts';
import { lonDifference, type Place } from './geodesy.ts';
import { fenceShape, type FenceShape } from './fenceShape.ts';

/** A geofence, ready for the engine. */
export interface IndexedFence {
  fence: Geofence;
  shape: FenceShape;
  /** Since then the shape, or for whom it holds, is as it is now; Unix ms. */
  known_from_ms: number;
}

export interface FenceIndex {
  get(geozoneId: string): IndexedFence | undefined;
  /** All fences whose box the straight way from `a` to `b` may touch; give the same place twice for a point. */
  near(a: Place, b: Place): IndexedFence[];
}

export function createFenceIndex(fences: readonly { fence: Geofence; known_from_ms: number }[]): FenceIndex {
  const byId = new Map<string, IndexedFence>();
  const boxes: { entry: IndexedFence; box: readonly [number, number, number, number] }[] = [];
  for (const { fence, known_from_ms } of fences) {
    const entry = { fence, known_from_ms, shape: fenceShape(fence) };
    byId.set(fence.geozone_id, entry);
    for (const [west, south, east, north] of entry.shape.boxes) {
      boxes.push({ entry, box: [west, south, east, north] });
      // What reaches over the antimeridian is found from its other side as well.
      if (west < -180) boxes.push({ entry, box: [west + 360, south, 180, north] });
      if (east > 180) boxes.push({ entry, box: [-180, south, east - 360, north] });
    }
  }
  const tree = boxes.length === 0 ? null : new Flatbush(boxes.length);
  for (const { box } of boxes) tree?.add(...box);
  tree?.finish();

  return {
    get: (geozoneId) => byId.get(geozoneId),
    near(a, b) {
      if (tree === null) return [];
      const wraps = Math.abs(b.lon - a.lon) > 180 && Math.abs(lonDifference(b.lon, a.lon)) <= 180;
      const spans = wraps
        ? [
            [Math.max(a.lon, b.lon), 180],
            [-180, Math.min(a.lon, b.lon)],
          ]
        : [[Math.min(a.lon, b.lon), Math.max(a.lon, b.lon)]];
      const found = new Set<IndexedFence>();
      for (const [west = 0, east = 0] of spans) {
        for (const at of tree.search(west, Math.min(a.lat, b.lat), east, Math.max(a.lat, b.lat))) {
          const entry = boxes[at]?.entry;
          if (entry !== undefined) found.add(entry);
        }
      }
      return [...found];
    },
  };
}
