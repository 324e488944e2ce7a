import { mapViewRoutes, type MapView, type MapViews } from '../../server/contract/mapViews.ts';
import type { Api } from '../api/client.ts';
import type { Clock } from '../clock/clock.ts';
import { createOwnDocument } from '../resources/ownDocument.ts';

export type SavedViews = ReturnType<typeof createSavedViews>;

/** The saved map views of this user, as the server has them for all workstations. */
export function createSavedViews({ api, clock }: { api: Pick<Api, 'request'>; clock: Clock }) {
  const { change, ...views } = createOwnDocument<MapViews>({
    clock,
    empty: { version: 1, views: [] },
    read: (signal) => api.request(mapViewRoutes.get, signal === undefined ? {} : { signal }),
    write: (body, ifMatch) => api.request(mapViewRoutes.put, { body, ifMatch }),
  });
  let startIsTaken = false;

  return {
    ...views,
    /** Changes the views; where another workstation has changed them meanwhile, those. Throws as `request` does. */
    change: (revise: (views: readonly MapView[]) => MapView[]): Promise<void> =>
      change((saved) => ({ views: revise(saved.views) })),
    /** Whether the map is to begin with the start view: true once in a session. */
    takeStart(): boolean {
      const isFirst = !startIsTaken;
      startIsTaken = true;
      return isFirst;
    },
  };
}

interface Named {
  name: string;
}

const isNamed = (name: string) => (view: Named) => view.name.toLowerCase() === name.toLowerCase();

/** With one more, which takes the place of one of the same name. */
export function withView<View extends Named>(views: readonly View[], added: View): View[] {
  const known = views.find(isNamed(added.name));
  if (known === undefined) return [...views, added];
  return views.map((it) => (it === known ? added : it));
}

/** The same, and a start view stays one. */
export const withMapView = (views: readonly MapView[], added: MapView): MapView[] =>
  withView(views, { ...added, start: views.find(isNamed(added.name))?.start ?? added.start });

export const withoutView = <View extends Named>(views: readonly View[], name: string): View[] =>
  views.filter((it) => !isNamed(name)(it));

/** One of the new name gives way. */
export const withRenamedView = <View extends Named>(
  views: readonly View[],
  name: string,
  newName: string,
): View[] =>
  views
    .filter((it) => isNamed(name)(it) || !isNamed(newName)(it))
    .map((it) => (isNamed(name)(it) ? { ...it, name: newName } : it));

/** With another start view, or with none when it was that one. */
export const withStartView = (views: readonly MapView[], name: string): MapView[] =>
  views.map((it) => ({ ...it, start: isNamed(name)(it) && !it.start }));
