import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { MultiSelect, type MultiSelectProps } from '../ui/MultiSelect.tsx';
import { sortedGroups } from './groupOrder.ts';

export type GroupPickerProps = Omit<MultiSelectProps, 'items' | 'placeholder' | 'single' | 'unknownName'>;

/** Many of the visible groups. */
export function GroupPicker(props: GroupPickerProps) {
  const { groups } = useAppContext();
  const t = useT();
  const byId = useStore(groups.store, (state) => state.byId);
  const items = useMemo(
    () => sortedGroups(byId.values()).map(({ group_id, name }) => ({ id: group_id, name, detail: '' })),
    [byId],
  );
  return (
    <MultiSelect {...props} items={items} placeholder={t('groups.find')} unknownName={t('groups.other')} />
  );
}
