import { Truck } from 'lucide-react';
import { useStore } from 'zustand';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useT } from '../../i18n/useT.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import type { TableFilter } from './vehicleTable.ts';

/** A depot without vehicles: the ways to the first one. */
export function NoVehicles({
  mayWrite,
  onAdd,
  onImport,
}: {
  mayWrite: boolean;
  onAdd: () => void;
  onImport: () => void;
}) {
  const app = useAppContext();
  const t = useT();
  const unknownTerminals = useStore(app.unknownTerminals.store, (state) => state.byId.size);
  return (
    <Notice
      icon={Truck}
      title={t('list.empty')}
      actions={
        mayWrite ? (
          <>
            <Button kind="primary" onPress={onAdd}>
              {unknownTerminals > 0 ? t('list.add_unknown_terminals') : t('vehicle.add_by_terminal')}
            </Button>
            <Button onPress={onImport}>{t('vehicles.import')}</Button>
          </>
        ) : undefined
      }
    >
      {mayWrite
        ? unknownTerminals > 0
          ? t('list.empty_unknown_terminals', { count: unknownTerminals })
          : t('list.empty_waiting')
        : t('list.empty_user')}
    </Notice>
  );
}

/** Nothing is what is asked for: what that was, and the way back. */
export function NothingFound({
  filter,
  onFilterChange,
}: {
  filter: TableFilter;
  onFilterChange: (filter: Partial<TableFilter>) => void;
}) {
  const app = useAppContext();
  const t = useT();
  const { text, status, groupId } = filter;
  const group = useStore(app.groups.store, (state) =>
    groupId === null ? undefined : state.byId.get(groupId),
  );
  const kind =
    status === null ? t('list.no_vehicle') : t('list.no_vehicle_of', { status: t(`status.${status}`) });
  const what = text.trim() === '' ? kind : t('vehicles.with_text', { what: kind, text: text.trim() });
  return (
    <Notice
      title={
        group === undefined
          ? t('list.filtered', { what })
          : t('list.filtered_in', { what, group: group.name })
      }
      actions={
        <Button onPress={() => onFilterChange({ text: '', status: null, groupId: null })}>
          {text.trim() === '' && groupId !== null ? t('list.show_all_groups') : t('list.show_all')}
        </Button>
      }
    />
  );
}
