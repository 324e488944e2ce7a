import type { Desk } from '../desk/desk.ts';
import type { ConsoleMap } from '../map/consoleMap.ts';
import { locateSelected } from './liveActions.ts';

/** One vehicle alone is shown with its town round it. */
const TOWN_ZOOM = 13;

/**
 * Where the map looks when the screen opens: at the vehicle that the address names, else where it looked last, else
 * at all vehicles as soon as their places are known.
 */
export function startFirstView(desk: Desk, map: ConsoleMap, hasLastView: boolean): () => void {
  const named = desk.view.getState().vehicleId;
  if (named === null && hasLastView) return () => undefined;
  let stopWaiting: () => void = () => undefined;

  const look = () => {
    if (named !== null) {
      if (desk.positions.get(named)?.fix == null) return;
      locateSelected(desk);
    } else {
      const places = [...desk.vehicles.store.getState().byId.keys()].flatMap(
        (id) => desk.positions.get(id)?.fix ?? [],
      );
      if (places.length === 0) return;
      const only = places.length === 1 ? places[0] : undefined;
      if (only === undefined) map.camera.fitAll(places);
      else map.camera.flyTo(only, TOWN_ZOOM);
    }
    stopWaiting();
  };
  const undo = [desk.positions.onFrame(look), desk.vehicles.store.subscribe(look)];
  stopWaiting = () => undo.forEach((run) => run());
  look();
  return () => stopWaiting();
}
