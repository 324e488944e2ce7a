import { useStore } from 'zustand';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';

/** What a vehicle is called; a dash while the list is on its way, and in words when it is none of the list. */
export function useVehicleName(vehicleId: string): string {
  const { vehicles } = useDesk();
  const say = useText();
  const name = useStore(vehicles.store, (state) => state.byId.get(vehicleId)?.name);
  const isKnown = useStore(vehicles.store, (state) => state.load.phase === 'ready');
  return name ?? (isKnown ? say('vehicle.gone') : '–');
}
