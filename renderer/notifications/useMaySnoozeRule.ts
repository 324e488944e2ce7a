import { useEffect, useState } from 'react';
import { ruleRoutes } from '../../server/contract/rules.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { mayActOnAlarms } from './alarmRights.ts';

/** Dealers snooze every rule, users their own. Null while nobody knows whose it is. */
export function useMaySnoozeRule(ruleId: string | null): boolean | null {
  const app = useAppContext();
  const { api, user } = app;
  const isDealer = user.role === 'dealer';
  const [owner, setOwner] = useState<{ ruleId: string; isOwn: boolean } | null>(null);

  useEffect(() => {
    if (isDealer || ruleId === null) return;
    const abort = new AbortController();
    api.request(ruleRoutes.get, { params: { rule_id: ruleId }, signal: abort.signal }).then(
      (rule) => setOwner({ ruleId, isOwn: rule.owner_id === user.user_id }),
      // Deleted or not to be seen: in either case nothing that can be snoozed.
      () => {
        if (!abort.signal.aborted) setOwner({ ruleId, isOwn: false });
      },
    );
    return () => abort.abort();
  }, [api, isDealer, ruleId, user]);

  if (!mayActOnAlarms(app) || ruleId === null) return false;
  if (isDealer) return true;
  return owner?.ruleId === ruleId ? owner.isOwn : null;
}
