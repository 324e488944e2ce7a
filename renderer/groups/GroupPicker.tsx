import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import { PickField, type PickFieldProps } from '../ui/PickField.tsx';
import { sortedGroups } from './groupOrder.ts';

export type GroupPickerProps = Omit<PickFieldProps, 'items' | 'placeholder' | 'single' | 'unknownName'>;

/** Many of the visible groups. */
export function GroupPicker(props: GroupPickerProps) {
  const { groups } = useDesk();
  const say = useText();
  const byId = useStore(groups.store, (state) => state.byId);
  const items = useMemo(
    () => sortedGroups(byId.values()).map(({ group_id, name }) => ({ id: group_id, name, detail: '' })),
    [byId],
  );
  return (
    <PickField {...props} items={items} placeholder={say('groups.find')} unknownName={say('groups.other')} />
  );
}
