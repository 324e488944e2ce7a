import { UserPlus, UsersRound } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { User } from '../../server/contract/users.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import { Button } from '../ui/Button.tsx';
import { DataTable, type Column } from '../ui/DataTable.tsx';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Pane } from '../ui/Pane.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { StaleBand } from '../ui/StaleBand.tsx';
import { TextField } from '../ui/TextField.tsx';
import { createUserList } from '../users/userList.ts';
import { findUsers, visibleTo } from '../users/userForm.ts';
import { UserPanel } from '../users/UserPanel.tsx';
import '../ui/manage.css';
import './UsersScreen.css';

const NEW = 'new';
const keyOf = (user: User) => user.user_id;

/** Who may come in, what each may do and see, and where each is logged in. */
export function UsersScreen() {
  const desk = useDesk();
  const say = useText();
  const [users] = useState(() => createUserList(desk));
  useEffect(() => {
    users.load();
    return () => users.stop();
  }, [users]);
  const { byId, load } = useStore(users.store);
  const id = useStore(desk.navigation.store, ({ query }) => query['id'] ?? null);
  const [typed, setTyped] = useState('');
  const columns = useColumns(id !== null);
  const rows = useMemo(() => findUsers(byId.values(), typed), [byId, typed]);
  const show = (userId: string | null) => desk.navigation.note({ id: userId });
  const shown = id === null || id === NEW ? null : (byId.get(id) ?? null);
  const add = (
    <Button kind="primary" icon={UserPlus} onPress={() => show(NEW)}>
      {say('users.add')}
    </Button>
  );

  return (
    <div
      className="manage"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented && id !== null) show(null);
      }}
    >
      <Pane
        name={say('rail.users')}
        className="manage__main"
        head={
          <>
            <h2 className="users__title">{say('users.title', { count: byId.size })}</h2>
            <span className="fill" />
            {add}
          </>
        }
      >
        <StaleBand>{say('users.stale')}</StaleBand>
        <div className="manage__tools">
          <div className="manage__search">
            <TextField
              label={say('users.find')}
              hiddenLabel
              type="search"
              placeholder={say('users.find')}
              value={typed}
              onChange={setTyped}
            />
          </div>
        </div>
        {byId.size === 0 && load.phase === 'loading' ? (
          <SkeletonRows
            className="manage__skeleton"
            widths={[[16, 120, 80, 90, 140, 60, 40]]}
            rows={6}
            label={say('users.reading')}
          />
        ) : byId.size === 0 && load.phase === 'failed' ? (
          <LoadFailure
            title={say('users.failed')}
            stillWorks={say('users.failed_still')}
            error={load.error}
            nextTryAt={load.nextTryAt}
            onRetry={() => users.retry()}
          />
        ) : rows.length === 0 ? (
          <Notice
            icon={UsersRound}
            title={say('users.none_found', { typed })}
            actions={<Button onPress={() => setTyped('')}>{say('users.show_all')}</Button>}
          />
        ) : (
          <DataTable
            name={say('rail.users')}
            columns={columns}
            rows={rows}
            keyOf={keyOf}
            selectedKey={shown?.user_id ?? null}
            onSelect={(user) => show(user.user_id)}
            initialSort={{ id: 'login', desc: false }}
          />
        )}
      </Pane>
      {id === NEW && <UserPanel key={NEW} user={null} users={users} onShow={show} />}
      {shown !== null && <UserPanel key={shown.user_id} user={shown} users={users} onShow={show} />}
    </div>
  );
}

/** @param beside a user is open beside the table and says the rest: logins must not be cut */
function useColumns(beside: boolean): readonly Column<User>[] {
  const desk = useDesk();
  const say = useText();
  const vehicles = useStore(desk.vehicles.store, (state) => state.byId);
  const groups = useStore(desk.groups.store, (state) => state.byId);
  return useMemo(
    (): readonly Column<User>[] => [
      {
        id: 'login',
        head: say('login.login'),
        value: (it) => it.login,
        cell: (it) => <span className="strong ellipsis">{it.login}</span>,
        width: 'minmax(168px, 1.5fr)',
      },
      { id: 'name', head: say('users.name'), value: (it) => it.name, width: 'minmax(120px, 1.5fr)' },
      { id: 'role', head: say('users.role'), value: (it) => say(`users.role.${it.role}`), width: '80px' },
      {
        id: 'state',
        head: say('users.state'),
        value: (it) => (it.blocked ? say('users.state.blocked') : say('users.state.active')),
        width: '80px',
      },
      {
        id: 'groups',
        head: say('users.groups'),
        value: (it) =>
          it.role === 'dealer'
            ? say('users.all_groups')
            : it.group_ids.flatMap((group) => groups.get(group)?.name ?? []).join(', '),
        width: 'minmax(140px, 2fr)',
      },
      {
        id: 'vehicles',
        head: say('rail.vehicles'),
        value: (it) => visibleTo(it, vehicles.values()),
        align: 'end',
        width: '80px',
      },
      ...(beside
        ? []
        : [
            {
              id: 'email',
              head: say('users.email'),
              value: (it: User) => it.email,
              width: 'minmax(120px, 1.5fr)',
            },
          ]),
    ],
    [say, vehicles, groups, beside],
  );
}
