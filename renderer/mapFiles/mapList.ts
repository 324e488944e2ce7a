import { createStore, type StoreApi } from 'zustand/vanilla';
import { mapRoutes, type Map as MapFile } from '../../server/contract/maps.ts';
import type { Api } from '../api/client.ts';
import type { Clock } from '../clock/clock.ts';
import { createLoader } from '../resources/loader.ts';
import type { LoadState } from '../resources/resourceStore.ts';
import type { SettingsStore } from '../settings/settingsStore.ts';

export interface MapListState {
  maps: readonly MapFile[];
  /** Of the settings when the list was read; tiles of another version are other tiles. */
  version: number;
  load: LoadState;
}

export type MapList = ReturnType<typeof createMapList>;

/** What reads the server by the map files that there are. */
export interface MapFileDeps {
  api: Pick<Api, 'request'>;
  clock: Clock;
  mapList: Pick<MapList, 'store'>;
}

/** The map files of the depot, read again whenever the settings say that there are others. */
export function createMapList({ api, clock, settings }: { api: Api; clock: Clock; settings: SettingsStore }) {
  const store: StoreApi<MapListState> = createStore<MapListState>(() => ({
    maps: [],
    version: 0,
    load: { phase: 'loading' },
  }));
  const versionNow = () => settings.getState().settings?.maps_version ?? 0;
  let asked = 0;
  const loader = createLoader({
    clock,
    async read(signal) {
      const version = versionNow();
      return { version, maps: (await api.request(mapRoutes.list, { signal })).items };
    },
    take: (read) => store.setState(read),
    onState: (load) => store.setState({ load }),
  });
  const look = () => {
    if (versionNow() === asked) return;
    asked = versionNow();
    loader.load();
  };

  return {
    store,
    reload: () => loader.load(),
    start(): () => void {
      const unsubscribe = settings.subscribe(look);
      look();
      return () => {
        unsubscribe();
        loader.stop();
      };
    },
  };
}
