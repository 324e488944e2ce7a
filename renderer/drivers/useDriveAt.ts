import { useCallback } from 'react';
import { driveRoutes, type Drive } from '../../server/contract/drivers.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { usePolling } from '../resources/useReread.ts';

const againMs = 60_000;

/** The drives of a vehicle in a period (Unix ms); empty until they are read, and without the right to it. */
export function useVehicleDrives(vehicleId: string, from: number, to: number): readonly Drive[] {
  const { api } = useAppContext();
  const read = useCallback(
    (signal: AbortSignal) => {
      const query = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
      return api.request(driveRoutes.ofVehicle, { params: { vehicle: vehicleId }, query, signal });
    },
    [api, vehicleId, from, to],
  );
  const { value } = usePolling(read, againMs);
  return value?.items ?? NONE;
}

const NONE: readonly Drive[] = [];

/** The one at a moment (Unix ms); null: nobody is known to have driven. */
export function driveAtMoment(drives: readonly Drive[], at: number): Drive | null {
  return drives.find((it) => Date.parse(it.from) <= at && (it.to === null || at < Date.parse(it.to))) ?? null;
}

/** Who drove a vehicle at a moment, RFC 3339. */
export function useDriveAt(vehicleId: string, time: string): Drive | null {
  const at = Date.parse(time);
  return driveAtMoment(useVehicleDrives(vehicleId, at, at + 1_000), at);
}
