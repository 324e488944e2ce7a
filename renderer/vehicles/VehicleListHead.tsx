import { useMemo } from 'react';
import { useStore } from 'zustand';
import { PanelLeftClose } from 'lucide-react';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import { foldPane } from '../live/paneSizes.ts';
import { Choice } from '../ui/Choice.tsx';
import { IconButton } from '../ui/IconButton.tsx';

const ALL = 'all';

/** The list's title with the number of vehicles (null while it is not known), and the group that is shown. */
export function VehicleListHead({ count }: { count: number | null }) {
  const desk = useDesk();
  const say = useText();
  const groups = useStore(desk.groups.store, (state) => state.byId);
  const groupId = useStore(desk.view, (state) => state.groupId);
  const options = useMemo(
    () => [
      { id: ALL, label: say('list.all_groups') },
      ...[...groups.values()]
        .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
        .map((group) => ({ id: group.group_id, label: group.name })),
    ],
    [groups, say],
  );
  return (
    <>
      <h2>{say('list.title')}</h2>
      {count !== null && <span className="faint">{count}</span>}
      <span className="fill" />
      {groups.size > 0 && (
        <Choice
          quiet
          label={say('list.group')}
          options={options}
          value={groupId ?? ALL}
          onChange={(id) => desk.view.setState({ groupId: id === ALL ? null : id })}
        />
      )}
      <IconButton
        icon={PanelLeftClose}
        size="small"
        label={say('list.fold')}
        keycap="["
        onPress={() => foldPane(desk.preferences, 'list')}
      />
    </>
  );
}
