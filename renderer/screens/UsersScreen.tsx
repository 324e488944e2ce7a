import { UserPlus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { User } from '../../server/contract/users.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { openRowMenu } from '../commands/contextMenus.ts';
import { useT } from '../i18n/useT.ts';
import { NEW } from '../navigation/navigation.ts';
import { ResourceList, ResourceScreen } from '../resources/ResourceScreen.tsx';
import { Button } from '../ui/Button.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { Pane } from '../ui/Pane.tsx';
import { visibleTo } from '../users/userForm.ts';
import { UserPanel } from '../users/UserPanel.tsx';
import { userSearch } from '../search/searches.ts';
import './UsersScreen.css';

const SKELETON = [[16, 120, 80, 90, 140, 60, 40]];
const BY_LOGIN = { id: 'login', desc: false };
const keyOf = (user: User) => user.user_id;

/** Who may come in, what each may do and see, and where each is logged in. */
export function UsersScreen() {
  const app = useAppContext();
  const t = useT();
  const { byId, load } = useStore(app.users.store);
  const id = useStore(app.navigation.store, ({ query }) => query['id'] ?? null);
  const [typed, setTyped] = useState('');
  const columns = useColumns(id !== null);
  const rows = useMemo(() => userSearch.filter(byId, typed), [byId, typed]);
  const show = (userId: string | null) => app.navigation.note({ id: userId });
  const shown = id === null || id === NEW ? null : (byId.get(id) ?? null);
  return (
    <ResourceScreen
      onClose={() => show(null)}
      side={
        id !== null && (id === NEW || shown !== null) && <UserPanel key={id} user={shown} onShow={show} />
      }
    >
      <Pane
        name={t('rail.users')}
        className="manage__main"
        head={
          <>
            <h2 className="manage__title">{t('users.title', { count: byId.size })}</h2>
            <span className="fill" />
            <Button kind="primary" icon={UserPlus} onPress={() => show(NEW)}>
              {t('users.add')}
            </Button>
          </>
        }
      >
        <ResourceList
          name={t('rail.users')}
          columns={columns}
          rows={rows}
          total={byId.size}
          keyOf={keyOf}
          load={load}
          onRetry={() => app.retry('users')}
          selectedKey={shown?.user_id ?? null}
          onSelect={(user) => show(user.user_id)}
          onMenu={({ user_id, name, login }, at) =>
            openRowMenu(app, 'user', { id: user_id, name: name ?? login }, at)
          }
          initialSort={BY_LOGIN}
          typed={typed}
          onType={setTyped}
          texts={{
            search: t('users.find'),
            placeholder: t('users.find'),
            loading: t('users.reading'),
            failed: t('users.failed'),
            failedStill: t('users.failed_still'),
            stale: t('users.stale'),
          }}
          skeleton={SKELETON}
          empty={null}
          noMatch={{
            title: t('users.none_found', { typed }),
            back: t('users.show_all'),
            onBack: () => setTyped(''),
          }}
        />
      </Pane>
    </ResourceScreen>
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
      { id: 'role', head: t('users.role'), value: (it) => t(`users.role.${it.role}`), width: '104px' },
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
