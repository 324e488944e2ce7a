import type { AppContext } from '../appContext/appContext.ts';
import { bringIntoView, followSelected, locateSelected, noteSelection } from '../live/liveActions.ts';

/** Selects in all windows of this login what is selected in one of them. Returns its end. */
export function shareSelection(app: AppContext): () => void {
  const { windows, view } = app;
  /** What another window selected is not sent back to it. */
  let isTaking = false;

  const select = ({ vehicleId, notificationId }: Pick<Selected, 'vehicleId' | 'notificationId'>) => {
    const before = view.getState();
    if (before.vehicleId === vehicleId && before.notificationId === notificationId) return;
    isTaking = true;
    view.setState({ vehicleId, notificationId, geozoneId: null, point: null, passage: null });
    isTaking = false;
    noteSelection(app);
  };

  const undo = [
    view.subscribe((state, before) => {
      if (isTaking) return;
      const { vehicleId, notificationId } = state;
      if (vehicleId === before.vehicleId && notificationId === before.notificationId) return;
      windows.post({ kind: 'selected', vehicleId, notificationId });
    }),
    windows.on((message) => {
      const { geofenceEdit, overlay } = view.getState();
      // A dialog is about what is selected: what is typed into it must not go to something else.
      if (!windows.store.getState().followsSelection || geofenceEdit !== null || overlay !== null) return;
      // The maps of other screens show something else than the fleet as it is now.
      const isLive = app.navigation.store.getState().place === 'live';
      if (message.kind === 'selected') {
        select(message);
        if (isLive) bringIntoView(app);
      } else if (message.kind === 'on_map' && isLive && app.map.current() !== null) {
        select(message);
        if (message.act === 'locate') locateSelected(app);
        else followSelected(app);
      }
    }),
  ];
  return () => undo.forEach((run) => run());
}

type Selected = Parameters<AppContext['windows']['post']>[0] & { kind: 'selected' };
