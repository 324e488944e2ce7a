import { useEffect, useState } from 'react';
import { serviceRoutes, type Status } from '../../server/contract/settings.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { createLoader } from '../resources/loader.ts';
import type { LoadState } from '../resources/resourceStore.ts';

/** The counts of the intake move; the stream does not bear them. */
const AGAIN_MS = 10_000;

/** How the host does, read again while a screen shows it; dealers alone may ask. */
export function useStatus(): { status: Status | null; load: LoadState; take: (status: Status) => void } {
  const desk = useDesk();
  const [status, setStatus] = useState<Status | null>(null);
  const [load, setLoad] = useState<LoadState>({ phase: 'loading' });
  useEffect(() => {
    if (desk.user.role !== 'dealer') return;
    let stopTimer: () => void = () => undefined;
    const loader = createLoader({
      clock: desk.clock,
      read: (signal) => desk.api.request(serviceRoutes.status, { signal }),
      take: (value) => {
        setStatus(value);
        stopTimer = desk.clock.after(AGAIN_MS, () => loader.load());
      },
      onState: setLoad,
    });
    loader.load();
    return () => {
      stopTimer();
      loader.stop();
    };
  }, [desk]);
  return { status, load, take: setStatus };
}
