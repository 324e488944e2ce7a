import { useEffect, useMemo, useRef } from 'react';
import { createStore, type StoreApi, useStore } from 'zustand';
import { type Vehicle, vehicleRoutes } from '../../../server/contract/vehicles.ts';
import type { AppContext } from '../../appContext/appContext.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { isAt } from '../../notifications/notificationCommands.ts';
import type { BulkAction } from '../../resources/BulkActions.tsx';
import { createListLoader, type Loader } from '../../resources/loader.ts';
import { createResourceStore, olderByVersion, type ResourceStore } from '../../resources/resourceStore.ts';
import { bulkJobs, failuresOf } from '../bulk/bulkVehicles.ts';
import { sortedByName } from '../listOrder.ts';

interface ArchivedVehicles extends ResourceStore<Vehicle> {
  /** Ids of those that are checked in the table. */
  checked: StoreApi<ReadonlySet<string>>;
}

const known = new WeakMap<AppContext, ArchivedVehicles>();

/** The archived vehicles, as they were last read; no stream bears them. */
export function archivedVehicles(app: AppContext): ArchivedVehicles {
  const archived = known.get(app) ?? {
    ...createResourceStore<Vehicle>({
      idOf: (it) => it.vehicle_id,
      isOlder: olderByVersion,
      mayReturn: true,
    }),
    checked: createStore<ReadonlySet<string>>(() => new Set<string>()),
  };
  known.set(app, archived);
  return archived;
}

/** Reads the archived vehicles when they are shown; in the order of their names, without those that are back. */
export function useArchivedVehicles(isShown: boolean) {
  const app = useAppContext();
  const archived = archivedVehicles(app);
  const loader = useRef<Loader>(null);
  useEffect(() => {
    if (!isShown) return;
    const current = createListLoader({
      store: archived,
      readPage: (query, signal) =>
        app.api.request(vehicleRoutes.list, { query: { ...query, archived: 'true' }, signal }),
      clock: app.clock,
    });
    loader.current = current;
    current.load();
    const undo = [
      app.stream.on('reset', () => current.load()),
      app.stream.onLink(({ phase }) => {
        if (phase === 'live') current.retry();
      }),
      () => current.stop(),
      () => archived.checked.setState(new Set<string>(), true),
    ];
    return () => undo.forEach((run) => run());
  }, [app, archived, isShown]);
  const { byId, load } = useStore(archived.store);
  const inService = useStore(app.vehicles.store, (state) => state.byId);
  const vehicles = useMemo(
    () => sortedByName([...byId.values()].filter((it) => !inService.has(it.vehicle_id))),
    [byId, inService],
  );
  return { vehicles, load, retry: () => loader.current?.retry() };
}

export const showsArchived = ({ user, navigation }: AppContext): boolean =>
  user.role === 'dealer' && navigation.store.getState().query['archived'] === '1';

/** The archived vehicles that are checked, else the one that is selected. */
export function archivedSelection(app: AppContext): string[] {
  if (!isAt(app, 'vehicles') || !showsArchived(app)) return [];
  const { store, checked } = archivedVehicles(app);
  const { id = '' } = app.navigation.store.getState().query;
  const wanted = checked.getState().size > 0 ? [...checked.getState()] : [id];
  return wanted.filter((it) => store.getState().byId.has(it));
}

/** Puts archived vehicles back into service. */
export function restoreAction(app: AppContext, ids: readonly string[]): BulkAction {
  const { api, t } = app;
  const archived = archivedVehicles(app);
  const named = { vehicles: archived, t };
  const title = t('many.restore_title', { count: ids.length });
  return {
    id: 'restore',
    label: t('many.restore'),
    title,
    about: t('many.restore_what'),
    submit: title,
    jobs: () =>
      bulkJobs(named, ids, async (vehicle_ids) => {
        const result = await api.request(vehicleRoutes.restoreMany, { body: { vehicle_ids } });
        const failures = failuresOf(named, result);
        archived.hide(result.done);
        return failures;
      }),
  };
}
