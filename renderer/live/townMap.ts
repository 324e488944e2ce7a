import { z } from 'zod';
import { createStore } from 'zustand/vanilla';

/** Where a host of the demo serves the street map of its invented town. */
const TOWN_URL = './demo/town.json';

const townMap = z.custom<GeoJSON.FeatureCollection>(isFeatureCollection, 'is not a street map');

export function createTownMap(fetchFile: typeof fetch) {
  const store = createStore<{ map: GeoJSON.FeatureCollection | null }>(() => ({ map: null }));
  return {
    /** null where there is none: any depot but the demo's. */
    store,
    async load() {
      const response = await fetchFile(TOWN_URL).catch(() => null);
      if (response?.ok !== true) return;
      const body: unknown = await response.json().catch(() => null);
      const parsed = townMap.safeParse(body);
      if (parsed.success) store.setState({ map: parsed.data });
    },
  };
}

export type TownMap = ReturnType<typeof createTownMap>;

function isFeatureCollection(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('type' in value) || !('features' in value))
    return false;
  return (
    value.type === 'FeatureCollection' &&
    Array.isArray(value.features) &&
    value.features.every(
      (it: unknown) =>
        typeof it === 'object' &&
        it !== null &&
        'geometry' in it &&
        typeof it.geometry === 'object' &&
        it.geometry !== null,
    )
  );
}
