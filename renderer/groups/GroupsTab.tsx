import { Layers2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { GroupEntry } from '../../server/contract/groups.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { ResourceList } from '../resources/ResourceScreen.tsx';
import { Button } from '../ui/Button.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { Notice } from '../ui/Notice.tsx';
import { groupSearch } from '../search/searches.ts';
import { membersByGroup, sortedGroups, usersOf } from './groupOrder.ts';

const SKELETON = [
  [16, 120, 40, 40],
  [16, 90, 40, 40],
] as const;

interface GroupLine {
  group: GroupEntry;
  vehicles: number;
  users: number;
}

/** The groups that may be seen, with how many vehicles and users each has. */

export function GroupsTab({
  vehicles,
  selectedId,
  onSelect,
  onAdd,
}: {
  vehicles: readonly Vehicle[];
  selectedId: string | null;
  onSelect: (groupId: string) => void;
  onAdd: () => void;
}) {
  const app = useAppContext();
  const t = useT();
  const { byId, load } = useStore(app.groups.store);
  const users = useStore(app.users.store, (state) => state.byId);
  const [text, setText] = useState('');
  const isDealer = app.user.role === 'dealer';
  const columns = useMemo((): Column<GroupLine>[] => {
    const list: Column<GroupLine>[] = [
      {
        id: 'name',
        head: t('vehicle.name'),
        value: ({ group }) => group.name,
        cell: ({ group }) => (
          <span className="strong" title={group.name}>
            {group.name}
          </span>
        ),
        width: 'minmax(160px, 1fr)',
      },
      {
        id: 'vehicles',
        head: t('groups.column.vehicles'),
        value: (line) => line.vehicles,
        align: 'end',
        width: '96px',
      },
    ];
    if (isDealer) {
      list.push({
        id: 'users',
        head: t('groups.column.users'),
        value: (line) => line.users,
        align: 'end',
        width: '96px',
      });
    }
    return list;
  }, [t, isDealer]);
  const members = useMemo(() => membersByGroup(vehicles), [vehicles]);
  const rows = useMemo(() => {
    return sortedGroups(groupSearch.filter(byId, text)).map((group) => ({
      group,
      vehicles: members.get(group.group_id)?.length ?? 0,
      users: usersOf(group.group_id, users.values()).length,
    }));
  }, [byId, members, users, text]);

  return (
    <ResourceList
      name={t('groups.title')}
      columns={columns}
      rows={rows}
      total={byId.size}
      keyOf={keyOf}
      load={load}
      onRetry={() => app.retry('groups')}
      selectedKey={selectedId}
      onSelect={({ group }) => onSelect(group.group_id)}
      asked={text}
      typed={text}
      onType={setText}
      texts={{
        search: t('groups.search'),
        placeholder: t('groups.find'),
        loading: t('groups.loading'),
        failed: t('groups.failed'),
        failedStill: t('groups.failed_still'),
        stale: t('groups.stale'),
      }}
      skeleton={SKELETON}
      aside={!isDealer && <span className="faint small">{t('groups.dealers_only')}</span>}
      empty={
        <Notice
          icon={Layers2}
          title={t('groups.empty')}
          actions={
            isDealer ? (
              <Button kind="primary" onPress={onAdd}>
                {t('groups.add')}
              </Button>
            ) : undefined
          }
        >
          {isDealer ? t('groups.empty_how') : t('groups.empty_user')}
        </Notice>
      }
      noMatch={{
        title: t('groups.filtered', { text: text.trim() }),
        back: t('list.show_all_groups'),
        onBack: () => setText(''),
      }}
    />
  );
}

const keyOf = ({ group }: GroupLine): string => group.group_id;
