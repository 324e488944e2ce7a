import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { GroupEntry } from '../../server/contract/groups.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { useAction } from '../resources/useAction.ts';
import { MultiSelect } from '../ui/MultiSelect.tsx';
import { setAccess } from './groupActions.ts';
import { usersOf } from './groupOrder.ts';

/** The users who see the vehicles of a group; each is given access or loses it at once. Dealers see all anyway. */
export function GroupUsers({ group, disabled }: { group: GroupEntry; disabled: boolean }) {
  const app = useAppContext();
  const t = useT();
  const { byId: users, load } = useStore(app.users.store);
  const members = useMemo(() => usersOf(group.group_id, users.values()), [group.group_id, users]);
  const { sentence, run } = useAction();
  const items = useMemo(
    () =>
      [...users.values()]
        .filter(({ role, user_id }) => role !== 'dealer' || members.includes(user_id))
        .map(({ user_id, name, login, blocked }) => ({
          id: user_id,
          name: name ?? login,
          detail: [name === null ? '' : login, blocked ? t('groups.user_blocked') : '']
            .filter((it) => it !== '')
            .join(', '),
        })),
    [users, members, t],
  );

  const change = (ids: readonly string[]) =>
    run(async () => {
      for (const id of ids.filter((it) => !members.includes(it)))
        await setAccess(app, group.group_id, id, true);
      for (const id of members.filter((it) => !ids.includes(it)))
        await setAccess(app, group.group_id, id, false);
    });

  return (
    <>
      <h3>{t('groups.users')}</h3>
      <MultiSelect
        label={t('groups.users_who')}
        placeholder={t('groups.find_user')}
        items={items}
        value={members}
        onChange={(ids) => void change(ids)}
        unknownName={load.phase === 'ready' ? t('pick.unknown') : '–'}
        hint={load.phase === 'failed' ? t('groups.users_failed') : t('groups.users_hint')}
        fault={sentence}
        disabled={disabled}
      />
    </>
  );
}
