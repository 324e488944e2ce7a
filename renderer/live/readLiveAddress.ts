import type { AppContext } from '../appContext/appContext.ts';
import { locateSelected } from './liveActions.ts';

/** Selects what the address names, now and whenever another address is opened. Returns its end. */
export function readLiveAddress(app: AppContext): () => void {
  const read = () => {
    const { place, query } = app.navigation.store.getState();
    if (place !== 'live') return;
    const { view } = app;
    const vehicleId = query['vehicle'] ?? null;
    const notificationId = query['notification'] ?? null;
    const geozoneId = query['geofence'] ?? null;
    const now = view.getState();
    if (vehicleId === now.vehicleId && notificationId === now.notificationId && geozoneId === null) return;
    view.setState({ vehicleId, notificationId, ...(geozoneId === null ? {} : { geozoneId }) });
    if (vehicleId !== null && vehicleId !== now.vehicleId) locateSelected(app);
  };
  read();
  return app.navigation.store.subscribe(read);
}
