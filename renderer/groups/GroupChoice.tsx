import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { Choice } from '../ui/Select.tsx';

const ALL = 'all';

/** Which group a list shows; null for all of them. Nothing where there are no groups. */
export function GroupChoice({
  value,
  onChange,
}: {
  value: string | null;
  onChange: (groupId: string | null) => void;
}) {
  const app = useAppContext();
  const t = useT();
  const groups = useStore(app.groups.store, (state) => state.byId);
  const options = useMemo(
    () => [
      { id: ALL, label: t('list.all_groups') },
      ...[...groups.values()]
        .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
        .map((group) => ({ id: group.group_id, label: group.name })),
    ],
    [groups, t],
  );
  if (groups.size === 0) return null;
  return (
    <Choice
      quiet
      label={t('list.group')}
      options={options}
      value={value ?? ALL}
      onChange={(id) => onChange(id === ALL ? null : id)}
    />
  );
}
