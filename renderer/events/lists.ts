import { eventRoutes, type Event } from '../../server/contract/events.ts';
import { notificationRoutes, type Notification } from '../../server/contract/notifications.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { namedPeriod } from '../ui/period.ts';
import { type EventsAddress, vehiclesOf } from './eventsAddress.ts';
import { createPagedList, type PagedList } from './pagedList.ts';

const PAGE = 200;

interface Ends {
  from: number;
  /** Null: goes on with the time. */
  to: number | null;
}

function endsOf({ period }: EventsAddress, app: AppContext): Ends {
  if (typeof period !== 'string') return period;
  const named = namedPeriod(period, app.serverTime.now(), app.settings.getState().time);
  return period === 'yesterday' ? named : { from: named.from, to: null };
}

const isWithin = ({ from, to }: Ends, time: string): boolean => {
  const at = Date.parse(time);
  return at >= from && (to === null || at < to);
};

const queryOf = ({ from, to }: Ends, address: EventsAddress) => ({
  from: new Date(from).toISOString(),
  ...(to === null ? {} : { to: new Date(to).toISOString() }),
  ...(address.vehicle === null ? {} : { vehicle: address.vehicle }),
});

const isOfVehicles = (address: EventsAddress): ((vehicleId: string | null) => boolean) => {
  const ids = new Set<string | null>(vehiclesOf(address));
  return (vehicleId) => ids.size === 0 || ids.has(vehicleId);
};

/** The notifications that an address asks for. */
export function notificationList(app: AppContext, address: EventsAddress): PagedList<Notification> {
  const ends = endsOf(address, app);
  const { state, severity, rule } = address;
  const isOfVehicle = isOfVehicles(address);
  const isSnoozed = (it: Notification) => app.snoozed.getState().byId.has(it.notification_id);
  const isOfState = (it: Notification) => {
    switch (state) {
      case 'all':
        return true;
      case 'open':
        return it.state === 'open' && !isSnoozed(it);
      case 'shelved':
        return it.state === 'open' && (isSnoozed(it) || it.shelved_until !== null);
      case 'acknowledged':
        return it.state === 'acknowledged';
    }
  };
  return createPagedList<Notification>({
    clock: app.clock,
    idOf: (it) => it.notification_id,
    timeOf: (it) => it.last_time,
    accepts: (it) =>
      isOfState(it) &&
      isWithin(ends, it.last_time) &&
      (severity === null || it.severity === severity) &&
      isOfVehicle(it.vehicle_id) &&
      (rule === null || it.rule_id === rule),
    read: (cursor, signal) =>
      app.api.request(notificationRoutes.list, {
        query: {
          limit: PAGE,
          cursor,
          ...queryOf(ends, address),
          ...(rule === null ? {} : { rule }),
          ...(state === 'all' ? {} : { state: state === 'acknowledged' ? 'acknowledged' : 'open' }),
          ...(state === 'shelved' ? { shelved: 'true' } : {}),
          ...(severity === null ? {} : { severity }),
        },
        signal,
      }),
  });
}

/** The recorded events that an address asks for. */
export function eventList(app: AppContext, address: EventsAddress): PagedList<Event> {
  const ends = endsOf(address, app);
  const { kind, geofence } = address;
  const isOfVehicle = isOfVehicles(address);
  return createPagedList<Event>({
    clock: app.clock,
    idOf: (it) => it.event_id,
    timeOf: (it) => it.time,
    accepts: (it) =>
      isWithin(ends, it.time) &&
      (kind === null || it.kind === kind) &&
      isOfVehicle(it.vehicle_id) &&
      (geofence === null || it.geozone_id === geofence),
    read: (cursor, signal) =>
      app.api.request(eventRoutes.list, {
        query: {
          limit: PAGE,
          cursor,
          ...queryOf(ends, address),
          ...(kind === null ? {} : { kind }),
          ...(geofence === null ? {} : { geofence }),
        },
        signal,
      }),
  });
}
