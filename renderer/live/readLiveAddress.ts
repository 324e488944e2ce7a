import type { Desk } from '../desk/desk.ts';
import { locateSelected } from './liveActions.ts';

/** Selects what the address names, now and whenever another address is opened. Returns its end. */
export function readLiveAddress(desk: Desk): () => void {
  const read = () => {
    const { place, query } = desk.navigation.store.getState();
    if (place !== 'live') return;
    const { view } = desk;
    const vehicleId = query['vehicle'] ?? null;
    const notificationId = query['notification'] ?? null;
    const geozoneId = query['geofence'] ?? null;
    const now = view.getState();
    if (vehicleId === now.vehicleId && notificationId === now.notificationId && geozoneId === null) return;
    view.setState({ vehicleId, notificationId, ...(geozoneId === null ? {} : { geozoneId }) });
    if (vehicleId !== null && vehicleId !== now.vehicleId) locateSelected(desk);
  };
  read();
  return desk.navigation.store.subscribe(read);
}
