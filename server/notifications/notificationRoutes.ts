import { notificationRoutes } from '../contract/notifications.ts';
import type { Api } from '../http/api.ts';
import { notFound } from '../http/apiError.ts';
import { beforeOf, newestFirst } from '../http/pageOf.ts';
import type { Viewer } from '../http/viewer.ts';
import type { NotificationRow } from '../store/telemetry/rows.ts';
import type { TelemetryStore } from '../store/telemetry/telemetryStore.ts';
import type { Acknowledge } from './acknowledge.ts';
import { presentNotification } from './presentNotification.ts';
import { periodOf, shownVehicles, type SeenVehicles } from './vehicleFilter.ts';

export interface NotificationRouteParts {
  store: Pick<TelemetryStore, 'notifications' | 'notificationsById'>;
  vehicles: SeenVehicles;
  acknowledge: Acknowledge;
  clock: { now(): number };
}

export function addNotificationRoutes(api: Api, parts: NotificationRouteParts): void {
  const { store, vehicles, acknowledge, clock } = parts;

  api.handle(notificationRoutes.list, async ({ query, viewer }) => {
    const rows = await store.notifications({
      limit: query.limit + 1,
      ...beforeOf(query.cursor),
      ...shownVehicles(vehicles, viewer, query.vehicle),
      ...periodOf(query),
      ...(query.state === undefined ? {} : { state: query.state }),
      ...(query.severity === undefined ? {} : { severities: query.severity }),
    });
    const key = (row: NotificationRow) => ({ ms: row.last_ms, id: row.notification_id });
    return newestFirst(rows, query.limit, key, presentNotification);
  });

  /** All or none: one that the viewer does not see is answered as one that is not there. */
  async function acknowledgeSeen(
    ids: readonly string[],
    note: string | null,
    viewer: Viewer,
  ): Promise<NotificationRow[]> {
    const rows = await store.notificationsById([...new Set(ids)]);
    const seen = new Set(
      rows.filter((row) => vehicles.sees(viewer, row.vehicle_id)).map((row) => row.notification_id),
    );
    if (!ids.every((id) => seen.has(id))) throw notFound('notification');
    return acknowledge(ids, { user_id: viewer.user.user_id, at_ms: clock.now(), note });
  }

  api.handle(notificationRoutes.ack, async ({ params, body, viewer }) => {
    const [row] = await acknowledgeSeen([params.notification_id], body.note, viewer);
    // Purged together with its vehicle in the meantime.
    if (row === undefined) throw notFound('notification');
    return presentNotification(row);
  });

  api.handle(notificationRoutes.ackMany, async ({ body, viewer }) => {
    const rows = await acknowledgeSeen(body.notification_ids, body.note, viewer);
    return { notifications: rows.map(presentNotification) };
  });
}
