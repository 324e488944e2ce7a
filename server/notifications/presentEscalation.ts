import { causeOf, detailOf } from '../contract/causeTexts.ts';
import type { EscalationHistory, NotificationEscalation } from '../contract/escalation.ts';
import { isDealer, knows, type Viewer } from '../http/viewer.ts';
import type { NotificationRow } from '../store/telemetry/rows.ts';
import type { Store } from '../store/operations.ts';
import { isoTime } from '../telemetry/presentPosition.ts';
import type { UserRecord } from '../users/userRecord.ts';
import type { Escalations } from './escalations.ts';
import { dueAt, mayLearn, readSteps, stepOutcome, type People } from './escalationSteps.ts';

const tooMany = causeOf('escalation.too_many');

export interface EscalationViewDeps {
  escalations: Pick<Escalations, 'get'>;
  store: Pick<Store, 'escalationOf'>;
  userOf: (userId: string) => UserRecord | undefined;
  seesVehicle: People['seesVehicle'];
}

export type EscalationViews = ReturnType<typeof createEscalationViews>;

/**
 * How escalations are read. A login is for dealers alone; whoever sees a notification may know who is notified, but
 * nothing of those whom its steps name and who see it not.
 */
export function createEscalationViews({ escalations, store, userOf, seesVehicle }: EscalationViewDeps) {
  function personFor(viewer: Viewer | null, vehicleId: string | null) {
    return (user_id: string) => {
      const user = userOf(user_id);
      const showsLogin = viewer === null || isDealer(viewer) || viewer.user.user_id === user_id;
      const isKnown =
        user !== undefined &&
        (viewer === null || knows(viewer, user) || mayLearn(user, vehicleId, seesVehicle));
      return { user_id, name: isKnown ? (user.name ?? (showsLogin ? user.login : null)) : null };
    };
  }

  return {
    /** What comes next for a notification; null where nothing does. @param viewer null: as dealers read it */
    of(
      { notification_id, state }: Pick<NotificationRow, 'notification_id' | 'state'>,
      viewer: Viewer | null,
    ): NotificationEscalation | null {
      const entry = state === 'open' ? escalations.get(notification_id) : undefined;
      if (entry === undefined) return null;
      const { vehicle_id, steps, next_step, base_ms, status, last } = entry;
      const next = steps[next_step];
      return {
        steps: steps.length,
        step: last === null ? null : last.step + 1,
        escalated_at: last === null ? null : isoTime(last.at_ms),
        to_me: last !== null && viewer !== null && (last.everybody || last.console.has(viewer.user.user_id)),
        next_at: status === 'running' ? isoTime(dueAt(steps, next_step, base_ms)) : null,
        next:
          next === undefined
            ? null
            : {
                step: next_step + 1,
                channels: next.channels,
                on_duty: next.on_duty,
                people: next.user_ids.map(personFor(viewer, vehicle_id)),
                addresses: next.channels.includes('email') ? next.email_to.length : 0,
              },
      };
    },

    /** What was done; null where its rule had no escalation. */
    async historyOf(notificationId: string, viewer: Viewer): Promise<EscalationHistory | null> {
      const stored = await store.escalationOf(notificationId);
      if (stored === null) return null;
      const { row, steps } = stored;
      const people = (ids: readonly string[]) => ids.map(personFor(viewer, row.vehicle_id));
      return {
        steps: readSteps(row.steps)?.length ?? 0,
        ...(row.status === 'refused'
          ? { refused: detailOf([tooMany]), refused_causes: [tooMany] }
          : { refused: null }),
        done: steps.flatMap(({ step, at_ms, outcome }) => {
          const read = stepOutcome.safeParse(JSON.parse(outcome)).data;
          if (read === undefined) return [];
          return {
            step: step + 1,
            at: isoTime(at_ms),
            missed: read.missed.map((it) => it + 1),
            nobody_on_duty: read.nobody_on_duty,
            everybody: read.everybody,
            console: people(read.console),
            email: people(read.email),
            no_address: people(read.no_address),
            no_access: people(read.no_access),
            not_mailed: read.not_mailed,
          };
        }),
      };
    },
  };
}
