import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { GeofenceDetails } from '../geofences/GeofenceDetails.tsx';
import { GeofencePanel } from '../geofences/GeofencePanel.tsx';
import { GeofenceList } from '../geofences/GeofenceList.tsx';
import { useWindowSize } from '../ui/useWindowSize.ts';
import { useT } from '../i18n/useT.ts';
import { MissingPanel } from '../resources/SidePanel.tsx';
import type { AppContext } from '../appContext/appContext.ts';
import './GeofencesScreen.css';
import { drawnFields } from '../live/mapGeofences.ts';
import { MapPane, type MapScreen } from '../live/MapPane.tsx';
import type { ConsoleMap } from '../map/consoleMap.ts';
import { openGeofence, resumeDrawing } from '../geofences/drawingActions.ts';
import { borderOf, frameGeofence } from '../geofences/frameGeofence.ts';

/** Below this the panel takes the place of the list, so that the map keeps its 560 px (LOOKS 4). */
const THREE_PANES_PX = 1_360;
/** From here on the list has room for all of its columns while no panel is open. */
const ALL_COLUMNS_PX = 1_240;

/** From this height on the list of visits does not push the form out. */
const ROOMY_PX = 820;

/** Geofences: the list, the map, and beside it the one that is selected or in hand. */
export function GeofencesScreen() {
  const app = useAppContext();
  const { width, height } = useWindowSize();
  const edit = useStore(app.view, (state) => state.geofenceEdit);
  const geozoneId = useStore(app.view, (state) => state.geozoneId);
  const geofence = useStore(app.geofences.store, (state) => state.byId.get(geozoneId ?? ''));
  useEffect(() => followAddress(app), [app]);

  const panel =
    edit !== null ? (
      <GeofencePanel
        key={edit.kind === 'change' ? edit.geozoneId : 'new'}
        edit={edit}
        roomy={height >= ROOMY_PX}
      />
    ) : geofence !== undefined ? (
      <GeofenceDetails key={geofence.geozone_id} geofence={geofence} />
    ) : geozoneId !== null ? (
      <NoSuchGeofence key={geozoneId} />
    ) : null;
  const takesTurns = width < THREE_PANES_PX;
  const isNarrow = panel !== null || width < ALL_COLUMNS_PX;

  return (
    <div className="geofences">
      <div
        className={isNarrow ? 'geofences__list' : 'geofences__list geofences__list--wide'}
        hidden={takesTurns && panel !== null}
      >
        <GeofenceList narrow={isNarrow} />
      </div>
      {takesTurns && panel !== null && <div className="geofences__panel">{panel}</div>}
      <div className="geofences__map">
        <GeofenceMap />
      </div>
      {!takesTurns && panel !== null && (
        <div className="geofences__panel geofences__panel--right">{panel}</div>
      )}
    </div>
  );
}

/** In place of the panel when an address names a geofence that is not there, or is still to be read. */
function NoSuchGeofence() {
  const app = useAppContext();
  const t = useT();
  const load = useStore(app.geofences.store, (state) => state.load);
  return (
    <MissingPanel
      className="pane"
      label={t('geofence.title')}
      load={load}
      title={t('geofences.no_such')}
      onClose={() => app.view.setState({ geozoneId: null })}
    >
      {t('geofences.no_such_how')}
    </MissingPanel>
  );
}

/**
 * Keeps the address of the Geofences screen and the selected geofence the same: a link selects, and what is selected
 * can be sent. Returns its end.
 */
function followAddress(app: AppContext): () => void {
  const { navigation, view } = app;
  const isHere = () => navigation.store.getState().place === 'geofences';
  const note = () => {
    if (isHere()) navigation.note({ id: view.getState().geozoneId });
  };
  const read = () => {
    if (!isHere()) return;
    const id = navigation.store.getState().query['id'] ?? null;
    if (id !== view.getState().geozoneId) view.setState({ geozoneId: id });
  };
  // Opened without a name, the screen shows what was selected elsewhere.
  if (navigation.store.getState().query['id'] === undefined) note();
  else read();
  const undo = [
    navigation.store.subscribe(read),
    view.subscribe((state, before) => {
      if (state.geozoneId !== before.geozoneId) note();
    }),
  ];
  return () => undo.forEach((run) => run());
}

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
const GeofenceMap = () => <MapPane screen={GEOFENCES} />;

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
