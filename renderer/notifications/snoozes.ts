import { notificationRoutes, type Snooze } from '../../server/contract/notifications.ts';
import type { BodyFor } from '../../server/contract/route.ts';
import type { Api } from '../api/client.ts';
import { isProblem } from '../api/errors.ts';
import { createResourceStore, type ResourceStore } from '../resources/resourceStore.ts';

export type NewSnooze = BodyFor<typeof notificationRoutes.snooze>;

/** A snooze never changes: it begins, and it is deleted or over. */
export function createSnoozeStore(): ResourceStore<Snooze> {
  return createResourceStore<Snooze>({ idOf: (it) => it.snooze_id, isOlder: () => false });
}

/** A change shows at once; the stream brings it to the others, and to this console once more. */
export function createSnoozeActions(api: Api, snoozes: Pick<ResourceStore<Snooze>, 'put' | 'remove'>) {
  return {
    /** Throws ApiProblem (`not_found`, `forbidden` where the rule is another's) and Unreachable. */
    async snooze(filter: NewSnooze): Promise<void> {
      snoozes.put([await api.request(notificationRoutes.snooze, { body: filter })]);
    },
    /** One that is over already is no fault. Throws ApiProblem and Unreachable. */
    async end(snooze_id: string): Promise<void> {
      try {
        await api.request(notificationRoutes.unsnooze, { params: { snooze_id } });
      } catch (error) {
        if (!isProblem(error, 'not_found')) throw error;
      }
      snoozes.remove([snooze_id]);
    },
  };
}

export type SnoozeActions = ReturnType<typeof createSnoozeActions>;
