import { notificationRoutes } from '../contract/notifications.ts';
import type { Api } from '../http/api.ts';
import { notFound } from '../http/apiError.ts';
import { beforeOf, encodeCursor } from '../http/pagination.ts';
import type { Viewer } from '../http/viewer.ts';
import type { NotificationRow } from '../store/telemetry/rows.ts';
import type { Store } from '../store/operations.ts';
import type { Acknowledge } from './acknowledge.ts';
import { presentNotification } from './presentNotification.ts';
import { presentWhy, type WhyDeps } from './presentWhy.ts';
import { readQueue } from './queuePage.ts';
import type { SnoozedUntil } from './ruleEngine.ts';
import type { Sight } from './sight.ts';
import type { Snoozes } from './snoozes.ts';
import { periodOf, shownVehicles, type SeenVehicles } from './vehicleFilter.ts';

export interface NotificationRouteDeps {
  store: Pick<Store, 'notifications' | 'notificationsById'> & WhyDeps['store'];
  vehicles: SeenVehicles;
  rules: WhyDeps['rules'];
  sight: Sight;
  snoozes: Pick<Snoozes, 'all' | 'snoozedUntil'>;
  acknowledge: Acknowledge;
  clock: { now(): number };
}

/** To be called after the routes of rules, snoozes and channels, whose paths would else be taken for an id. */
export function addNotificationRoutes(api: Api, deps: NotificationRouteDeps): void {
  const { store, vehicles, rules, sight, snoozes, acknowledge, clock } = deps;
  const snoozedUntil: SnoozedUntil = (row) => snoozes.snoozedUntil(row);
  const shownTo = (viewer: Viewer) => (row: NotificationRow) =>
    presentNotification(row, viewer, sight, snoozedUntil(row));

  api.handle(notificationRoutes.list, async ({ query, viewer }) => {
    const seen = shownVehicles(vehicles, viewer, query.vehicle);
    if (query.shelved === 'true') narrowToSnoozed(seen);
    const { rows, next } = await readQueue(
      store,
      {
        limit: query.limit,
        ...beforeOf(query.cursor),
        ...seen,
        ...periodOf(query),
        ...(query.state === undefined ? {} : { state: query.state }),
        ...(query.severity === undefined ? {} : { severities: query.severity }),
      },
      (row) => query.shelved === undefined || (snoozedUntil(row) !== null) === (query.shelved === 'true'),
    );
    return {
      items: rows.map(shownTo(viewer)),
      next_cursor: next === null ? null : encodeCursor([next.ms, next.id]),
    };
  });

  /** While vehicles alone are snoozed, nothing of any other is shelved. */
  function narrowToSnoozed(seen: { vehicle_ids?: string[] }): void {
    const snoozed = snoozes.all();
    if (snoozed.some((it) => it.rule_id !== null)) return;
    const ids = new Set(snoozed.flatMap((it) => it.vehicle_id ?? []));
    seen.vehicle_ids = seen.vehicle_ids?.filter((id) => ids.has(id)) ?? [...ids];
  }

  /** All or none: one that the viewer does not see is answered as one that is not there. */
  async function seenRows(ids: readonly string[], viewer: Viewer): Promise<NotificationRow[]> {
    const rows = await store.notificationsById([...new Set(ids)]);
    const seen = rows.filter((row) => vehicles.sees(viewer, row.vehicle_id));
    const seenIds = new Set(seen.map((row) => row.notification_id));
    if (!ids.every((id) => seenIds.has(id))) throw notFound('notification');
    return seen;
  }

  async function seenRow(id: string, viewer: Viewer): Promise<NotificationRow> {
    const [row] = await seenRows([id], viewer);
    if (row === undefined) throw notFound('notification');
    return row;
  }

  async function acknowledgeSeen(
    ids: readonly string[],
    note: string | null,
    viewer: Viewer,
  ): Promise<NotificationRow[]> {
    await seenRows(ids, viewer);
    return acknowledge(ids, { user_id: viewer.user.user_id, at_ms: clock.now(), note });
  }

  api.handle(notificationRoutes.ack, async ({ params, body, viewer }) => {
    const [row] = await acknowledgeSeen([params.notification_id], body.note, viewer);
    // Purged together with its vehicle in the meantime.
    if (row === undefined) throw notFound('notification');
    return shownTo(viewer)(row);
  });

  api.handle(notificationRoutes.ackMany, async ({ body, viewer }) => {
    const rows = await acknowledgeSeen(body.notification_ids, body.note, viewer);
    return { notifications: rows.map(shownTo(viewer)) };
  });

  api.handle(notificationRoutes.get, async ({ params, viewer }) =>
    shownTo(viewer)(await seenRow(params.notification_id, viewer)),
  );

  api.handle(notificationRoutes.why, async ({ params, viewer }) =>
    presentWhy(await seenRow(params.notification_id, viewer), viewer, {
      store,
      rules,
      sight,
      snoozedUntil,
    }),
  );
}
