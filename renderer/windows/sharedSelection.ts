import type { AppContext } from '../appContext/appContext.ts';
import { bringIntoView, followSelected, locateSelected, noteSelection } from '../live/liveActions.ts';

/** Selects in all windows of this login what is selected in one of them. Returns its end. */
export function shareSelection(app: AppContext): () => void {
  const { windows, view } = app;
  /** What another window selected is not sent back to it. */
  let isTaking = false;

  const select = ({ vehicleId, notificationId, selectedIds }: Omit<Selected, 'kind'>) => {
    const before = view.getState();
    const isSame = before.vehicleId === vehicleId && before.notificationId === notificationId;
    isTaking = true;
    if (!isSame) view.setState({ vehicleId, notificationId, geozoneId: null, point: null, passage: null });
    view.setState({ selectedIds: new Set(selectedIds) });
    isTaking = false;
    if (!isSame) noteSelection(app);
  };

  const undo = [
    view.subscribe((state, before) => {
      if (isTaking) return;
      const { vehicleId, notificationId, selectedIds } = state;
      if (
        vehicleId === before.vehicleId &&
        notificationId === before.notificationId &&
        selectedIds === before.selectedIds
      )
        return;
      windows.post({ kind: 'selected', vehicleId, notificationId, selectedIds: [...selectedIds] });
    }),
    windows.on((message) => {
      const { geofenceEdit, overlay, contextMenu } = view.getState();
      // A dialog or a menu is about what is selected: what is typed or chosen must not go to something else.
      const isBusy = geofenceEdit !== null || overlay !== null || contextMenu !== null;
      if (!windows.store.getState().followsSelection || isBusy) return;
      // The maps of other screens show something else than the fleet as it is now.
      const isLive = app.navigation.store.getState().place === 'live';
      if (message.kind === 'selected') {
        const isOther = message.vehicleId !== view.getState().vehicleId;
        select(message);
        if (isLive && isOther) bringIntoView(app);
      } else if (message.kind === 'on_map' && isLive && app.map.current() !== null) {
        if (message.ask !== undefined) windows.post({ kind: 'on_map_here', ask: message.ask });
        select(message);
        if (message.act === 'locate') locateSelected(app);
        else followSelected(app);
      }
    }),
  ];
  return () => undo.forEach((run) => run());
}

type Selected = Parameters<AppContext['windows']['post']>[0] & { kind: 'selected' };
