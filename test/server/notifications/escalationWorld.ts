import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import type { EscalationStep } from '../../../server/contract/escalation.ts';
import { newRule, type Rule } from '../../../server/contract/rules.ts';
import { createEscalations, type EscalationsDeps } from '../../../server/notifications/escalations.ts';
import { emptyBatch, type DeliveryRow, type NotificationRow } from '../../../server/store/telemetry/rows.ts';
import type { Store } from '../../../server/store/operations.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { depotUsers } from './depot.ts';
import { notificationRow } from './rows.ts';

export const minute = 60_000;

export function stepOf(more: Partial<EscalationStep> = {}): EscalationStep {
  return {
    after_min: 1,
    channels: ['desktop', 'email'],
    on_duty: false,
    user_ids: [],
    email_to: [],
    webhook_url: null,
    ...more,
  };
}

/** A wall clock that can be set, beside timers that go on evenly. */
export function createSetClock() {
  const hand = createFakeClock();
  let set_ms = 0;
  return {
    ...hand,
    now: () => hand.now() + set_ms,
    set: (by_ms: number) => void (set_ms += by_ms),
  };
}

/** Escalations over a store, with people of whom `nora` and `dora` see the vehicle `north`, and `saul` does not. */
export function createWorld(store: Store, clock = createSetClock(), deps: Partial<EscalationsDeps> = {}) {
  const users = depotUsers();
  const of = Object.values(users);
  const duty: string[] = [];
  const delivered: DeliveryRow[] = [];
  const moved: string[] = [];
  let snoozedUntil_ms: number | null = null;
  let tail: Promise<unknown> = Promise.resolve();
  const between = <T>(change: () => Promise<T>): Promise<T> => {
    const result = tail.then(change);
    tail = result.catch(() => undefined);
    return result;
  };
  const escalations = createEscalations({
    store,
    between,
    snoozedUntil: () => snoozedUntil_ms,
    depotSteps: () => null,
    users: () => of,
    userOf: (id) => of.find((it) => it.user_id === id),
    onDuty: () => duty,
    seesVehicle: ({ user }, vehicleId) =>
      user.role === 'dealer' || (vehicleId === 'north' && user.login !== 'saul'),
    deliver: (rows) => void delivered.push(...rows),
    onMoved: (rows) => void moved.push(...rows.map((it) => it.notification_id)),
    clock,
    log: pino({ level: 'silent' }),
    ...deps,
  });

  const rule = (steps: EscalationStep[]): Rule => ({
    ...newRule.parse({ name: 'SOS', event_kind: 'sos', scope: { all: true }, escalation: { steps } }),
    video: null,
    rule_id: randomUUID(),
    disabled_reason: null,
    owner_id: null,
    version: 1,
    created_at: '',
    updated_at: '',
  });

  return {
    ...{ users, duty, delivered, moved, escalations, between, clock, rule },
    /** Opens a notification of a rule, as the pipeline does. */
    open: async (of: Rule, more: Partial<NotificationRow> = {}): Promise<string> => {
      const row = notificationRow({ rule_id: of.rule_id, vehicle_id: 'north', ...more });
      const planned = escalations.plan([{ row, rule: of }]);
      await store.commit({ ...emptyBatch(), notifications: [row], escalations: planned });
      escalations.adopt(planned);
      return row.notification_id;
    },
    acknowledge: (ids: readonly string[]) =>
      between(async () => {
        const rows = await store.notificationsById([...ids]);
        const ack = { user_id: users.nora.user_id, at_ms: clock.now(), note: null };
        await store.saveNotifications(rows.map((it) => ({ ...it, state: 'acknowledged', ack })));
      }),
    snooze: (until_ms: number | null): void => {
      snoozedUntil_ms = until_ms;
      escalations.reviewSnoozes();
    },
    /** Once nothing is being decided any more. */
    settled: async (): Promise<void> => {
      for (let seen: unknown = null; seen !== tail;) {
        seen = tail;
        await tail;
        await nextTurn();
      }
    },
    /** The steps that were carried out of a notification, from 0. */
    doneSteps: async (id: string): Promise<number[]> =>
      (await store.escalationOf(id))?.steps.map((it) => it.step) ?? [],
  };
}
