import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Clock } from '../clock.ts';
import { maxSnoozeS, type newSnooze, type Snooze } from '../contract/notifications.ts';
import { invalid, notFound } from '../http/apiError.ts';
import { checkQuota } from '../http/quotas.ts';
import { isDealer, type Viewer } from '../http/viewer.ts';
import type { Act } from '../store/acts.ts';
import type { SnoozeRow, Written } from '../store/telemetry/rows.ts';
import type { Store } from '../store/operations.ts';
import { isoTime } from '../telemetry/presentPosition.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';
import type { SnoozedUntil } from './ruleEngine.ts';
import type { Rules } from './rules.ts';

export type NewSnooze = z.output<typeof newSnooze>;

/** `before` null: it has begun; `after` null: it is over. */
export type SnoozeChange = { before: null; after: SnoozeRow } | { before: SnoozeRow; after: null };

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
  /** Throws 403, 404. */
  remove(snoozeId: string, viewer: Viewer): Promise<void>;
  /** Ends what snoozes a vehicle or a rule that is about to go, in the same act. */
  gone(what: Snoozed, act: Pick<Act, 'write'>): void;
  /** Called when the store holds the changes; `written` numbers them in their order. Returns its undo. */
  onChange(listener: (changes: readonly SnoozeChange[], written: Written) => void): () => void;
  close(): void;
}

export interface SnoozesDeps {
  store: Pick<Store, 'snoozes' | 'saveSnoozes' | 'deleteSnoozes'>;
  vehicles: Pick<Vehicles, 'get' | 'sees'>;
  rules: Pick<Rules, 'get' | 'sees' | 'findOwn'>;
  /** Who may know of it, as in the log of changes. */
  seenBy: (snooze: Snoozed) => string[];
  clock: Clock;
  log: Logger;
}

/** The wall clock may be set while a snooze waits for its end. */
const maxSleepMs = 60_000;
/** A store that failed is not asked again at once. */
const storePauseMs = 10_000;

/** Takes up those that are stored; what ended while the host was away is removed. */
export async function loadSnoozes(deps: SnoozesDeps): Promise<Snoozes> {
  const { store, vehicles, rules, clock, log } = deps;
  const rows = new Map((await store.snoozes()).map((row) => [row.snooze_id, row]));
  const listeners = new Set<(changes: readonly SnoozeChange[], written: Written) => void>();
  /** Being stored. */
  const underWay = new Set<SnoozeRow>();
  let stopTimer = (): void => undefined;
  let closed = false;

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

  function announce(changes: readonly SnoozeChange[], written: Written): void {
    for (const listener of listeners) {
      try {
        listener(changes, written);
      } catch (error) {
        log.error({ err: error }, 'snooze was stored but not published');
      }
    }
  }

  const goneRow = (row: SnoozeRow) => ({ snooze_id: row.snooze_id, seen_by: deps.seenBy(row) });

  async function drop(ended: readonly SnoozeRow[]): Promise<void> {
    // Two may end the same one at a time.
    const current = ended.filter((row) => rows.delete(row.snooze_id));
    if (current.length === 0) return;
    try {
      const written = await store.deleteSnoozes(current.map(goneRow));
      announce(
        current.map((before) => ({ before, after: null })),
        written,
      );
    } catch (error) {
      for (const row of current) rows.set(row.snooze_id, row);
      throw error;
    } finally {
      schedule();
    }
  }

  function schedule(minMs = 0): void {
    stopTimer();
    if (closed || rows.size === 0) return;
    const next_ms = Math.min(...[...rows.values()].map((row) => row.until_ms));
    const pauseMs = Math.min(Math.max(next_ms - clock.now(), minMs), maxSleepMs);
    stopTimer = clock.after(pauseMs, sweep);
  }

  function sweep(): void {
    const ended = [...rows.values()].filter((row) => isOver(row) || !isThere(row));
    if (ended.length === 0) {
      schedule();
      return;
    }
    drop(ended).catch((error: unknown) => {
      log.error({ err: error }, 'expired snoozes were not removed; retrying');
      schedule(storePauseMs);
    });
  }

  sweep();
  return {
    all,
    sees,

    snoozedUntil({ vehicle_id, rule_id, event_kind }) {
      let until_ms: number | null = null;
      for (const row of rows.values()) {
        const isMeant = row.rule_id === rule_id || (row.vehicle_id === vehicle_id && event_kind !== 'sos');
        if (isMeant && !isOver(row)) until_ms = Math.max(until_ms ?? 0, row.until_ms);
      }
      return until_ms;
    },

    async add(input, viewer) {
      const snoozed = { vehicle_id: input.vehicle_id ?? null, rule_id: input.rule_id ?? null };
      checkMay(viewer, snoozed);
      const now = clock.now();
      // A new one of the same thing takes the place of the one before; those on their way to the store count, too.
      const others = [...all(), ...underWay].filter((it) => !isSame(it, snoozed));
      checkQuota('snoozes', others.length, 1);
      const userId = viewer.user.user_id;
      if (!isDealer(viewer))
        checkQuota('snoozes_of_user', others.filter((it) => it.created_by === userId).length, 1);
      const row: SnoozeRow = {
        ...snoozed,
        snooze_id: randomUUID(),
        until_ms: endOf(input, now),
        note: input.note,
        created_by: userId,
        created_ms: now,
      };
      underWay.add(row);
      const written = await store.saveSnoozes([row]).finally(() => underWay.delete(row));
      const former = [...rows.values()].filter((it) => isSame(it, row));
      rows.set(row.snooze_id, row);
      announce([{ before: null, after: row }], written);
      schedule();
      await drop(former);
      return row;
    },

    async remove(snoozeId, viewer) {
      const row = rows.get(snoozeId);
      if (row === undefined || isOver(row) || !sees(viewer, row)) throw notFound('snooze');
      checkMay(viewer, row);
      await drop([row]);
    },

    gone(what, act) {
      const ended = [...rows.values()].filter((row) => isSame(row, what));
      if (ended.length === 0) return;
      act.write('deleteSnoozes', ended.map(goneRow), (written) => {
        for (const row of ended) rows.delete(row.snooze_id);
        announce(
          ended.map((before) => ({ before, after: null })),
          written,
        );
        schedule();
      });
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
function endOf({ until, duration_s = 0 }: NewSnooze, now: number): number {
  if (until === undefined) return now + Math.round(duration_s * 1_000);
  const until_ms = Date.parse(until);
  if (until_ms <= now) throw invalid('until', 'is past');
  if (until_ms > now + maxSnoozeS * 1_000) throw invalid('until', 'is more than 7 days ahead');
  return until_ms;
}

export function presentSnooze({ until_ms, created_ms, ...rest }: SnoozeRow): Snooze {
  return { ...rest, until: isoTime(until_ms), created_at: isoTime(created_ms) };
}
