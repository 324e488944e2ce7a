import type { GeoJSONFeatureDiff } from 'maplibre-gl';

/** Remembers what a source holds and gathers what is to change, so that the source is only ever sent differences. */
export function createFeatureSet() {
  /** As the source has it after the last diff that was taken. */
  const sent = new Map<string, GeoJSON.Feature>();
  /** What is to become of a feature; null for gone. */
  const needed = new Map<string, GeoJSON.Feature | null>();

  return {
    put(feature: GeoJSON.Feature) {
      needed.set(String(feature.id), feature);
    },
    remove(id: string) {
      needed.set(id, null);
    },
    /** What has changed since the last call; null when nothing has. */
    takeDiff() {
      const add: GeoJSON.Feature[] = [];
      const remove: string[] = [];
      const update: GeoJSONFeatureDiff[] = [];
      for (const [id, feature] of needed) {
        const before = sent.get(id);
        if (feature === null) {
          if (before) remove.push(id);
          sent.delete(id);
          continue;
        }
        if (!before) add.push(feature);
        else {
          const change = featureChange(before, feature);
          if (change) update.push(change);
        }
        sent.set(id, feature);
      }
      needed.clear();
      return add.length + remove.length + update.length > 0 ? { add, remove, update } : null;
    },
  };
}

export type FeatureSet = ReturnType<typeof createFeatureSet>;

/**
 * What changes a drawn feature into another; null when nothing does. Properties that are gone are removed, so a
 * vehicle whose alarm has ended loses its brackets.
 */
export function featureChange(before: GeoJSON.Feature, after: GeoJSON.Feature): GeoJSONFeatureDiff | null {
  if (after.id === undefined) throw new TypeError('a feature of an updated source needs an id');
  const was: Record<string, unknown> = before.properties ?? {};
  const is: Record<string, unknown> = after.properties ?? {};
  const changed = Object.entries(is).filter(([key, value]) => was[key] !== value);
  const gone = Object.keys(was).filter((key) => !(key in is));
  const moved =
    before.geometry !== after.geometry && JSON.stringify(before.geometry) !== JSON.stringify(after.geometry);
  if (!moved && changed.length === 0 && gone.length === 0) return null;
  return {
    id: after.id,
    ...(moved ? { newGeometry: after.geometry } : {}),
    ...(gone.length > 0 ? { removeProperties: gone } : {}),
    ...(changed.length > 0 ? { addOrUpdateProperties: changed.map(([key, value]) => ({ key, value })) } : {}),
  };
}
