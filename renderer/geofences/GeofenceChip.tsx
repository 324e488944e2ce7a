import { X } from 'lucide-react';
import { useStore } from 'zustand';
import { useDesk } from '../desk/DeskContext.tsx';
import { speedText } from '../format/numbers.ts';
import { useText } from '../i18n/useText.ts';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { startEditing } from './drawingActions.ts';
import { mayDrawFences } from './fenceRights.ts';

/** The geofence that was picked on the map, and what can be done with it. */
export function GeofenceChip() {
  const desk = useDesk();
  const say = useText();
  const editing = useStore(desk.view, (state) => state.fenceEdit !== null);
  const geozoneId = useStore(desk.view, (state) => state.geozoneId);
  const fence = useStore(desk.geofences.store, (state) =>
    geozoneId === null ? null : state.byId.get(geozoneId),
  );
  if (fence == null || editing) return null;
  return (
    <div className="map-chip map-chip--fence">
      <span className="strong">{fence.name}</span>
      {fence.speed_limit_kmh !== null && (
        <span>{say('fence.limit_is', { limit: speedText(fence.speed_limit_kmh) })}</span>
      )}
      {mayDrawFences(desk) && (
        <Button size="small" onPress={() => startEditing(desk, fence)}>
          {say('fence.change')}
        </Button>
      )}
      <IconButton
        icon={X}
        size="small"
        label={say('ui.close')}
        onPress={() => desk.view.setState({ geozoneId: null })}
      />
    </div>
  );
}
