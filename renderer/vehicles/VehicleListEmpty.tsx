import { Truck } from 'lucide-react';
import { useStore } from 'zustand';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';

/** A depot without vehicles must not look like a broken one. */
export function VehicleListEmpty() {
  const desk = useDesk();
  const say = useText();
  const knocking = useStore(desk.knocking.store, (state) => state.byId.size);
  const isDealer = desk.user.role === 'dealer';
  return (
    <Notice
      icon={Truck}
      title={say('list.empty')}
      actions={
        isDealer ? (
          <>
            {knocking > 0 && (
              <Button kind="primary" onPress={() => desk.navigation.go('setup')}>
                {say('list.add_knocking')}
              </Button>
            )}
            <Button
              kind={knocking > 0 ? 'plain' : 'primary'}
              onPress={() => desk.view.setState({ overlay: 'add_vehicle' })}
            >
              {say('vehicle.add_by_terminal')}
            </Button>
          </>
        ) : undefined
      }
    >
      {isDealer
        ? knocking > 0
          ? say('list.empty_knocking', { count: knocking })
          : say('list.empty_waiting')
        : say('list.empty_user')}
    </Notice>
  );
}

/** Nothing matches what is asked for; says so, and leads back. */
export function VehicleListFiltered() {
  const desk = useDesk();
  const say = useText();
  const status = useStore(desk.view, (state) => state.statusFilter);
  const groupId = useStore(desk.view, (state) => state.groupId);
  const group = useStore(desk.groups.store, (state) => (groupId === null ? null : state.byId.get(groupId)));
  const what =
    status === null ? say('list.no_vehicle') : say('list.no_vehicle_of', { status: say(`status.${status}`) });
  return (
    <Notice
      title={
        group == null ? say('list.filtered', { what }) : say('list.filtered_in', { what, group: group.name })
      }
      actions={
        <Button onPress={() => desk.view.setState({ statusFilter: null, groupId: null })}>
          {groupId === null ? say('list.show_all') : say('list.show_all_groups')}
        </Button>
      }
    />
  );
}
