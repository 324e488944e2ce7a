import { createStore } from 'zustand/vanilla';
import { mapRegionRoutes, type MapRegion } from '../../server/contract/mapRegions.ts';
import type { MapFileDeps } from './mapList.ts';
import { createPoll } from '../resources/loader.ts';

/** While a download is under way it is looked at so often. */
const PAUSE_MS = 1_000;

/** The downloads of regions, read again while one is under way. */
export function createRegionDownloads({ api, clock }: Pick<MapFileDeps, 'api' | 'clock'>) {
  const store = createStore<{ regions: readonly MapRegion[] }>(() => ({ regions: [] }));
  const poll = createPoll({
    clock,
    read: async (signal) => (await api.request(mapRegionRoutes.list, { signal })).items,
    take(regions) {
      store.setState({ regions });
      return regions.some(isActive) ? PAUSE_MS : null;
    },
  });
  return {
    store,
    reload: poll.load,
    start(): () => void {
      poll.load();
      return poll.stop;
    },
  };
}

const isActive = ({ phase }: MapRegion) => phase === 'listing' || phase === 'copying' || phase === 'checking';
