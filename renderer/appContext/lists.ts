import { createStore } from 'zustand/vanilla';
import { driverRoutes, type Driver } from '../../server/contract/drivers.ts';
import { geofenceRoutes, type Geofence } from '../../server/contract/geofences.ts';
import { groupRoutes, type GroupEntry } from '../../server/contract/groups.ts';
import { incidentRoutes, type Incident } from '../../server/contract/incidents.ts';
import { notificationRoutes, type Notification, type Snooze } from '../../server/contract/notifications.ts';
import { positionRoutes, type UnknownTerminal } from '../../server/contract/positions.ts';
import { meetsLevel, type RightName } from '../../server/contract/rights.ts';
import { serviceRoutes } from '../../server/contract/settings.ts';
import { shiftRoutes, type Shift } from '../../server/contract/shifts.ts';
import { userRoutes, type User } from '../../server/contract/users.ts';
import { vehicleRoutes, type Vehicle } from '../../server/contract/vehicles.ts';
import { fetchAllPages, PAGE_LIMIT, type Api } from '../api/client.ts';
import type { Clock } from '../clock/clock.ts';
import { createListLoader, createLoader, type Loader } from '../resources/loader.ts';
import type { ResourceStore } from '../resources/resourceStore.ts';
import { takeSettings, type SettingsStore } from '../settings/settingsStore.ts';
import { readOnceListening } from '../stream/fleetStream.ts';
import type { AppContext, ListName } from './appContext.ts';

export interface ListDeps {
  api: Api;
  clock: Clock;
  user: User;
  vehicles: ResourceStore<Vehicle>;
  drivers: ResourceStore<Driver>;
  groups: ResourceStore<GroupEntry>;
  users: ResourceStore<User>;
  geofences: ResourceStore<Geofence>;
  notifications: ResourceStore<Notification>;
  incidents: ResourceStore<Incident>;
  shifts: ResourceStore<Shift>;
  snoozes: ResourceStore<Snooze>;
  unknownTerminals: ResourceStore<UnknownTerminal>;
  settings: SettingsStore;
}

const limit = PAGE_LIMIT;

/** The lists that a session begins with: read once, again after the stream has lost its thread, then kept by it. */
export function createLists(deps: ListDeps) {
  const { api, clock, user, users, settings } = deps;
  // Whoever is logged in has a name before the list is here.
  const nameAll = () => namesOf([user, ...users.store.getState().byId.values()]);
  const userNames = createStore(nameAll);
  const isDealer = user.role === 'dealer';
  const mayRead = (right: RightName) => isDealer || meetsLevel(user.rights[right], 'read');

  const list = <T>(
    store: ResourceStore<T>,
    readPage: Parameters<typeof createListLoader<T>>[0]['readPage'],
    allowed = true,
  ): Loader =>
    createListLoader({
      store,
      readPage: allowed ? readPage : () => Promise.resolve({ items: [], next_cursor: null }),
      clock,
    });

  const loaders: Record<ListName, Loader> = {
    settings: createLoader({
      clock,
      read: (signal) => api.request(serviceRoutes.settings, { signal }),
      take: (value) => takeSettings(settings, value),
      onState: () => undefined,
    }),
    vehicles: list(
      deps.vehicles,
      (query, signal) => api.request(vehicleRoutes.list, { query, signal }),
      mayRead('vehicles'),
    ),
    drivers: list(
      deps.drivers,
      (query, signal) => api.request(driverRoutes.list, { query, signal }),
      mayRead('vehicles'),
    ),
    groups: list(deps.groups, (query, signal) => api.request(groupRoutes.list, { query, signal })),
    users: list(users, (query, signal) =>
      isDealer
        ? api.request(userRoutes.list, { query, signal })
        : Promise.resolve({ items: [user], next_cursor: null }),
    ),
    geofences: list(
      deps.geofences,
      (query, signal) => api.request(geofenceRoutes.list, { query, signal }),
      mayRead('geofences'),
    ),
    incidents: list(
      deps.incidents,
      (query, signal) =>
        api.request(incidentRoutes.list, {
          query: { ...query, limit: 200, status: ['open', 'in_progress', 'waiting'] },
          signal,
        }),
      mayRead('notifications'),
    ),
    shifts: list(
      deps.shifts,
      (query, signal) => api.request(shiftRoutes.list, { query: { ...query, active: 'true' }, signal }),
      mayRead('notifications'),
    ),
    snoozes: list(
      deps.snoozes,
      (query, signal) => api.request(notificationRoutes.snoozes, { query, signal }),
      mayRead('notifications'),
    ),
    notifications: createLoader({
      clock,
      read: async (signal) => {
        deps.notifications.listing();
        if (!mayRead('notifications')) return [];
        const open = await fetchAllPages((cursor) =>
          api.request(notificationRoutes.list, {
            query: { limit, cursor, state: 'open' },
            signal,
          }),
        );
        const { time } = settings.getState();
        const from = new Date(time.dayStart(clock.now())).toISOString();
        // The newest of today's are enough for the count and the last one; a page is as much as anybody reads.
        const taken = await api.request(notificationRoutes.list, {
          query: { limit, state: 'acknowledged', from },
          signal,
        });
        return [...open, ...taken.items];
      },
      take: (items) => deps.notifications.listed(items),
      onState: (load) => deps.notifications.setLoad(load),
    }),
  };

  const unknownTerminals = list(
    deps.unknownTerminals,
    (query, signal) => api.request(positionRoutes.unknownTerminals, { query, signal }),
    isDealer,
  );
  const all = [...Object.values(loaders), unknownTerminals];

  return {
    userNames,
    retry: (name: ListName) => loaders[name].retry(),
    start(app: AppContext) {
      const stopNames = users.store.subscribe((state, before) => {
        if (state.byId !== before.byId) userNames.setState(nameAll());
      });
      const stopReading = readOnceListening({
        stream: app.stream,
        clock,
        read: () => all.forEach((loader) => loader.load()),
        retry: () => all.forEach((loader) => loader.retry()),
      });
      return () => {
        stopReading();
        stopNames();
        all.forEach((loader) => loader.stop());
      };
    },
  };
}

const namesOf = (users: readonly User[]): ReturnType<AppContext['userNames']['getState']> => ({
  byId: new Map(users.map(({ user_id, name, login }) => [user_id, name ?? login])),
});
