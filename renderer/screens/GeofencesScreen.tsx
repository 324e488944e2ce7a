import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useDesk } from '../desk/DeskContext.tsx';
import { FenceDetails } from '../geofences/FenceDetails.tsx';
import { FenceMap } from '../geofences/FenceMap.tsx';
import { followAddress } from '../geofences/followAddress.ts';
import { GeofencePanel } from '../geofences/GeofencePanel.tsx';
import { FenceList } from '../geofences/list/FenceList.tsx';
import { NoSuchFence } from '../geofences/NoSuchFence.tsx';
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
  const desk = useDesk();
  const { width, height } = useWindowSize();
  const edit = useStore(desk.view, (state) => state.fenceEdit);
  const geozoneId = useStore(desk.view, (state) => state.geozoneId);
  const fence = useStore(desk.geofences.store, (state) => state.byId.get(geozoneId ?? ''));
  useEffect(() => followAddress(desk), [desk]);

  const panel =
    edit !== null ? (
      <GeofencePanel
        key={edit.kind === 'change' ? edit.geozoneId : 'new'}
        edit={edit}
        roomy={height >= ROOMY_PX}
      />
    ) : fence !== undefined ? (
      <FenceDetails key={fence.geozone_id} fence={fence} />
    ) : geozoneId !== null ? (
      <NoSuchFence key={geozoneId} />
    ) : null;
  const takesTurns = width < THREE_PANES_PX;
  const isNarrow = panel !== null || width < ALL_COLUMNS_PX;

  return (
    <div className="geofences">
      <div
        className={isNarrow ? 'geofences__list' : 'geofences__list geofences__list--wide'}
        hidden={takesTurns && panel !== null}
      >
        <FenceList narrow={isNarrow} />
      </div>
      {takesTurns && panel !== null && <div className="geofences__panel">{panel}</div>}
      <div className="geofences__map">
        <FenceMap />
      </div>
      {!takesTurns && panel !== null && (
        <div className="geofences__panel geofences__panel--right">{panel}</div>
      )}
    </div>
  );
}
