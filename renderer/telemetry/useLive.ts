import { useCallback, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import type { LivePosition } from './positionStore.ts';

/** The newest position of one vehicle, drawn anew at most once a frame. */
export function useLive(vehicleId: string): LivePosition | undefined {
  const { positions } = useAppContext();
  const subscribe = useCallback(
    (run: () => void) => positions.onVehicle(vehicleId, run),
    [positions, vehicleId],
  );
  return useSyncExternalStore(subscribe, () => positions.get(vehicleId));
}

/** Where a vehicle is, in words; to be asked for where its position is drawn anew. */
export function usePlace(vehicleId: string): string {
  const { places } = useAppContext();
  useStore(places.edition, (state) => state.number);
  return places.ofVehicle(vehicleId);
}
