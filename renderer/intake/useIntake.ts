import { useCallback } from 'react';
import { intakeRoutes, type IntakeState } from '../../server/contract/intake.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { usePolling, type Reread } from '../resources/useReread.ts';

/** The counts move with every message; the stream does not bear them. */
const againMs = 5_000;

/** Where terminals come in, read again while it is shown; dealers alone may ask. */
export function useIntake(): Reread<IntakeState> {
  const { api } = useAppContext();
  const read = useCallback((signal: AbortSignal) => api.request(intakeRoutes.state, { signal }), [api]);
  return usePolling(read, againMs);
}
