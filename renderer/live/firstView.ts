import type { AppContext } from '../appContext/appContext.ts';
import type { ConsoleMap } from '../map/consoleMap.ts';
import { locateSelected } from './liveActions.ts';

/** One vehicle alone is shown with its town round it. */
const TOWN_ZOOM = 13;

/**
 * Where the map looks when the screen opens: at the vehicle that the address names, else where it looked last, else
 * at all vehicles as soon as their places are known.
 */
export function startFirstView(app: AppContext, map: ConsoleMap, hasLastView: boolean): () => void {
  const named = app.view.getState().vehicleId;
  if (named === null && hasLastView) return () => undefined;
  let stopWaiting: () => void = () => undefined;

  const look = () => {
    if (named !== null) {
      if (app.positions.get(named)?.fix == null) return;
      locateSelected(app);
    } else {
      const places = [...app.vehicles.store.getState().byId.keys()].flatMap(
        (id) => app.positions.get(id)?.fix ?? [],
      );
      if (places.length === 0) return;
      const only = places.length === 1 ? places[0] : undefined;
      if (only === undefined) map.camera.fitAll(places);
      else map.camera.flyTo(only, TOWN_ZOOM);
    }
    stopWaiting();
  };
  const undo = [app.positions.onFrame(look), app.vehicles.store.subscribe(look)];
  stopWaiting = () => undo.forEach((run) => run());
  look();
  return () => stopWaiting();
}
