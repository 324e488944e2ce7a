import { useEffect, useState } from 'react';
import { vehicleRoutes, type Vehicle } from '../../../server/contract/vehicles.ts';
import { useDesk } from '../../desk/DeskContext.tsx';
import { createLoader } from '../../resources/loader.ts';

/** It takes minutes of messages to tell what a clock does. */
const againMs = 30_000;

/** How far the clock of a vehicle's terminal seems to be ahead, in seconds, where that is not what it is set to. */
export function useClockSuggestion({
  vehicle_id,
  clock_offset_s,
}: Pick<Vehicle, 'vehicle_id' | 'clock_offset_s'>): number | null {
  const { api, clock } = useDesk();
  const [told, setTold] = useState<{ clock_offset_s: number; clock_suggestion_s: number | null } | null>(
    null,
  );
  useEffect(() => {
    let stopTimer = (): void => undefined;
    const loader = createLoader({
      clock,
      read: (signal) => api.request(vehicleRoutes.clock, { params: { vehicle: vehicle_id }, signal }),
      take(value) {
        setTold(value);
        stopTimer = clock.after(againMs, () => loader.load());
      },
      // A form does well without it.
      onState: () => undefined,
    });
    loader.load();
    return () => {
      stopTimer();
      loader.stop();
    };
  }, [api, clock, vehicle_id, clock_offset_s]);
  // What was told of another setting holds no longer.
  return told?.clock_offset_s === clock_offset_s ? told.clock_suggestion_s : null;
}
