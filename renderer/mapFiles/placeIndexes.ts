import { createStore } from 'zustand/vanilla';
import { placeRoutes, type PlaceIndex } from '../../server/contract/places.ts';
import { createPoll } from '../resources/loader.ts';
import type { MapFileDeps } from './mapList.ts';

/** While a map is indexed, it is asked this often how far it is. */
const PAUSE_MS = 2_000;

/** How far the street maps are indexed for the search; read while it is started, again for other maps. */
export function createPlaceIndexes({ api, clock, mapList }: MapFileDeps) {
  const store = createStore(() => ({ byMap: new Map<string, PlaceIndex>() }));
  const poll = createPoll({
    clock,
    read: async (signal) => (await api.request(placeRoutes.indexes, { signal })).items,
    take(items) {
      store.setState({ byMap: new Map(items.map((it) => [it.map_id, it])) });
      return items.some(({ state }) => state === 'indexing') ? PAUSE_MS : null;
    },
  });
  return {
    store,
    start(): () => void {
      const unsubscribe = mapList.store.subscribe((state, before) => {
        if (state.maps !== before.maps) poll.load();
      });
      poll.load();
      return () => {
        unsubscribe();
        poll.stop();
      };
    },
  };
}
