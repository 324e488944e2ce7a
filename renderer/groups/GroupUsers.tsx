import { useEffect, useMemo, useState } from 'react';
import type { Group } from '../../server/contract/groups.ts';
import { userRoutes, type User } from '../../server/contract/users.ts';
import { allPages, PAGE_LIMIT } from '../api/allPages.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import { createLoader } from '../resources/loader.ts';
import type { LoadState } from '../resources/resourceStore.ts';
import { sentenceOf } from '../ui/formFaults.ts';
import { PickField } from '../ui/PickField.tsx';
import { setAccess } from './groupActions.ts';

/** The users who see the vehicles of a group; each is given access or loses it at once. Dealers see all anyway. */
export function GroupUsers({ group, disabled }: { group: Group; disabled: boolean }) {
  const desk = useDesk();
  const say = useText();
  const { users, load } = useUsers();
  const [fault, setFault] = useState<string | null>(null);
  const items = useMemo(
    () =>
      users
        .filter(({ role, user_id }) => role !== 'dealer' || group.user_ids.includes(user_id))
        .map(({ user_id, name, login, blocked }) => ({
          id: user_id,
          name: name ?? login,
          detail: [name === null ? '' : login, blocked ? say('groups.user_blocked') : '']
            .filter((it) => it !== '')
            .join(', '),
        })),
    [users, group.user_ids, say],
  );

  const change = async (ids: readonly string[]) => {
    setFault(null);
    try {
      for (const id of ids.filter((it) => !group.user_ids.includes(it)))
        await setAccess(desk, group.group_id, id, true);
      for (const id of group.user_ids.filter((it) => !ids.includes(it)))
        await setAccess(desk, group.group_id, id, false);
    } catch (error) {
      setFault(sentenceOf(error, say));
    }
  };

  return (
    <>
      <h3>{say('groups.users')}</h3>
      <PickField
        label={say('groups.users_who')}
        placeholder={say('groups.find_user')}
        items={items}
        value={group.user_ids}
        onChange={(ids) => void change(ids)}
        unknownName={load.phase === 'ready' ? say('pick.unknown') : '–'}
        hint={load.phase === 'failed' ? say('groups.users_failed') : say('groups.users_hint')}
        fault={fault}
        disabled={disabled}
      />
    </>
  );
}

function useUsers(): { users: readonly User[]; load: LoadState } {
  const desk = useDesk();
  const [users, setUsers] = useState<readonly User[]>([]);
  const [load, setLoad] = useState<LoadState>({ phase: 'loading' });
  useEffect(() => {
    const loader = createLoader({
      clock: desk.clock,
      read: (signal) =>
        allPages((cursor) =>
          desk.api.request(userRoutes.list, { query: { limit: PAGE_LIMIT, cursor }, signal }),
        ),
      take: setUsers,
      onState: setLoad,
    });
    loader.load();
    return () => loader.stop();
  }, [desk]);
  return { users, load };
}
