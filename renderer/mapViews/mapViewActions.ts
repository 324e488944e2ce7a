import type { MapView } from '../../server/contract/mapViews.ts';
import { isProblem } from '../api/errors.ts';
import type { AppContext } from '../appContext/appContext.ts';
import type { Command } from '../commands/command.ts';
import { chooseMapLayers, mapLayersOf } from '../live/mapLayerChoice.ts';
import { isAt } from '../notifications/notificationCommands.ts';
import { withMapView } from './savedViews.ts';
import { problemText } from '../ui/formFaults.ts';

/** Goes to a saved view: place, layers, and the filter of the list. */
export function showView(app: AppContext, view: MapView): void {
  const { lat, lon, zoom } = view;
  if (!isAt(app, 'live', 'history', 'geofences')) {
    // The map of Live begins where it looked last.
    app.platform.storage.write('map.view', JSON.stringify({ lat, lon, zoom }));
    app.navigation.go('live');
  } else {
    const camera = app.map.current()?.camera;
    camera?.follow([]);
    camera?.setView({ lat, lon, zoom });
  }
  chooseMapLayers(app, view.layers);
  const isGroupThere = app.groups.store.getState().byId.has(view.group_id ?? '');
  app.view.setState({ groupId: isGroupThere ? view.group_id : null, statusFilter: view.status });
}

/** Saves what the map shows now, under a name; in place of the view of that name. */
export async function saveView(app: AppContext, name: string): Promise<void> {
  const place = app.map.current()?.camera.view();
  if (place === undefined) return;
  const { groupId, statusFilter } = app.view.getState();
  const view = { ...place, layers: mapLayersOf(app), group_id: groupId, status: statusFilter, start: false };
  await changeViews(app, (views) => withMapView(views, { name, ...view }));
}

/** Changes the saved views; says so when that failed. */
export async function changeViews(
  app: AppContext,
  revise: (views: readonly MapView[]) => MapView[],
): Promise<void> {
  try {
    await app.savedViews.change(revise);
  } catch (error) {
    const text = isProblem(error)
      ? app.t('views.refused', { reason: problemText(error.problem, app.t) })
      : app.t('views.not_saved');
    app.toasts.setState({ toast: { text, isTrouble: true, action: null } });
  }
}

/**
 * Shows the start view as soon as it is known, once in a session; `onShown` is called before. Returns its end.
 *
 * @param isWanted false when the address asks for something else
 */
export function showStartView(app: AppContext, isWanted: boolean, onShown: () => void): () => void {
  const { savedViews } = app;
  if (!savedViews.takeStart() || !isWanted) return () => undefined;
  let stop: () => void = () => undefined;
  const look = () => {
    const { load, saved } = savedViews.store.getState();
    if (load.phase === 'loading') return;
    stop();
    const start = saved.views.find((it) => it.start);
    if (start === undefined) return;
    onShown();
    showView(app, start);
  };
  stop = savedViews.store.subscribe(look);
  look();
  return () => stop();
}

export const mapViewsCommand: Command = {
  id: 'map_views',
  label: 'views.title',
  group: 'map',
  shortcut: 'Shift+V',
  when: (app) => isAt(app, 'live', 'history', 'geofences'),
  run: (app) => app.view.setState(({ mapMenu }) => ({ mapMenu: mapMenu === 'views' ? null : 'views' })),
};
