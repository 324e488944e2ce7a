import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { GeofenceDetails } from '../geofences/GeofenceDetails.tsx';
import { GeofenceMap } from '../geofences/GeofenceMap.tsx';
import { GeofencePanel } from '../geofences/GeofencePanel.tsx';
import { GeofenceList } from '../geofences/GeofenceList.tsx';
import { useWindowSize } from '../ui/useWindowSize.ts';
import { useT } from '../i18n/useT.ts';
import { MissingPanel } from '../resources/SidePanel.tsx';
import type { AppContext } from '../appContext/appContext.ts';
import './GeofencesScreen.css';

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
