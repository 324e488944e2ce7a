import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { GeofenceDetails } from '../geofences/GeofenceDetails.tsx';
import { GeofenceMap } from '../geofences/GeofenceMap.tsx';
import { followAddress } from '../geofences/followAddress.ts';
import { GeofencePanel } from '../geofences/GeofencePanel.tsx';
import { GeofenceList } from '../geofences/GeofenceList.tsx';
import { NoSuchGeofence } from '../geofences/NoSuchGeofence.tsx';
import { useWindowSize } from '../ui/useWindowSize.ts';
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
