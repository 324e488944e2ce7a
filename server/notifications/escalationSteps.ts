import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { escalationSteps, type EscalationStep } from '../contract/escalation.ts';
import { presentUser, type UserRecord } from '../users/userRecord.ts';
import { holds, type Viewer } from '../http/viewer.ts';
import type { DeliveryRow, EscalationRow, NotificationRow } from '../store/telemetry/rows.ts';
import type { Target } from './ruleChannels.ts';

/** What a step has done, as the store keeps it. Users by their ids. */
export const stepOutcome = z.object({
  /** Steps that were due as well, from 0. */
  missed: z.array(z.int()),
  nobody_on_duty: z.boolean(),
  /** The consoles of all who see the vehicle. */
  everybody: z.boolean(),
  console: z.array(z.string()),
  email: z.array(z.string()),
  no_address: z.array(z.string()),
  no_access: z.array(z.string()),
  not_mailed: z.int(),
});
export type StepOutcome = z.infer<typeof stepOutcome>;

/** When a step is due. */
export const dueAt = (steps: readonly EscalationStep[], step: number, base_ms: number): number =>
  base_ms + (steps[step]?.after_min ?? 0) * 60_000;

/**
 * From when minutes count so that the next step is due as long after `now_ms` as it comes after the step before it:
 * what has waited before a snooze counts no more.
 */
export function baseAfterSnooze(steps: readonly EscalationStep[], next_step: number, now_ms: number): number {
  const before_min = next_step === 0 ? 0 : (steps[next_step - 1]?.after_min ?? 0);
  return now_ms - before_min * 60_000;
}

/** The newest step that is due, and those before it that were not carried out in time; null: none is due. */
export function newestDue(
  steps: readonly EscalationStep[],
  { next_step, base_ms }: Pick<EscalationRow, 'next_step' | 'base_ms'>,
  now_ms: number,
): { at: number; step: EscalationStep; missed: number[] } | null {
  const at = steps.findLastIndex((_, place) => place >= next_step && dueAt(steps, place, base_ms) <= now_ms);
  const step = steps[at];
  if (step === undefined) return null;
  return { at, step, missed: Array.from({ length: at - next_step }, (_, place) => next_step + place) };
}

/** As the store keeps them; null for a form that is no longer known. */
export function readSteps(text: string): EscalationStep[] | null {
  const parsed = escalationSteps.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : null;
}

export interface People {
  users: () => readonly UserRecord[];
  userOf: (userId: string) => UserRecord | undefined;
  /** The user_ids of those on duty. */
  onDuty: () => readonly string[];
  seesVehicle: (viewer: Viewer, vehicleId: string | null) => boolean;
}

/** A user as one who reads by its own rights alone. */
export function viewerOf(record: UserRecord): Viewer {
  return { user: presentUser(record), session_id: '', expires_ms: 0 };
}

/** Whether a user may be notified of what happened to a vehicle. */
export function mayLearn(
  user: UserRecord,
  vehicleId: string | null,
  seesVehicle: People['seesVehicle'],
): boolean {
  if (user.blocked) return false;
  const viewer = viewerOf(user);
  return holds(viewer, 'notifications', 'read') && seesVehicle(viewer, vehicleId);
}

/** One step sends no more mail than this to users; consoles cost nothing. */
const maxMailed = 200;

/** Whom a step reaches, and where: those who see the vehicle, by the rights of this moment. */
export function reachOf(
  { step, missed }: { step: EscalationStep; missed: readonly number[] },
  { vehicle_id, owner_id }: Pick<EscalationRow, 'vehicle_id' | 'owner_id'>,
  people: People,
): { outcome: StepOutcome; mail: { target: string; user_id: string }[]; places: Target[] } {
  const owner = owner_id === null ? null : people.userOf(owner_id);
  // The rights of its owner bound a user's rule.
  const isHeld = owner === null || (owner !== undefined && mayLearn(owner, vehicle_id, people.seesVehicle));
  const may = (user: UserRecord | undefined): user is UserRecord =>
    isHeld && user !== undefined && mayLearn(user, vehicle_id, people.seesVehicle);

  const onDuty = step.on_duty
    ? people
        .onDuty()
        .map((id) => people.userOf(id))
        .filter(may)
    : [];
  const nobodyOnDuty = step.on_duty && onDuty.length === 0;
  const called = nobodyOnDuty ? people.users().filter(may) : onDuty;
  const named = step.user_ids.map((id) => people.userOf(id)).filter((it) => it !== undefined);
  const reached = [...new Map([...called, ...named.filter(may)].map((it) => [it.user_id, it])).values()];

  const mailed = step.channels.includes('email') ? reached : [];
  const withAddress = mailed.flatMap(({ user_id, email }) =>
    email === null ? [] : [{ target: email, user_id }],
  );
  const ids = (users: readonly { user_id: string }[]) => users.slice(0, maxMailed).map((it) => it.user_id);
  const byConsole = step.channels.includes('desktop');
  const mail = withAddress.slice(0, maxMailed);
  const taken = new Set(mail.map((it) => it.target.toLowerCase()));
  return {
    mail,
    places: [
      ...(step.channels.includes('email') ? step.email_to : [])
        .filter((it) => !taken.has(it.toLowerCase()))
        .map((target) => ({ channel: 'email' as const, target })),
      ...(step.channels.includes('webhook') && step.webhook_url !== null
        ? [{ channel: 'webhook' as const, target: step.webhook_url }]
        : []),
    ],
    outcome: {
      missed: [...missed],
      nobody_on_duty: nobodyOnDuty,
      everybody: nobodyOnDuty && byConsole,
      console: byConsole && !nobodyOnDuty ? reached.map((it) => it.user_id) : [],
      email: ids(mail),
      no_address: ids(mailed.filter((it) => it.email === null)),
      no_access: ids(named.filter((it) => !may(it))),
      not_mailed: withAddress.length - mail.length,
    },
  };
}

/** What leaves the console in a step. */
export function deliveriesOfStep(
  row: NotificationRow,
  step: number,
  { mail, places }: Pick<ReturnType<typeof reachOf>, 'mail' | 'places'>,
  now_ms: number,
): DeliveryRow[] {
  const one = (target: Target, user_id: string | null): DeliveryRow => ({
    delivery_id: randomUUID(),
    notification_id: row.notification_id,
    rule_id: row.rule_id,
    vehicle_id: row.vehicle_id,
    ...target,
    status: 'waiting',
    attempts: 0,
    next_attempt_ms: now_ms,
    last_error: null,
    created_ms: now_ms,
    sent_ms: null,
    step,
    user_id,
  });
  return [
    ...mail.map(({ target, user_id }) => one({ channel: 'email', target }, user_id)),
    ...places.map((target) => one(target, null)),
  ];
}
