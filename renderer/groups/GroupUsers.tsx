import { useEffect, useMemo, useState } from 'react';
import type { Group } from '../../server/contract/groups.ts';
import { userRoutes, type User } from '../../server/contract/users.ts';
import { fetchAllPages, PAGE_LIMIT } from '../api/allPages.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { createLoader } from '../resources/loader.ts';
import type { LoadState } from '../resources/resourceStore.ts';
import { useAction } from '../resources/useAction.ts';
import { MultiSelect } from '../ui/MultiSelect.tsx';
import { setAccess } from './groupActions.ts';

/** The users who see the vehicles of a group; each is given access or loses it at once. Dealers see all anyway. */
export function GroupUsers({ group, disabled }: { group: Group; disabled: boolean }) {
  const app = useAppContext();
  const t = useT();
  const { users, load } = useUsers();
  const { sentence, run } = useAction();
  const items = useMemo(
    () =>
      users
        .filter(({ role, user_id }) => role !== 'dealer' || group.user_ids.includes(user_id))
        .map(({ user_id, name, login, blocked }) => ({
          id: user_id,
          name: name ?? login,
          detail: [name === null ? '' : login, blocked ? t('groups.user_blocked') : '']
            .filter((it) => it !== '')
            .join(', '),
        })),
    [users, group.user_ids, t],
  );

  const change = (ids: readonly string[]) =>
    run(async () => {
      for (const id of ids.filter((it) => !group.user_ids.includes(it)))
        await setAccess(app, group.group_id, id, true);
      for (const id of group.user_ids.filter((it) => !ids.includes(it)))
        await setAccess(app, group.group_id, id, false);
    });

  return (
    <>
      <h3>{t('groups.users')}</h3>
      <MultiSelect
        label={t('groups.users_who')}
        placeholder={t('groups.find_user')}
        items={items}
        value={group.user_ids}
        onChange={(ids) => void change(ids)}
        unknownName={load.phase === 'ready' ? t('pick.unknown') : '–'}
        hint={load.phase === 'failed' ? t('groups.users_failed') : t('groups.users_hint')}
        fault={sentence}
        disabled={disabled}
      />
    </>
  );
}

function useUsers(): { users: readonly User[]; load: LoadState } {
  const app = useAppContext();
  const [users, setUsers] = useState<readonly User[]>([]);
  const [load, setLoad] = useState<LoadState>({ phase: 'loading' });
  useEffect(() => {
    const loader = createLoader({
      clock: app.clock,
      read: (signal) =>
        fetchAllPages((cursor) =>
          app.api.request(userRoutes.list, { query: { limit: PAGE_LIMIT, cursor }, signal }),
        ),
      take: setUsers,
      onState: setLoad,
    });
    loader.load();
    return () => loader.stop();
  }, [app]);
  return { users, load };
}
