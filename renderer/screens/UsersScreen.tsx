import { UserPlus, UsersRound } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { User } from '../../server/contract/users.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { DataTable, type Column } from '../ui/DataTable.tsx';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Pane } from '../ui/Pane.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { StaleBanner } from '../ui/StaleBand.tsx';
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
  const app = useAppContext();
  const t = useT();
  const [users] = useState(() => createUserList(app));
  useEffect(() => {
    users.load();
    return () => users.stop();
  }, [users]);
  const { byId, load } = useStore(users.store);
  const id = useStore(app.navigation.store, ({ query }) => query['id'] ?? null);
  const [typed, setTyped] = useState('');
  const columns = useColumns(id !== null);
  const rows = useMemo(() => findUsers(byId.values(), typed), [byId, typed]);
  const show = (userId: string | null) => app.navigation.note({ id: userId });
  const shown = id === null || id === NEW ? null : (byId.get(id) ?? null);
  const add = (
    <Button kind="primary" icon={UserPlus} onPress={() => show(NEW)}>
      {t('users.add')}
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
        name={t('rail.users')}
        className="manage__main"
        head={
          <>
            <h2 className="users__title">{t('users.title', { count: byId.size })}</h2>
            <span className="fill" />
            {add}
          </>
        }
      >
        <StaleBanner>{t('users.stale')}</StaleBanner>
        <div className="manage__tools">
          <div className="manage__search">
            <TextField
              label={t('users.find')}
              hiddenLabel
              type="search"
              placeholder={t('users.find')}
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
            label={t('users.reading')}
          />
        ) : byId.size === 0 && load.phase === 'failed' ? (
          <LoadFailure
            title={t('users.failed')}
            stillWorks={t('users.failed_still')}
            error={load.error}
            nextTryAt={load.nextTryAt}
            onRetry={() => users.retry()}
          />
        ) : rows.length === 0 ? (
          <Notice
            icon={UsersRound}
            title={t('users.none_found', { typed })}
            actions={<Button onPress={() => setTyped('')}>{t('users.show_all')}</Button>}
          />
        ) : (
          <DataTable
            name={t('rail.users')}
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
  const app = useAppContext();
  const t = useT();
  const vehicles = useStore(app.vehicles.store, (state) => state.byId);
  const groups = useStore(app.groups.store, (state) => state.byId);
  return useMemo(
    (): readonly Column<User>[] => [
      {
        id: 'login',
        head: t('login.login'),
        value: (it) => it.login,
        cell: (it) => <span className="strong ellipsis">{it.login}</span>,
        width: 'minmax(168px, 1.5fr)',
      },
      { id: 'name', head: t('users.name'), value: (it) => it.name, width: 'minmax(120px, 1.5fr)' },
      { id: 'role', head: t('users.role'), value: (it) => t(`users.role.${it.role}`), width: '80px' },
      {
        id: 'state',
        head: t('users.state'),
        value: (it) => (it.blocked ? t('users.state.blocked') : t('users.state.active')),
        width: '80px',
      },
      {
        id: 'groups',
        head: t('users.groups'),
        value: (it) =>
          it.role === 'dealer'
            ? t('users.all_groups')
            : it.group_ids.flatMap((group) => groups.get(group)?.name ?? []).join(', '),
        width: 'minmax(140px, 2fr)',
      },
      {
        id: 'vehicles',
        head: t('rail.vehicles'),
        value: (it) => visibleTo(it, vehicles.values()),
        align: 'end',
        width: '80px',
      },
      ...(beside
        ? []
        : [
            {
              id: 'email',
              head: t('users.email'),
              value: (it: User) => it.email,
              width: 'minmax(120px, 1.5fr)',
            },
          ]),
    ],
    [t, vehicles, groups, beside],
  );
}
