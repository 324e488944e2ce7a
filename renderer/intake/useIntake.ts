import { useCallback, useEffect, useRef, useState } from 'react';
import { intakeRoutes, type IntakeState } from '../../server/contract/intake.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { createLoader, type Loader } from '../resources/loader.ts';
import type { LoadState } from '../resources/resourceStore.ts';

/** The counts move with every message; the stream does not bear them. */
const againMs = 5_000;

/** Where terminals come in, read again while it is shown; dealers alone may ask. */
export function useIntake(): { intake: IntakeState | null; load: LoadState; again: () => void } {
  const { api, clock, stream } = useDesk();
  const [intake, setIntake] = useState<IntakeState | null>(null);
  const [load, setLoad] = useState<LoadState>({ phase: 'loading' });
  const loader = useRef<Loader>(null);
  useEffect(() => {
    let stopTimer = (): void => undefined;
    const mine = createLoader({
      clock,
      read: (signal) => api.request(intakeRoutes.state, { signal }),
      take: (value) => {
        setIntake(value);
        stopTimer();
        stopTimer = clock.after(againMs, () => mine.load());
      },
      onState: setLoad,
    });
    loader.current = mine;
    mine.load();
    const stopLink = stream.onLink((link) => {
      if (link.phase === 'live') mine.retry();
    });
    return () => {
      stopLink();
      stopTimer();
      mine.stop();
    };
  }, [api, clock, stream]);
  const again = useCallback(() => loader.current?.load(), []);
  return { intake, load, again };
}
