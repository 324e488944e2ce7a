import type { AppContext } from '../appContext/appContext.ts';
import { drawnFields } from '../live/mapGeofences.ts';
import { MapPane, type MapScreen } from '../live/MapPane.tsx';
import type { ConsoleMap } from '../map/consoleMap.ts';
import { openGeofence, resumeDrawing } from './drawingActions.ts';
import { borderOf, frameGeofence } from './frameGeofence.ts';

const GEOFENCES: MapScreen = {
  ownColours: true,
  start(app, map) {
    const undo = [
      startFraming(app, map),
      map.onPick((pick) => {
        if (pick.kind === 'geofence') openGeofence(app, pick.id);
      }),
    ];
    resumeDrawing(app, map);
    return () => undo.forEach((run) => run());
  },
};

/** The geofences in their own colours, under the vehicles as they drive. */
export const GeofenceMap = () => <MapPane screen={GEOFENCES} />;

/** One vehicle alone, or one small yard, is shown with its town round it. */
const TOWN_ZOOM = 13;

/**
 * Where the map of the geofences looks: at the one that is in hand or selected, else at all of them, else at the
 * vehicles; each as soon as it is known, and once, so that the operator's own moves stand. Returns its end.
 */
function startFraming(app: AppContext, map: ConsoleMap): () => void {
  let framedId: string | null = null;
  let hasLooked = false;
  let frame = 0;

  const lookAtSelected = () => {
    const { geozoneId, geofenceEdit } = app.view.getState();
    if (geozoneId === framedId) return;
    const geofence = app.geofences.store.getState().byId.get(geozoneId ?? '');
    if (geozoneId !== null && geofence === undefined) return;
    framedId = geozoneId;
    if (geofence === undefined) return;
    hasLooked = true;
    // A new one that was saved just now lies where it was drawn.
    if (geofenceEdit !== null) return;
    // The panel of what is selected opens in this frame, and the map has less room afterwards.
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => frameGeofence(map, geofence));
  };
  const lookAtAll = () => {
    if (hasLooked || app.view.getState().geozoneId !== null) return;
    const { byId, load } = app.geofences.store.getState();
    if (load.phase === 'loading') return;
    const places =
      byId.size > 0
        ? [...byId.values()].flatMap(borderOf)
        : [...app.positions.all().values()].flatMap(({ fix }) => fix ?? []);
    map.camera.fitAll(places, TOWN_ZOOM);
    hasLooked = places.length > 0;
  };
  const look = () => {
    lookAtSelected();
    lookAtAll();
  };

  const drawn = app.view.getState().geofenceEdit?.drawn ?? null;
  if (drawn !== null) {
    hasLooked = true;
    framedId = app.view.getState().geozoneId;
    frameGeofence(map, drawnFields(drawn));
  }
  look();
  const undo = [
    app.view.subscribe((state, before) => {
      if (state.geozoneId !== before.geozoneId) look();
    }),
    app.geofences.store.subscribe(look),
    app.positions.onFrame(() => {
      if (!hasLooked) look();
    }),
    () => cancelAnimationFrame(frame),
  ];
  return () => undo.forEach((run) => run());
}
