import { Layers2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { Group } from '../../server/contract/groups.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { DataTable, type Column } from '../ui/DataTable.tsx';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { Notice } from '../ui/Notice.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { StaleBanner } from '../ui/StaleBand.tsx';
import { TextField } from '../ui/TextField.tsx';
import { membersByGroup, sortedGroups } from './groupOrder.ts';

const SKELETON = [
  [16, 120, 40, 40],
  [16, 90, 40, 40],
] as const;

interface GroupLine {
  group: Group;
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
  const [text, setText] = useState('');
  const isDealer = app.user.role === 'dealer';
  const columns = useMemo((): Column<GroupLine>[] => {
    const shown: Column<GroupLine>[] = [
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
      shown.push({
        id: 'users',
        head: t('groups.column.users'),
        value: (line) => line.users,
        align: 'end',
        width: '96px',
      });
    }
    return shown;
  }, [t, isDealer]);
  const members = useMemo(() => membersByGroup(vehicles), [vehicles]);
  const rows = useMemo(() => {
    const sought = text.trim().toLowerCase();
    return sortedGroups(byId.values())
      .filter(({ name }) => name.toLowerCase().includes(sought))
      .map((group) => ({
        group,
        vehicles: members.get(group.group_id)?.length ?? 0,
        users: group.user_ids.length,
      }));
  }, [byId, members, text]);

  if (load.phase === 'failed' && byId.size === 0) {
    return (
      <LoadFailure
        title={t('groups.failed')}
        stillWorks={t('groups.failed_still')}
        error={load.error}
        nextTryAt={load.nextTryAt}
        onRetry={() => app.retry('groups')}
      />
    );
  }
  if (load.phase === 'loading' && byId.size === 0) {
    return (
      <SkeletonRows className="manage__skeleton" widths={SKELETON} rows={8} label={t('groups.loading')} />
    );
  }
  if (byId.size === 0) {
    return (
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
    );
  }
  return (
    <>
      <StaleBanner>{t('groups.stale')}</StaleBanner>
      <div className="manage__tools">
        <div className="manage__search">
          <TextField
            hiddenLabel
            type="search"
            label={t('groups.search')}
            placeholder={t('groups.find')}
            value={text}
            onChange={setText}
            maxLength={100}
          />
        </div>
        <span className="fill" />
        {!isDealer && <span className="faint small">{t('groups.dealers_only')}</span>}
      </div>
      {rows.length === 0 ? (
        <Notice
          title={t('groups.filtered', { text: text.trim() })}
          actions={<Button onPress={() => setText('')}>{t('list.show_all_groups')}</Button>}
        />
      ) : (
        <DataTable
          name={t('groups.title')}
          columns={columns}
          rows={rows}
          keyOf={keyOf}
          selectedKey={selectedId}
          onSelect={({ group }) => onSelect(group.group_id)}
          initialSort={BY_NAME}
          asked={text}
        />
      )}
    </>
  );
}

const keyOf = ({ group }: GroupLine): string => group.group_id;
const BY_NAME = { id: 'name', desc: false };
