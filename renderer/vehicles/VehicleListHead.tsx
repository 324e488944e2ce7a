import { useMemo } from 'react';
import { useStore } from 'zustand';
import { PanelLeftClose } from 'lucide-react';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { foldPane } from '../live/liveLayout.ts';
import { Choice } from '../ui/Select.tsx';
import { IconButton } from '../ui/IconButton.tsx';

const ALL = 'all';

/** The list's title with the number of vehicles (null while it is not known), and the group that is shown. */
export function VehicleListHead({ count }: { count: number | null }) {
  const app = useAppContext();
  const t = useT();
  const groups = useStore(app.groups.store, (state) => state.byId);
  const groupId = useStore(app.view, (state) => state.groupId);
  const options = useMemo(
    () => [
      { id: ALL, label: t('list.all_groups') },
      ...[...groups.values()]
        .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
        .map((group) => ({ id: group.group_id, label: group.name })),
    ],
    [groups, t],
  );
  return (
    <>
      <h2>{t('list.title')}</h2>
      {count !== null && <span className="faint">{count}</span>}
      <span className="fill" />
      {groups.size > 0 && (
        <Choice
          quiet
          label={t('list.group')}
          options={options}
          value={groupId ?? ALL}
          onChange={(id) => app.view.setState({ groupId: id === ALL ? null : id })}
        />
      )}
      <IconButton
        icon={PanelLeftClose}
        size="small"
        label={t('list.fold')}
        keycap="["
        onPress={() => foldPane(app.preferences, 'list')}
      />
    </>
  );
}
