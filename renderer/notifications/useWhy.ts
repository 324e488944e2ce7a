import { useEffect, useMemo, useState } from 'react';
import { notificationRoutes, type NotificationWhy } from '../../server/contract/notifications.ts';
import { ruleRoutes, type Rule } from '../../server/contract/rules.ts';
import type { Api } from '../api/client.ts';
import { isProblem } from '../api/errors.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { createLoader } from '../resources/loader.ts';
import type { LoadState } from '../resources/resourceStore.ts';

export interface Why {
  load: LoadState;
  why: NotificationWhy | null;
  /** The rule as it is now, read where it has changed since; null otherwise, or where it is not to be seen. */
  ruleNow: Rule | null;
  retry: () => void;
}

/** Why a notification fired; read anew when it changes. A component of another notification has another `key`. */
export function useWhy(notificationId: string, updatedAt: string): Why {
  const { api, clock } = useAppContext();
  const [load, setLoad] = useState<LoadState>({ phase: 'loading' });
  const [found, setFound] = useState<Pick<Why, 'why' | 'ruleNow'>>({ why: null, ruleNow: null });

  const loader = useMemo(
    () =>
      createLoader({
        clock,
        read: async (signal) => {
          const why = await api.request(notificationRoutes.why, {
            params: { notification_id: notificationId },
            signal,
          });
          if (why.rule_now !== 'changed') return { why, ruleNow: null };
          return { why, ruleNow: await readRule(api, why.notification.rule_id, signal) };
        },
        take: setFound,
        onState: setLoad,
      }),
    [api, clock, notificationId],
  );
  useEffect(() => {
    loader.load();
    return () => loader.stop();
  }, [loader, updatedAt]);

  return { load, ...found, retry: () => loader.retry() };
}

async function readRule(api: Api, rule_id: string | null, signal: AbortSignal): Promise<Rule | null> {
  if (rule_id === null) return null;
  try {
    return await api.request(ruleRoutes.get, { params: { rule_id }, signal });
  } catch (error) {
    if (isProblem(error, 'not_found', 'forbidden')) return null;
    throw error;
  }
}
