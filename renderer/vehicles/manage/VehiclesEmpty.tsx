import { Truck } from 'lucide-react';
import { useStore } from 'zustand';
import { useDesk } from '../../desk/DeskContext.tsx';
import { useText } from '../../i18n/useText.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import type { TableWish } from './vehicleTable.ts';

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
  const desk = useDesk();
  const say = useText();
  const knocking = useStore(desk.knocking.store, (state) => state.byId.size);
  return (
    <Notice
      icon={Truck}
      title={say('list.empty')}
      actions={
        mayWrite ? (
          <>
            <Button kind="primary" onPress={onAdd}>
              {knocking > 0 ? say('list.add_knocking') : say('vehicle.add_by_terminal')}
            </Button>
            <Button onPress={onImport}>{say('vehicles.import')}</Button>
          </>
        ) : undefined
      }
    >
      {mayWrite
        ? knocking > 0
          ? say('list.empty_knocking', { count: knocking })
          : say('list.empty_waiting')
        : say('list.empty_user')}
    </Notice>
  );
}

/** Nothing is what is asked for: what that was, and the way back. */
export function NothingFound({
  wish,
  onWish,
}: {
  wish: TableWish;
  onWish: (wish: Partial<TableWish>) => void;
}) {
  const desk = useDesk();
  const say = useText();
  const { text, status, groupId } = wish;
  const group = useStore(desk.groups.store, (state) =>
    groupId === null ? undefined : state.byId.get(groupId),
  );
  const kind =
    status === null ? say('list.no_vehicle') : say('list.no_vehicle_of', { status: say(`status.${status}`) });
  const what = text.trim() === '' ? kind : say('vehicles.with_text', { what: kind, text: text.trim() });
  return (
    <Notice
      title={
        group === undefined
          ? say('list.filtered', { what })
          : say('list.filtered_in', { what, group: group.name })
      }
      actions={
        <Button onPress={() => onWish({ text: '', status: null, groupId: null })}>
          {text.trim() === '' && groupId !== null ? say('list.show_all_groups') : say('list.show_all')}
        </Button>
      }
    />
  );
}
