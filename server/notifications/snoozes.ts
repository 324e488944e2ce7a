import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import PQueue from 'p-queue';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { BulkResult } from '../contract/bulk.ts';
import {
  maxSnoozeS,
  type newSnooze,
  type notificationRoutes,
  type Snooze,
} from '../contract/notifications.ts';
import type { BodyOf } from '../contract/route.ts';
import { invalid, notFound } from '../http/apiError.ts';
import { bulkOf } from '../http/bulk.ts';
import { checkQuota } from '../http/quotas.ts';
import { isDealer, type Viewer } from '../http/viewer.ts';
import type { Act, Acts } from '../store/acts.ts';
import type { ActResults, Store } from '../store/operations.ts';
import type { SnoozeRow } from '../store/telemetry/rows.ts';
import { isoTime } from '../telemetry/presentPosition.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';
import type { SnoozedUntil } from './ruleEngine.ts';
import type { Rules } from './rules.ts';

export type NewSnooze = z.output<typeof newSnooze>;
type NewVehicleSnoozes = BodyOf<typeof notificationRoutes.snoozeVehicles>;
type SnoozeSpan = Pick<NewSnooze, 'until' | 'duration_s' | 'note'>;

/** What is snoozed: one of the two. */
export type Snoozed = Pick<SnoozeRow, 'vehicle_id' | 'rule_id'>;

/**
 * Vehicles and rules that are silenced until a time. A thing is snoozed once: a new snooze of it takes the
 * place of the one before. All who see a vehicle snooze it; a rule is snoozed by those who may change it.
 */
export interface Snoozes {
  /** A vehicle's snooze leaves its SOS alone; that of the SOS rule does not. */
  snoozedUntil: SnoozedUntil;
  /** Those in force. */
  all(): readonly SnoozeRow[];
  sees(viewer: Viewer, snooze: Snoozed): boolean;
  /** Throws 400 for an end that is past or too far away, 403 for a rule of somebody else, 404, 409 for too many. */
  add(input: NewSnooze, viewer: Viewer): Promise<SnoozeRow>;
  /** The same for many vehicles, in one act. Throws 400. */
  addToVehicles(input: NewVehicleSnoozes, viewer: Viewer): Promise<BulkResult>;
  /** Throws 403, 404. */
  remove(snoozeId: string, viewer: Viewer): Promise<void>;
  /** Ends what snoozes vehicles or a rule that are about to go, in the same act. */
  gone(isGone: (what: Snoozed) => boolean, act: Pick<Act, 'write'>): void;
  onChange(listener: SnoozesListener): () => void;
  close(): void;
}

/** Called after the commit, with those that begin, the numbers of the changes, and the notifications that move. */
type SnoozesListener = (begun: SnoozeRow[], written: ActResults['changeSnoozes']) => void;

export interface SnoozesDeps {
  store: Pick<Store, 'snoozes'>;
  acts: Pick<Acts, 'run' | 'follow'>;
  vehicles: Pick<Vehicles, 'get' | 'sees'>;
  rules: Pick<Rules, 'get' | 'sees' | 'findOwn'>;
  /** Who may know of it, as in the log of changes. */
  visibleTo: (snooze: Snoozed) => string[];
  clock: Clock;
  log: Logger;
}

/** The wall clock may be set while a snooze waits for its end. */
const maxSleepMs = 60_000;
/** A store that failed is not asked again at once. */
const storePauseMs = 10_000;

/** Takes up those that are stored; what ended while the host was away is removed. */
export async function loadSnoozes(deps: SnoozesDeps): Promise<Snoozes> {
  const { store, acts, vehicles, rules, clock, log } = deps;
  const listeners = new Set<SnoozesListener>();
  const rows = new Map((await store.snoozes()).map((row) => [row.snooze_id, row]));
  let stopTimer = (): void => undefined;
  let closed = false;

  const same = (what: Snoozed) => [...rows.values()].filter((row) => isSame(row, what));
  const isOver = (row: SnoozeRow) => row.until_ms <= clock.now();
  const all = () => [...rows.values()].filter((row) => !isOver(row));

  function isThere({ vehicle_id, rule_id }: Snoozed): boolean {
    if (vehicle_id !== null) return vehicles.get(vehicle_id)?.archived_at === null;
    return rule_id !== null && rules.get(rule_id) !== undefined;
  }

  function sees(viewer: Viewer, snooze: Snoozed): boolean {
    if (!isThere(snooze)) return false;
    if (snooze.vehicle_id !== null) return vehicles.sees(viewer, snooze.vehicle_id);
    const rule = snooze.rule_id === null ? undefined : rules.get(snooze.rule_id);
    return rule !== undefined && rules.sees(viewer, rule);
  }

  /** Throws 404 for what the viewer does not see, 403 for a rule that is not its own. */
  function checkMay(viewer: Viewer, snoozed: Snoozed): void {
    if (snoozed.rule_id !== null) rules.findOwn(snoozed.rule_id, viewer);
    else if (!sees(viewer, snoozed)) throw notFound('vehicle');
  }

  /**
   * Makes the rows of one call, which differ in what they are of. A new one of the same thing takes the place of the one
   * before. Throws 400 for the end; what it answers throws 409 for too many.
   */
  function newRows(viewer: Viewer, input: SnoozeSpan, now_ms: number): (snoozed: Snoozed) => SnoozeRow {
    const userId = viewer.user.user_id;
    const until_ms = endOf(input, now_ms);
    const known = new Map(all().map((row) => [row.vehicle_id ?? row.rule_id, row.created_by]));
    let there = known.size;
    let own = [...known.values()].filter((it) => it === userId).length;
    return (snoozed) => {
      const by = known.get(snoozed.vehicle_id ?? snoozed.rule_id);
      if (by === undefined) checkQuota('snoozes', there, 1);
      if (by !== userId && !isDealer(viewer)) checkQuota('snoozes_of_user', own, 1);
      if (by === undefined) there += 1;
      if (by !== userId) own += 1;
      return {
        ...snoozed,
        snooze_id: randomUUID(),
        until_ms,
        note: input.note,
        created_by: userId,
        created_ms: now_ms,
      };
    };
  }

  /** As part of an act. What the rows are worked out from is in no act: no two changes of them are staged together. */
  function change(act: Pick<Act, 'write'>, begun: SnoozeRow[], ended: readonly SnoozeRow[]): void {
    const gone = ended.map((row) => ({ ...row, visible_to: deps.visibleTo(row) }));
    act.write('changeSnoozes', { begun, ended: gone }, (written) => {
      for (const { snooze_id } of ended) rows.delete(snooze_id);
      for (const row of begun) rows.set(row.snooze_id, row);
      schedule();
      for (const listener of listeners) listener(begun, written);
    });
  }

  const turns = new PQueue({ concurrency: 1 });
  const inTurn = <R>(stage: (act: Act) => R): Promise<R> => {
    const asCaller = AsyncLocalStorage.snapshot();
    return turns.add(() => asCaller(() => acts.run(stage)));
  };

  function schedule(minMs = 0): void {
    stopTimer();
    if (closed || rows.size === 0) return;
    const next_ms = Math.min(...[...rows.values()].map((row) => row.until_ms));
    const pauseMs = Math.min(Math.max(next_ms - clock.now(), minMs), maxSleepMs);
    stopTimer = clock.after(pauseMs, sweep);
  }

  const over = () => [...rows.values()].filter((row) => isOver(row) || !isThere(row));

  function sweep(): void {
    if (over().length === 0) {
      schedule();
      return;
    }
    inTurn((act) => change(act, [], over())).catch((error: unknown) => {
      log.error({ err: error }, 'expired snoozes were not removed; retrying');
      schedule(storePauseMs);
    });
  }

  /** After a commit of which nobody knows what became of it. */
  function reload(): void {
    store.snoozes().then(
      (stored) => {
        rows.clear();
        for (const row of stored) rows.set(row.snooze_id, row);
        schedule();
      },
      (error: unknown) => log.error({ err: error }, 'snoozes were not read again'),
    );
  }

  acts.follow({ onCommitted: () => undefined, onReloaded: reload });
  sweep();
  return {
    all,
    sees,

    snoozedUntil({ vehicle_id, rule_id, event_kind }) {
      let until_ms: number | null = null;
      for (const row of rows.values()) {
        const isOfVehicle = vehicle_id !== null && row.vehicle_id === vehicle_id;
        const isMeant = row.rule_id === rule_id || (isOfVehicle && event_kind !== 'sos');
        if (isMeant && !isOver(row)) until_ms = Math.max(until_ms ?? 0, row.until_ms);
      }
      return until_ms;
    },

    add: (input, viewer) =>
      inTurn((act) => {
        const snoozed = { vehicle_id: input.vehicle_id ?? null, rule_id: input.rule_id ?? null };
        checkMay(viewer, snoozed);
        const row = newRows(viewer, input, act.now_ms)(snoozed);
        change(act, [row], same(row));
        return row;
      }),

    addToVehicles: (input, viewer) =>
      inTurn((act) => {
        const begun: SnoozeRow[] = [];
        const rowOf = newRows(viewer, input, act.now_ms);
        const result = bulkOf(input.vehicle_ids, (vehicle_id) => {
          const snoozed = { vehicle_id, rule_id: null };
          checkMay(viewer, snoozed);
          begun.push(rowOf(snoozed));
        });
        const ids = new Set(begun.map((row) => row.vehicle_id));
        const ended = [...rows.values()].filter((row) => row.vehicle_id !== null && ids.has(row.vehicle_id));
        if (begun.length > 0) change(act, begun, ended);
        return result;
      }),

    remove: (snoozeId, viewer) =>
      inTurn((act) => {
        const row = rows.get(snoozeId);
        if (row === undefined || isOver(row) || !sees(viewer, row)) throw notFound('snooze');
        checkMay(viewer, row);
        change(act, [], [row]);
      }),

    gone(isGone, act) {
      const ended = [...rows.values()].filter(isGone);
      if (ended.length > 0) change(act, [], ended);
    },

    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    close() {
      closed = true;
      stopTimer();
    },
  };
}

function isSame(a: Snoozed, b: Snoozed): boolean {
  return a.vehicle_id === b.vehicle_id && a.rule_id === b.rule_id;
}

/** The contract lets one of the two through, and no duration that is too long. */
function endOf({ until, duration_s = 0 }: SnoozeSpan, now: number): number {
  if (until === undefined) return now + Math.round(duration_s * 1_000);
  const until_ms = Date.parse(until);
  if (until_ms <= now) throw invalid('until', 'is past', 'past');
  if (until_ms > now + maxSnoozeS * 1_000) throw invalid('until', 'is more than 7 days ahead', 'too_far');
  return until_ms;
}

export function presentSnooze({ until_ms, created_ms, ...rest }: SnoozeRow): Snooze {
  return { ...rest, until: isoTime(until_ms), created_at: isoTime(created_ms) };
}
