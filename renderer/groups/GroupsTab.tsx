import { Layers2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { Group } from '../../server/contract/groups.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import { Button } from '../ui/Button.tsx';
import { DataTable, type Column } from '../ui/DataTable.tsx';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { Notice } from '../ui/Notice.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { StaleBand } from '../ui/StaleBand.tsx';
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
  const desk = useDesk();
  const say = useText();
  const { byId, load } = useStore(desk.groups.store);
  const [text, setText] = useState('');
  const isDealer = desk.user.role === 'dealer';
  const columns = useMemo((): Column<GroupLine>[] => {
    const shown: Column<GroupLine>[] = [
      {
        id: 'name',
        head: say('vehicle.name'),
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
        head: say('groups.column.vehicles'),
        value: (line) => line.vehicles,
        align: 'end',
        width: '96px',
      },
    ];
    if (isDealer) {
      shown.push({
        id: 'users',
        head: say('groups.column.users'),
        value: (line) => line.users,
        align: 'end',
        width: '96px',
      });
    }
    return shown;
  }, [say, isDealer]);
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
        title={say('groups.failed')}
        stillWorks={say('groups.failed_still')}
        error={load.error}
        nextTryAt={load.nextTryAt}
        onRetry={() => desk.retry('groups')}
      />
    );
  }
  if (load.phase === 'loading' && byId.size === 0) {
    return (
      <SkeletonRows className="manage__skeleton" widths={SKELETON} rows={8} label={say('groups.loading')} />
    );
  }
  if (byId.size === 0) {
    return (
      <Notice
        icon={Layers2}
        title={say('groups.empty')}
        actions={
          isDealer ? (
            <Button kind="primary" onPress={onAdd}>
              {say('groups.add')}
            </Button>
          ) : undefined
        }
      >
        {isDealer ? say('groups.empty_how') : say('groups.empty_user')}
      </Notice>
    );
  }
  return (
    <>
      <StaleBand>{say('groups.stale')}</StaleBand>
      <div className="manage__tools">
        <div className="manage__search">
          <TextField
            hiddenLabel
            type="search"
            label={say('groups.search')}
            placeholder={say('groups.find')}
            value={text}
            onChange={setText}
            maxLength={100}
          />
        </div>
        <span className="fill" />
        {!isDealer && <span className="faint small">{say('groups.dealers_only')}</span>}
      </div>
      {rows.length === 0 ? (
        <Notice
          title={say('groups.filtered', { text: text.trim() })}
          actions={<Button onPress={() => setText('')}>{say('list.show_all_groups')}</Button>}
        />
      ) : (
        <DataTable
          name={say('groups.title')}
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
