import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';

/** What a vehicle is called; a dash while the list is on its way, and in words when it is none of the list. */
export function useVehicleName(vehicleId: string | null): string {
  const { vehicles } = useAppContext();
  const t = useT();
  const name = useStore(vehicles.store, (state) => state.byId.get(vehicleId ?? '')?.name);
  const isKnown = useStore(vehicles.store, (state) => state.load.phase === 'ready');
  if (vehicleId === null) return t('settings.host');
  return name ?? (isKnown ? t('vehicle.gone') : '–');
}
