import { useCallback } from 'react';
import { vehicleRoutes, type Vehicle } from '../../../server/contract/vehicles.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { usePolling } from '../../resources/useReread.ts';

/** It takes minutes of messages to measure a clock. */
const againMs = 30_000;

/** How far the clock of a vehicle's terminal seems to be ahead, in seconds, where that is not what it is set to. */
export function useClockSuggestion({
  vehicle_id,
  clock_offset_s,
}: Pick<Vehicle, 'vehicle_id' | 'clock_offset_s'>): number | null {
  const { api } = useAppContext();
  const read = useCallback(
    (signal: AbortSignal) => api.request(vehicleRoutes.clock, { params: { vehicle: vehicle_id }, signal }),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- another setting is read at once, not with the next round
    [api, vehicle_id, clock_offset_s],
  );
  // A form does well without it.
  const { value: shown } = usePolling(read, againMs);
  // The suggestion for another setting is no longer valid.
  return shown?.clock_offset_s === clock_offset_s ? shown.suggested_clock_offset_s : null;
}
