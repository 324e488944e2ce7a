import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { MultiSelect, type MultiSelectProps } from '../ui/MultiSelect.tsx';
import { sentenceOf } from '../ui/formFaults.ts';
import { addGroup } from './groupActions.ts';
import { sortedGroups } from './groupOrder.ts';

export type GroupPickerProps = Omit<MultiSelectProps, 'items' | 'placeholder' | 'single' | 'unknownName'>;

/** Many of the visible groups; a dealer adds the one that is missing here. */
export function GroupPicker(props: GroupPickerProps) {
  const app = useAppContext();
  const { groups } = app;
  const t = useT();
  const byId = useStore(groups.store, (state) => state.byId);
  const items = useMemo(
    () => sortedGroups(byId.values()).map(({ group_id, name }) => ({ id: group_id, name, detail: '' })),
    [byId],
  );
  const create = async (name: string) => {
    try {
      return (await addGroup(app, name)).group_id;
    } catch (error) {
      const text = sentenceOf(error, t, { already_exists: t('groups.name_taken') }) ?? '';
      app.toasts.setState({ toast: { text, isTrouble: true, action: null } });
      return null;
    }
  };
  return (
    <MultiSelect
      {...props}
      items={items}
      placeholder={t('groups.find')}
      unknownName={t('groups.other')}
      {...(app.user.role === 'dealer' ? { onCreate: create } : {})}
    />
  );
}
