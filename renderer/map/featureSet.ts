import type { GeoJSONFeatureDiff } from 'maplibre-gl';

/** Remembers what a source holds and gathers what is to change, so that the source is only ever sent differences. */
export function createFeatureSet() {
  /** As the source has it after the last diff that was taken; our own copies. */
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
        if (!before) {
          add.push(feature);
          sent.set(id, {
            ...feature,
            properties: { ...feature.properties },
            geometry: ownGeometry(feature.geometry),
          });
          continue;
        }
        const change = featureChange(before, feature);
        if (change === null) continue;
        update.push(change);
        applyChange(before, change, feature);
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
  const changed: { key: string; value: unknown }[] = [];
  for (const key in is) if (was[key] !== is[key]) changed.push({ key, value: is[key] });
  const gone: string[] = [];
  for (const key in was) if (!(key in is)) gone.push(key);
  const moved = !isSameGeometry(before.geometry, after.geometry);
  if (!moved && changed.length === 0 && gone.length === 0) return null;
  return {
    id: after.id,
    ...(moved ? { newGeometry: after.geometry } : {}),
    ...(gone.length > 0 ? { removeProperties: gone } : {}),
    ...(changed.length > 0 ? { addOrUpdateProperties: changed } : {}),
  };
}

/** Points and lines, of which there are thousands, by their numbers; anything else as text. */
function isSameGeometry(a: GeoJSON.Geometry, b: GeoJSON.Geometry): boolean {
  if (a === b) return true;
  if (a.type === 'Point' && b.type === 'Point') return isSamePosition(a.coordinates, b.coordinates);
  if (a.type === 'LineString' && b.type === 'LineString')
    return (
      a.coordinates.length === b.coordinates.length &&
      a.coordinates.every((position, at) => isSamePosition(position, b.coordinates[at]))
    );
  return JSON.stringify(a) === JSON.stringify(b);
}

const isSamePosition = (a: GeoJSON.Position, b: GeoJSON.Position | undefined): boolean =>
  a[0] === b?.[0] && a[1] === b?.[1];

/**
 * Changes a feature of ours in place. What is made anew for every vehicle that moves lives until the next move, and the
 * collector of garbage copies all that lives: with ten thousand vehicles, its longest pause.
 */
function applyChange(ours: GeoJSON.Feature, change: GeoJSONFeatureDiff, after: GeoJSON.Feature): void {
  if (change.removeProperties !== undefined || ours.properties === null)
    ours.properties = { ...after.properties };
  else
    for (const { key, value } of change.addOrUpdateProperties ?? []) ours.properties[key] = value as unknown;
  if (change.newGeometry === undefined) return;
  const { geometry } = ours;
  if (geometry.type === 'Point' && after.geometry.type === 'Point')
    movePosition(geometry.coordinates, after.geometry.coordinates);
  else if (
    geometry.type === 'LineString' &&
    after.geometry.type === 'LineString' &&
    geometry.coordinates.length === after.geometry.coordinates.length
  ) {
    const { coordinates } = after.geometry;
    geometry.coordinates.forEach((position, at) => movePosition(position, coordinates[at] ?? []));
  } else ours.geometry = ownGeometry(after.geometry);
}

function movePosition(ours: GeoJSON.Position, [lon = NaN, lat = NaN]: GeoJSON.Position): void {
  ours[0] = lon;
  ours[1] = lat;
}

/** Of what moves a copy, which can be changed; anything else is only ever replaced. */
function ownGeometry(geometry: GeoJSON.Geometry): GeoJSON.Geometry {
  if (geometry.type === 'Point') return { ...geometry, coordinates: [...geometry.coordinates] };
  if (geometry.type === 'LineString')
    return { ...geometry, coordinates: geometry.coordinates.map((position) => [...position]) };
  return geometry;
}
