import { createStore, type StoreApi } from 'zustand/vanilla';
import { mapViewRoutes, type MapView, type MapViews } from '../../server/contract/mapViews.ts';
import type { Api } from '../api/client.ts';
import { isProblem } from '../api/errors.ts';
import type { Clock } from '../clock/clock.ts';
import { createLoader } from '../resources/loader.ts';
import type { LoadState } from '../resources/resourceStore.ts';

interface SavedViewsState extends MapViews {
  load: LoadState;
}

export type SavedViews = ReturnType<typeof createSavedViews>;

/** The saved map views of this user, as the server has them for all workstations. */
export function createSavedViews({ api, clock }: { api: Pick<Api, 'request'>; clock: Clock }) {
  const store: StoreApi<SavedViewsState> = createStore<SavedViewsState>(() => ({
    version: 1,
    views: [],
    load: { phase: 'loading' },
  }));
  const loader = createLoader({
    clock,
    read: (signal) => api.request(mapViewRoutes.get, { signal }),
    take: (read) => store.setState(read),
    onState: (load) => store.setState({ load }),
  });
  const put = async (revise: (views: readonly MapView[]) => MapView[]): Promise<void> => {
    const { version, views } = store.getState();
    store.setState(
      await api.request(mapViewRoutes.put, { body: { views: revise(views) }, ifMatch: version }),
    );
  };
  let startIsTaken = false;

  return {
    store,
    /** Reads what another workstation may have saved. */
    reload: () => loader.load(),
    /** Changes the views; where another workstation has changed them meanwhile, those. Throws as `request` does. */
    async change(revise: (views: readonly MapView[]) => MapView[]): Promise<void> {
      try {
        await put(revise);
      } catch (error) {
        if (!isProblem(error, 'version_conflict')) throw error;
        store.setState(await api.request(mapViewRoutes.get));
        await put(revise);
      }
    },
    /** Whether the map is to begin with the start view: true once in a session. */
    takeStart(): boolean {
      const isFirst = !startIsTaken;
      startIsTaken = true;
      return isFirst;
    },
    start(): () => void {
      loader.load();
      return () => loader.stop();
    },
  };
}

const isNamed = (name: string) => (view: MapView) => view.name.toLowerCase() === name.toLowerCase();

/** With one more, which takes the place of one of the same name. */
export function withView(views: readonly MapView[], added: MapView): MapView[] {
  const known = views.find(isNamed(added.name));
  if (known === undefined) return [...views, added];
  return views.map((it) => (it === known ? { ...added, start: known.start } : it));
}

export const withoutView = (views: readonly MapView[], name: string): MapView[] =>
  views.filter((it) => !isNamed(name)(it));

/** One of the new name gives way. */
export const withRenamedView = (views: readonly MapView[], name: string, newName: string): MapView[] =>
  views
    .filter((it) => isNamed(name)(it) || !isNamed(newName)(it))
    .map((it) => (isNamed(name)(it) ? { ...it, name: newName } : it));

/** With another start view, or with none when it was that one. */
export const withStartView = (views: readonly MapView[], name: string): MapView[] =>
  views.map((it) => ({ ...it, start: isNamed(name)(it) && !it.start }));
