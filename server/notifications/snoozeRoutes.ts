import { notificationRoutes } from '../contract/notifications.ts';
import type { Api } from '../http/api.ts';
import { paginate } from '../http/pagination.ts';
import { presentSnooze, type Snoozes } from './snoozes.ts';

export function addSnoozeRoutes(api: Api, snoozes: Snoozes): void {
  api.handle(notificationRoutes.snoozes, ({ query, viewer }) => {
    const seen = snoozes.all().filter((it) => snoozes.sees(viewer, it));
    // The next to end stands first.
    const { items, next_cursor } = paginate(seen.map(presentSnooze), (it) => [it.until, it.snooze_id], query);
    return { items, next_cursor };
  });

  api.handle(notificationRoutes.snooze, async ({ body, viewer }) =>
    presentSnooze(await snoozes.add(body, viewer)),
  );

  api.handle(notificationRoutes.unsnooze, ({ params, viewer }) => snoozes.remove(params.snooze_id, viewer));
}
