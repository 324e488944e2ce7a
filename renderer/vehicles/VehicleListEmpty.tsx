import { Truck } from 'lucide-react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';

/** A depot without vehicles must not look like a broken one. */
export function VehicleListEmpty() {
  const app = useAppContext();
  const t = useT();
  const unknownTerminals = useStore(app.unknownTerminals.store, (state) => state.byId.size);
  const isDealer = app.user.role === 'dealer';
  return (
    <Notice
      icon={Truck}
      title={t('list.empty')}
      actions={
        isDealer ? (
          <>
            {unknownTerminals > 0 && (
              <Button kind="primary" onPress={() => app.navigation.go('setup')}>
                {t('list.add_unknown_terminals')}
              </Button>
            )}
            <Button
              kind={unknownTerminals > 0 ? 'plain' : 'primary'}
              onPress={() => app.view.setState({ overlay: 'add_vehicle' })}
            >
              {t('vehicle.add_by_terminal')}
            </Button>
          </>
        ) : undefined
      }
    >
      {isDealer
        ? unknownTerminals > 0
          ? t('list.empty_unknown_terminals', { count: unknownTerminals })
          : t('list.empty_waiting')
        : t('list.empty_user')}
    </Notice>
  );
}

/** Nothing matches what is asked for; says so, and leads back. */
export function VehicleListFiltered() {
  const app = useAppContext();
  const t = useT();
  const status = useStore(app.view, (state) => state.statusFilter);
  const groupId = useStore(app.view, (state) => state.groupId);
  const group = useStore(app.groups.store, (state) => (groupId === null ? null : state.byId.get(groupId)));
  const what =
    status === null ? t('list.no_vehicle') : t('list.no_vehicle_of', { status: t(`status.${status}`) });
  return (
    <Notice
      title={
        group == null ? t('list.filtered', { what }) : t('list.filtered_in', { what, group: group.name })
      }
      actions={
        <Button onPress={() => app.view.setState({ statusFilter: null, groupId: null })}>
          {groupId === null ? t('list.show_all') : t('list.show_all_groups')}
        </Button>
      }
    />
  );
}
