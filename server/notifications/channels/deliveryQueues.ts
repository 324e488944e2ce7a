import type { DeliveryRow } from '../../store/telemetry/rows.ts';
import type { SendResult } from './sender.ts';

interface Lane {
  rows: DeliveryRow[];
  isTaken: boolean;
  /** The receiver has asked for rest until then, whatever is sent. */
  rest_until_ms: number;
}

/**
 * What waits to be sent, in a lane for each place that it goes to: one at a time and in the order in which it came. One
 * that is to be tried again later lets the others by, so that an alarm does not wait for one that nobody takes; and
 * places take turns, so that one that is slow does not keep the others waiting.
 * @param heldUntil when a row may be sent at the earliest, beside its own next try
 * @param ownerOf whose a rule is; null: the depot's
 */
export function createDeliveryQueues(
  heldUntil: (row: DeliveryRow, now_ms: number) => number = () => 0,
  ownerOf: (ruleId: string) => string | null = () => null,
) {
  /** The one that was served last stands last. */
  const lanes = new Map<string, Lane>();
  /** Those that nobody took because there was nobody; once there is, they need not wait. */
  const missed = new Set<string>();

  /** All that lie in a lane or were taken from one, by their rule. */
  const known = new Map<string, string>();
  /** How many of them each rule has. */
  const counts = new Map<string, number>();

  function know({ delivery_id, rule_id }: DeliveryRow): void {
    known.set(delivery_id, rule_id);
    counts.set(rule_id, (counts.get(rule_id) ?? 0) + 1);
  }

  function forgetRow({ delivery_id, rule_id }: DeliveryRow): void {
    missed.delete(delivery_id);
    if (!known.delete(delivery_id)) return;
    const left = (counts.get(rule_id) ?? 1) - 1;
    if (left === 0) counts.delete(rule_id);
    else counts.set(rule_id, left);
  }

  const keyOf = ({ channel, target }: DeliveryRow) => `${channel} ${target}`;

  function laneOf(row: DeliveryRow): Lane {
    const key = keyOf(row);
    let lane = lanes.get(key);
    if (lane === undefined) {
      lane = { rows: [], isTaken: false, rest_until_ms: 0 };
      lanes.set(key, lane);
    }
    return lane;
  }

  function dueAt(row: DeliveryRow, lane: Lane, now_ms: number): number {
    const due_ms = Math.max(row.next_attempt_ms ?? now_ms, lane.rest_until_ms);
    // No pause is that long: the wall clock was set back.
    return Math.max(due_ms > now_ms + maxPauseS * 1_000 ? now_ms : due_ms, heldUntil(row, now_ms));
  }

  function open(row: DeliveryRow): Lane {
    const lane = laneOf(row);
    lane.isTaken = false;
    return lane;
  }

  function close(row: DeliveryRow, lane: Lane): void {
    forgetRow(row);
    if (lane.rows.length === 0 && lane.rest_until_ms === 0) lanes.delete(keyOf(row));
  }

  function insert(lane: Lane, row: DeliveryRow): void {
    // From the end, where all but what comes back belongs.
    const place = lane.rows.findLastIndex((it) => it.created_ms <= row.created_ms);
    lane.rows.splice(place + 1, 0, row);
  }

  function forget(isMeant: (row: DeliveryRow) => boolean): void {
    for (const [key, lane] of lanes) {
      const gone = lane.rows.filter(isMeant);
      if (gone.length === 0) continue;
      for (const row of gone) forgetRow(row);
      lane.rows = lane.rows.filter((row) => !isMeant(row));
      if (lane.rows.length === 0 && !lane.isTaken) lanes.delete(key);
    }
  }

  function putBack(row: DeliveryRow): void {
    insert(open(row), row);
  }

  return {
    /** How many lie here, or were taken and are not settled. */
    size: (): number => known.size,

    add(rows: readonly DeliveryRow[]): void {
      for (const row of rows) {
        if (known.has(row.delivery_id)) continue;
        know(row);
        insert(laneOf(row), row);
      }
    },

    /** Takes out the next one whose moment has come; null for none. Its lane is closed until it is given back. */
    take(now_ms: number): DeliveryRow | null {
      for (const [key, lane] of lanes) {
        if (lane.isTaken) continue;
        const place = lane.rows.findIndex((row) => dueAt(row, lane, now_ms) <= now_ms);
        const [row] = place < 0 ? [] : lane.rows.splice(place, 1);
        if (row === undefined) continue;
        lane.isTaken = true;
        lanes.delete(key);
        lanes.set(key, lane);
        return row;
      }
      return null;
    },

    /** Takes others out of the lane of one that was taken. */
    takeAlike(row: DeliveryRow, isMeant: (other: DeliveryRow) => boolean): DeliveryRow[] {
      const lane = laneOf(row);
      const alike = lane.rows.filter(isMeant);
      if (alike.length > 0) lane.rows = lane.rows.filter((it) => !isMeant(it));
      return alike;
    },

    /**
     * Takes out the oldest when there are more than a number, of a rule or of all; of all, those of the users and of the
     * depot's rules with most, and of a user those of the rules with most. A tenth more goes with them, so that a flood
     * is not sorted again at each commit.
     */
    trim({ ofRule, ofAll }: { ofRule: number; ofAll: number }): DeliveryRow[] {
      if (known.size <= ofAll && ![...counts.values()].some((it) => it > ofRule)) return [];
      const [maxOfRule, maxOfAll] = [ofRule, ofAll].map((it) => Math.floor(it * 0.9)) as [number, number];
      const byOwner = new Map<string, [string, number][]>();
      for (const [rule_id, count] of counts) {
        const owner = ownerOf(rule_id) ?? rule_id;
        const rules = byOwner.get(owner) ?? [];
        rules.push([rule_id, count]);
        byOwner.set(owner, rules);
      }
      const sizesOf = (rules: [string, number][]) => rules.map(([, count]) => Math.min(count, maxOfRule));
      const ofOwners = [...byOwner.values()].map((rules) => sizesOf(rules).reduce((sum, it) => sum + it, 0));
      const ownerLevel = levelOf(ofOwners, maxOfAll);
      const excess = new Map<string, number>();
      for (const rules of byOwner.values()) {
        const level = Math.min(maxOfRule, levelOf(sizesOf(rules), ownerLevel));
        for (const [rule_id, count] of rules) excess.set(rule_id, Math.max(0, count - level));
      }
      const dropped = new Set<DeliveryRow>();
      const oldestFirst = [...lanes.values()]
        .flatMap((lane) => lane.rows)
        .sort((a, b) => a.created_ms - b.created_ms);
      for (const row of oldestFirst) {
        const left = excess.get(row.rule_id) ?? 0;
        if (left === 0) continue;
        excess.set(row.rule_id, left - 1);
        dropped.add(row);
      }
      forget((row) => dropped.has(row));
      return [...dropped];
    },

    /** Opens the lane of one that was taken, with the row as it is now; one that waits no more is forgotten. */
    settle(row: DeliveryRow, result: SendResult | null, now_ms: number): void {
      const lane = open(row);
      if (row.status === 'waiting') insert(lane, row);
      if (result?.outcome === 'later') {
        if (result.isUnreachable) missed.add(row.delivery_id);
        else missed.delete(row.delivery_id);
        if (result.retryAfterS !== null) lane.rest_until_ms = row.next_attempt_ms ?? 0;
      }
      if (result?.outcome === 'sent') {
        lane.rest_until_ms = 0;
        lane.rows = lane.rows.map((it) =>
          missed.delete(it.delivery_id) ? { ...it, next_attempt_ms: now_ms } : it,
        );
      }
      if (row.status !== 'waiting') close(row, lane);
    },

    /** The same for one that was not tried after all. */
    putBack,

    /** The same for one that is gone. */
    drop(row: DeliveryRow): void {
      close(row, open(row));
    },

    /** When the next of the open lanes is due, at the earliest now; null for never. */
    nextMoment(now_ms: number): number | null {
      let next_ms: number | null = null;
      for (const lane of lanes.values()) {
        if (lane.isTaken) continue;
        for (const row of lane.rows) next_ms = Math.min(next_ms ?? Infinity, dueAt(row, lane, now_ms));
      }
      return next_ms === null ? null : Math.max(next_ms, now_ms);
    },

    /** All of a channel are due now. */
    hurry(channel: DeliveryRow['channel'], now_ms: number): void {
      for (const lane of lanes.values()) {
        if (lane.rows[0]?.channel !== channel) continue;
        lane.rest_until_ms = 0;
        lane.rows = lane.rows.map((it) => ({ ...it, next_attempt_ms: now_ms }));
      }
    },

    forget,
  };
}

/** Down to which all are cut so that together they are few enough: one below it loses nothing. */
function levelOf(sizes: readonly number[], most: number): number {
  let free = most;
  for (const [place, size] of sizes.toSorted((a, b) => a - b).entries()) {
    const share = Math.floor(free / (sizes.length - place));
    if (size > share) return share;
    free -= size;
  }
  return most;
}

/** After the first try, the second, and so on; the last holds for all further ones. */
const pauses_s = [10, 30, 120, 600, 1_800, 3_600] as const;
const minPauseS = pauses_s[0];
const maxPauseS = 3_600;
/** An alarm that is older is no longer news. */
const lifeMs = 86_400_000;

/** The delivery after a try that ended at `now_ms`. */
export function afterAttempt(row: DeliveryRow, result: SendResult, now_ms: number): DeliveryRow {
  const tried = { ...row, attempts: row.attempts + 1 };
  switch (result.outcome) {
    case 'sent':
      return { ...tried, status: 'sent', next_attempt_ms: null, last_error: null, sent_ms: now_ms };
    case 'refused':
      return abandoned(tried, result.detail);
    case 'later': {
      const next_attempt_ms = now_ms + pauseOf(tried.attempts, result.retryAfterS) * 1_000;
      if (next_attempt_ms > row.created_ms + lifeMs) return abandoned(tried, result.detail);
      return { ...tried, next_attempt_ms, last_error: result.detail };
    }
  }
}

export function abandoned(row: DeliveryRow, reason: string): DeliveryRow {
  return { ...row, status: 'failed', next_attempt_ms: null, last_error: reason };
}

function pauseOf(attempts: number, retryAfterS: number | null): number {
  if (retryAfterS !== null) return Math.min(Math.max(retryAfterS, minPauseS), maxPauseS);
  return pauses_s[attempts - 1] ?? maxPauseS;
}
