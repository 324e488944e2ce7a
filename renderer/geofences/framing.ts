import type { Desk } from '../desk/desk.ts';
import { drawnFields } from '../live/mapGeofences.ts';
import type { ConsoleMap } from '../map/consoleMap.ts';
import { borderOf, frameFence } from './frameFence.ts';

/** One vehicle alone, or one small yard, is shown with its town round it. */
const TOWN_ZOOM = 13;

/**
 * Where the map of the geofences looks: at the one that is in hand or selected, else at all of them, else at the
 * vehicles; each as soon as it is known, and once, so that the operator's own moves stand. Returns its end.
 */
export function startFraming(desk: Desk, map: ConsoleMap): () => void {
  let framedId: string | null = null;
  let hasLooked = false;
  let frame = 0;

  const lookAtSelected = () => {
    const { geozoneId, fenceEdit } = desk.view.getState();
    if (geozoneId === framedId) return;
    const fence = desk.geofences.store.getState().byId.get(geozoneId ?? '');
    if (geozoneId !== null && fence === undefined) return;
    framedId = geozoneId;
    if (fence === undefined) return;
    hasLooked = true;
    // A new one that was saved just now lies where it was drawn.
    if (fenceEdit !== null) return;
    // The panel of what is selected opens in this frame, and the map has less room afterwards.
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => frameFence(map, fence));
  };
  const lookAtAll = () => {
    if (hasLooked || desk.view.getState().geozoneId !== null) return;
    const { byId, load } = desk.geofences.store.getState();
    if (load.phase === 'loading') return;
    const places =
      byId.size > 0
        ? [...byId.values()].flatMap(borderOf)
        : [...desk.positions.all().values()].flatMap(({ fix }) => fix ?? []);
    map.camera.fitAll(places, TOWN_ZOOM);
    hasLooked = places.length > 0;
  };
  const look = () => {
    lookAtSelected();
    lookAtAll();
  };

  const drawn = desk.view.getState().fenceEdit?.drawn ?? null;
  if (drawn !== null) {
    hasLooked = true;
    framedId = desk.view.getState().geozoneId;
    frameFence(map, drawnFields(drawn));
  }
  look();
  const undo = [
    desk.view.subscribe((state, before) => {
      if (state.geozoneId !== before.geozoneId) look();
    }),
    desk.geofences.store.subscribe(look),
    desk.positions.onFrame(() => {
      if (!hasLooked) look();
    }),
    () => cancelAnimationFrame(frame),
  ];
  return () => undo.forEach((run) => run());
}
