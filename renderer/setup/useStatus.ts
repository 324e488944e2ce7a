import { useCallback } from 'react';
import { serviceRoutes, type Status } from '../../server/contract/settings.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { usePolling, type Reread } from '../resources/useReread.ts';

/** The counts of the intake move; the stream does not bear them. */
const AGAIN_MS = 10_000;

/** How the host does, read again while a screen shows it; dealers alone may ask. */
export function useStatus(): Reread<Status> {
  const { api, user } = useAppContext();
  const read = useCallback((signal: AbortSignal) => api.request(serviceRoutes.status, { signal }), [api]);
  return usePolling(user.role === 'dealer' ? read : null, AGAIN_MS);
}
