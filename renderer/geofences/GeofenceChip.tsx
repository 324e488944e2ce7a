import { X } from 'lucide-react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { formatSpeed } from '../format/numbers.ts';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { startEditing } from './drawingActions.ts';
import { mayDrawGeofences } from './geofenceRights.ts';

/** The geofence that was picked on the map, and what can be done with it. */
export function GeofenceChip() {
  const app = useAppContext();
  const t = useT();
  const editing = useStore(app.view, (state) => state.geofenceEdit !== null);
  const geozoneId = useStore(app.view, (state) => state.geozoneId);
  const geofence = useStore(app.geofences.store, (state) =>
    geozoneId === null ? null : state.byId.get(geozoneId),
  );
  if (geofence == null || editing) return null;
  return (
    <div className="map-chip map-chip--geofence">
      <span className="strong">{geofence.name}</span>
      {geofence.speed_limit_kmh !== null && (
        <span>{t('geofence.limit_is', { limit: formatSpeed(geofence.speed_limit_kmh) })}</span>
      )}
      {mayDrawGeofences(app) && (
        <Button size="small" onPress={() => startEditing(app, geofence)}>
          {t('geofence.change')}
        </Button>
      )}
      <IconButton
        icon={X}
        size="small"
        label={t('ui.close')}
        onPress={() => app.view.setState({ geozoneId: null })}
      />
    </div>
  );
}
