import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Escalation, EscalationStep } from '../contract/escalation.ts';
import type { Rule } from '../contract/rules.ts';
import { createDeadlineTimers } from '../deadlineTimers.ts';
import type { EscalationMove } from '../store/telemetry/escalationsTable.ts';
import type {
  DeliveryRow,
  EscalationRow,
  EscalationStepRow,
  NotificationRow,
  Written,
} from '../store/telemetry/rows.ts';
import type { Store } from '../store/operations.ts';
import {
  baseAfterSnooze,
  deliveriesOfStep,
  dueAt,
  newestDue,
  reachOf,
  readSteps,
  stepOutcome,
  type People,
  type StepOutcome,
} from './escalationSteps.ts';
import type { SnoozedUntil } from './ruleEngine.ts';

export interface EscalationsDeps extends People {
  store: Pick<Store, 'openEscalations' | 'notificationsById' | 'moveEscalations' | 'deliveriesOf'>;
  /** Runs a change while no notification is stored or acknowledged. */
  between: <T>(change: () => Promise<T>) => Promise<T>;
  snoozedUntil: SnoozedUntil;
  /** The steps of rules that use those of the depot; null: there are none. */
  depotSteps: () => readonly EscalationStep[] | null;
  deliver: (rows: DeliveryRow[]) => void;
  /** Called after the commit, with the notifications whose escalation went on. */
  onMoved: (rows: NotificationRow[], written: Written) => void;
  clock: Clock;
  log: Logger;
}

/** An escalation of an open notification. */
export interface Running extends Omit<EscalationRow, 'steps'> {
  steps: readonly EscalationStep[];
  /** The step that was carried out last; null: none yet. */
  last: { step: number; at_ms: number; everybody: boolean; console: ReadonlySet<string> } | null;
}

/** More than these run only when something floods the depot; the newest do not escalate, and say so. */
export const maxRunning = { ofRule: 500, ofUser: 1_000, ofAll: 5_000 };
/** After their last step they are remembered for those consoles that come later. */
const maxDone = 1_000;
/** All steps, and those of a user's rules, begin so many deliveries a minute, and one step more; others wait for the next. */
const maxDeliveriesPerMinute = { ofUser: 150, ofAll: 600 };
const minuteMs = 60_000;
/** So many are read and decided on in one turn, between which others store and acknowledge. */
const decidedPerTurn = 100;
/** A store that failed is not asked again at once. */
const storePauseMs = 10_000;

export type Escalations = ReturnType<typeof createEscalations>;

/**
 * What follows while nobody acknowledges a notification. Each step is decided in the turn of the pipeline and stored,
 * with what it sends, in one transaction that only an open notification lets through; so it is carried out once, and
 * an acknowledgement that is stored before it stops it. Minutes count by the time that the machine has run or slept,
 * whatever becomes of its wall clock.
 */
export function createEscalations(deps: EscalationsDeps) {
  const { store, clock, log } = deps;
  const entries = new Map<string, Running>();
  /** Those whose last step is past, oldest first. */
  const done = new Set<string>();
  /** Rules fire often with the same steps. */
  const known = new Map<string, EscalationStep[] | null>();
  let offset_ms = clock.now() - clock.uptime();
  const steady = { ...clock, now: () => clock.uptime() + offset_ms };
  const timers = createDeadlineTimers(steady, (due) => void run(due));
  let minute = { from_ms: -Infinity, deliveries: 0, ofUsers: new Map<string, number>() };
  let closed = false;

  function stepsOf(text: string): EscalationStep[] | null {
    if (!known.has(text)) {
      if (known.size >= maxRunning.ofAll) known.clear();
      known.set(text, readSteps(text));
    }
    return known.get(text) ?? null;
  }

  /** The steps that a rule has at this moment; null: none. */
  const stepsNow = (escalation: Escalation | null): readonly EscalationStep[] | null =>
    escalation === null ? null : 'depot' in escalation ? deps.depotSteps() : escalation.steps;

  function arm({ notification_id, status, steps, next_step, base_ms }: Running): void {
    timers.set(notification_id, status === 'running' ? dueAt(steps, next_step, base_ms) : null);
  }

  function forget(id: string): void {
    entries.delete(id);
    done.delete(id);
    timers.set(id, null);
  }

  function put(row: EscalationRow, last: EscalationStepRow | null): void {
    const steps = stepsOf(row.steps);
    if (steps === null) {
      log.error({ notification_id: row.notification_id }, 'an escalation cannot be read and does not go on');
      return;
    }
    const outcome = last === null ? null : stepOutcome.safeParse(JSON.parse(last.outcome)).data;
    // Nothing was opened in the future: the clock was set back while the host did not run.
    const base_ms = Math.min(row.base_ms, steady.now());
    keep({ ...row, steps, base_ms, last: last === null || outcome == null ? null : lastOf(last, outcome) });
  }

  function keep(entry: Running): void {
    entries.set(entry.notification_id, entry);
    arm(entry);
    if (entry.status !== 'done') return;
    done.add(entry.notification_id);
    for (const id of done) {
      if (done.size <= maxDone) break;
      forget(id);
    }
  }

  async function load(): Promise<void> {
    const rows = await store.openEscalations();
    for (const id of [...entries.keys()]) forget(id);
    for (const { row, last } of rows) put(row, last);
  }

  async function run(due: readonly string[]): Promise<void> {
    for (let at = 0; at < due.length && !closed; at += decidedPerTurn) {
      const some = due.slice(at, at + decidedPerTurn);
      await inTurn(some, () => some.flatMap((id) => entries.get(id) ?? []));
    }
  }

  /** Decides on escalations in the turn of the pipeline; what is not stored is decided on again. */
  async function inTurn(ids: readonly string[], found: () => readonly Running[]): Promise<void> {
    let moves: Decided[] = [];
    try {
      await deps.between(async () => {
        const here = found();
        if (here.length === 0 || closed) return;
        const rows = await store.notificationsById(here.map((it) => it.notification_id));
        const byId = new Map(rows.map((row) => [row.notification_id, row]));
        moves = here.flatMap((entry) => decide(entry, byId.get(entry.notification_id)) ?? []);
        await carryOut(moves, byId);
      });
    } catch (error) {
      log.error({ err: error, escalations: ids.length }, 'steps of escalations were not stored; retrying');
      clock.after(storePauseMs, () => void recover(moves));
    }
  }

  /** After a commit of which nobody knows what became of it, only the store knows. */
  async function recover(moves: readonly Decided[]): Promise<void> {
    if (closed) return;
    try {
      await deps.between(load);
      for (const { move } of moves) {
        const meant = new Set(move.deliveries.map((it) => it.delivery_id));
        const stored = await store.deliveriesOf(move.notification_id);
        deps.deliver(stored.filter((it) => meant.has(it.delivery_id) && it.status === 'waiting'));
      }
    } catch (error) {
      log.error({ err: error }, 'escalations were not read again; retrying');
      clock.after(storePauseMs, () => void recover(moves));
    }
  }

  async function carryOut(
    moves: readonly Decided[],
    rows: ReadonlyMap<string, NotificationRow>,
  ): Promise<void> {
    if (moves.length === 0) return;
    const { moved, changes } = await store.moveEscalations(moves.map((it) => it.move));
    const held = new Set(moved);
    for (const { entry, move } of moves) {
      if (held.has(move.notification_id)) keep(entry);
      else forget(move.notification_id);
    }
    deps.deliver(moves.flatMap(({ move }) => (held.has(move.notification_id) ? move.deliveries : [])));
    deps.onMoved(
      moved.flatMap((id) => rows.get(id) ?? []),
      { changes },
    );
  }

  function decide(entry: Running, row: NotificationRow | undefined): Decided | null {
    if (row === undefined || row.state !== 'open') {
      forget(entry.notification_id);
      return null;
    }
    const now_ms = steady.now();
    const isSnoozed = deps.snoozedUntil(row) !== null;
    if (isSnoozed) return entry.status === 'running' ? moveTo(entry, { status: 'paused' }) : null;
    if (entry.status === 'paused') {
      const base_ms = baseAfterSnooze(entry.steps, entry.next_step, now_ms);
      return moveTo(entry, { status: 'running', base_ms });
    }
    const due = entry.status === 'running' ? newestDue(entry.steps, entry, now_ms) : null;
    if (due === null) {
      arm(entry);
      return null;
    }
    const reach = reachOf(due, entry, deps);
    const deliveries = deliveriesOfStep(row, due.at, reach, clock.now());
    if (!isInBudget(entry.owner_id, deliveries.length, now_ms)) {
      timers.set(entry.notification_id, minute.from_ms + minuteMs);
      return null;
    }
    const next_step = due.at + 1;
    const step = { notification_id: row.notification_id, step: due.at, at_ms: now_ms };
    return moveTo(
      { ...entry, last: lastOf(step, reach.outcome) },
      { next_step, status: next_step < entry.steps.length ? 'running' : 'done' },
      { done: { ...step, outcome: JSON.stringify(reach.outcome) }, deliveries, from_step: entry.next_step },
    );
  }

  function isInBudget(ownerId: string | null, deliveries: number, now_ms: number): boolean {
    if (deliveries === 0) return true;
    if (now_ms - minute.from_ms >= minuteMs) minute = { from_ms: now_ms, deliveries: 0, ofUsers: new Map() };
    const own = ownerId === null ? 0 : (minute.ofUsers.get(ownerId) ?? 0);
    const { ofUser, ofAll } = maxDeliveriesPerMinute;
    if (minute.deliveries >= ofAll || own >= ofUser) return false;
    minute.deliveries += deliveries;
    if (ownerId !== null) minute.ofUsers.set(ownerId, own + deliveries);
    return true;
  }

  /** Those that a snooze has begun to hold, or holds no more. */
  function reviewSnoozes(): void {
    const changed = [...entries.values()].filter((it) =>
      it.status === 'paused'
        ? deps.snoozedUntil(it) === null
        : it.status === 'running' && deps.snoozedUntil(it) !== null,
    );
    if (changed.length > 0) void run(changed.map((it) => it.notification_id));
  }

  /** Counts what runs, of all, of a rule and of a user's rules. */
  function countRunning(): { add: (row: Pick<EscalationRow, 'rule_id' | 'owner_id'>) => boolean } {
    const counts = new Map<string, number>();
    const keysOf = ({
      rule_id,
      owner_id,
    }: Pick<EscalationRow, 'rule_id' | 'owner_id'>): [string, number][] => [
      ['all', maxRunning.ofAll],
      [`rule ${rule_id}`, maxRunning.ofRule],
      ...(owner_id === null ? [] : [[`user ${owner_id}`, maxRunning.ofUser] as [string, number]]),
    ];
    const add = (row: Pick<EscalationRow, 'rule_id' | 'owner_id'>) => {
      const keys = keysOf(row);
      if (keys.some(([key, most]) => (counts.get(key) ?? 0) >= most)) return false;
      for (const [key] of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
      return true;
    };
    for (const it of entries.values()) if (it.status !== 'done') add(it);
    return { add };
  }

  return {
    /** Of notifications that are being opened, what is to be stored with them. */
    plan(fired: readonly { row: NotificationRow; rule: Rule }[]): EscalationRow[] {
      const meant = fired.flatMap(({ row, rule }) => {
        const steps = stepsNow(rule.escalation);
        return steps === null ? [] : [{ row, rule, steps }];
      });
      if (meant.length === 0) return [];
      // While nothing runs no stored time depends on it: small corrections of the clock do not add up.
      if (entries.size === 0) offset_ms = clock.now() - clock.uptime();
      const counted = countRunning();
      const planned = meant.map(({ row, rule, steps }): EscalationRow => {
        const of = { rule_id: row.rule_id, owner_id: rule.owner_id };
        return {
          ...of,
          notification_id: row.notification_id,
          vehicle_id: row.vehicle_id,
          event_kind: row.event_kind,
          steps: JSON.stringify(steps),
          base_ms: steady.now(),
          next_step: 0,
          status: counted.add(of) ? (deps.snoozedUntil(row) === null ? 'running' : 'paused') : 'refused',
        };
      });
      const refused = planned.filter((it) => it.status === 'refused').length;
      if (refused > 0)
        log.warn({ refused, ...maxRunning }, 'too many escalations run; notifications do not escalate');
      return planned;
    },

    /** Takes over rows that were just stored. */
    adopt(rows: readonly EscalationRow[]): void {
      for (const row of rows) if (row.status !== 'refused') put(row, null);
    },

    /** Reads those of open notifications, at the start and whenever notifications were deleted. */
    load: () => deps.between(load),
    /** The same in the turn of a change that nothing is stored beside. */
    reload: load,

    reviewSnoozes,

    /** Somebody has acknowledged these. */
    ended(rows: readonly Pick<NotificationRow, 'notification_id'>[]): void {
      for (const { notification_id } of rows) forget(notification_id);
    },

    /** Lets go of those of a vehicle whose data is about to be deleted. */
    forgetVehicle(vehicleId: string): void {
      for (const it of entries.values()) if (it.vehicle_id === vehicleId) forget(it.notification_id);
    },

    /** The wall clock was set: what is due moves with it. */
    async clockSet(jump_ms: number): Promise<void> {
      offset_ms += jump_ms;
      for (const it of entries.values()) keep({ ...it, base_ms: it.base_ms + jump_ms });
      const moves = () =>
        [...entries.values()]
          .filter((it) => it.status === 'running' || it.status === 'paused')
          .map((it) => moveTo(it, {}));
      await deps
        .between(async () => {
          const moved = moves();
          const rows = await store.notificationsById(moved.map((it) => it.move.notification_id));
          await carryOut(moved, new Map(rows.map((row) => [row.notification_id, row])));
        })
        .catch((error: unknown) => log.error({ err: error }, 'escalations were not moved with the clock'));
    },

    get: (notificationId: string): Running | undefined => entries.get(notificationId),

    close(): void {
      closed = true;
      timers.close();
    },
  };
}

/** A move, and the escalation as it is after it. */
interface Decided {
  entry: Running;
  move: EscalationMove;
}

function moveTo(
  entry: Running,
  to: Partial<EscalationMove['to']>,
  what: Partial<Pick<EscalationMove, 'done' | 'deliveries' | 'from_step'>> = {},
): Decided {
  const next = { ...entry, ...to };
  const { notification_id, base_ms, next_step, status } = next;
  return {
    entry: next,
    move: {
      notification_id,
      from_step: entry.next_step,
      to: { base_ms, next_step, status },
      done: null,
      deliveries: [],
      ...what,
    },
  };
}

function lastOf(
  { step, at_ms }: Pick<EscalationStepRow, 'step' | 'at_ms'>,
  { everybody, console }: StepOutcome,
) {
  return { step, at_ms, everybody, console: new Set(console) };
}
