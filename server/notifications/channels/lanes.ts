import type { DeliveryRow } from '../../store/telemetry/rows.ts';
import { longestPause_s } from './afterTry.ts';
import type { SendResult } from './sending.ts';

/**
 * What waits to be sent, in a lane for each place that it goes to: one at a time and in the order in which it came. One
 * that is to be tried again later lets the others by, so that an alarm does not wait for one that nobody takes; and
 * places take turns, so that one that is slow does not keep the others waiting.
 */
export interface Lanes {
  add(rows: readonly DeliveryRow[]): void;
  /** Takes out the next one whose moment has come; null for none. Its lane is closed until it is given back. */
  take(now_ms: number): DeliveryRow | null;
  /** Opens the lane of one that was taken, with the row as it is now; one that waits no more is forgotten. */
  settle(row: DeliveryRow, result: SendResult | null, now_ms: number): void;
  /** The same for one that was not tried after all. */
  putBack(row: DeliveryRow): void;
  /** The same for one that is gone. */
  drop(row: DeliveryRow): void;
  /** When the next of the open lanes is due, at the earliest now; null for never. */
  nextMoment(now_ms: number): number | null;
  /** All of a channel are due now. */
  hurry(channel: DeliveryRow['channel'], now_ms: number): void;
  forget(isMeant: (row: DeliveryRow) => boolean): void;
}

interface Lane {
  rows: DeliveryRow[];
  isTaken: boolean;
  /** The receiver has asked for rest until then, whatever is sent. */
  rest_until_ms: number;
}

export function createLanes(): Lanes {
  /** The one that was served last stands last. */
  const lanes = new Map<string, Lane>();
  /** Those that nobody took because there was nobody; once there is, they need not wait. */
  const missed = new Set<string>();

  /** All that lie in a lane or were taken from one. */
  const known = new Set<string>();

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
    const due_ms = Math.max(row.next_try_ms ?? now_ms, lane.rest_until_ms);
    // No pause is that long: the wall clock was set back.
    return due_ms > now_ms + longestPause_s * 1_000 ? now_ms : due_ms;
  }

  function open(row: DeliveryRow): Lane {
    const lane = laneOf(row);
    lane.isTaken = false;
    return lane;
  }

  function close(row: DeliveryRow, lane: Lane): void {
    known.delete(row.delivery_id);
    missed.delete(row.delivery_id);
    if (lane.rows.length === 0 && lane.rest_until_ms === 0) lanes.delete(keyOf(row));
  }

  function insert(lane: Lane, row: DeliveryRow): void {
    const place = lane.rows.findIndex((it) => it.created_ms > row.created_ms);
    // What comes back was there before those of its own millisecond.
    lane.rows.splice(place < 0 ? lane.rows.length : place, 0, row);
  }

  function putBack(row: DeliveryRow): void {
    insert(open(row), row);
  }

  return {
    add(rows) {
      for (const row of rows) {
        if (known.has(row.delivery_id)) continue;
        known.add(row.delivery_id);
        insert(laneOf(row), row);
      }
    },

    take(now_ms) {
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

    settle(row, result, now_ms) {
      const lane = open(row);
      if (row.status === 'waiting') insert(lane, row);
      if (result?.outcome === 'later') {
        if (result.isAway) missed.add(row.delivery_id);
        else missed.delete(row.delivery_id);
        if (result.retryAfter_s !== null) lane.rest_until_ms = row.next_try_ms ?? 0;
      }
      if (result?.outcome === 'sent') {
        lane.rest_until_ms = 0;
        lane.rows = lane.rows.map((it) =>
          missed.delete(it.delivery_id) ? { ...it, next_try_ms: now_ms } : it,
        );
      }
      if (row.status !== 'waiting') close(row, lane);
    },

    putBack,

    drop(row) {
      close(row, open(row));
    },

    nextMoment(now_ms) {
      let next_ms: number | null = null;
      for (const lane of lanes.values()) {
        if (lane.isTaken) continue;
        for (const row of lane.rows) next_ms = Math.min(next_ms ?? Infinity, dueAt(row, lane, now_ms));
      }
      return next_ms === null ? null : Math.max(next_ms, now_ms);
    },

    hurry(channel, now_ms) {
      for (const lane of lanes.values()) {
        if (lane.rows[0]?.channel !== channel) continue;
        lane.rest_until_ms = 0;
        lane.rows = lane.rows.map((it) => ({ ...it, next_try_ms: now_ms }));
      }
    },

    forget(isMeant) {
      for (const [key, lane] of lanes) {
        for (const row of lane.rows.filter(isMeant)) {
          known.delete(row.delivery_id);
          missed.delete(row.delivery_id);
        }
        lane.rows = lane.rows.filter((row) => !isMeant(row));
        if (lane.rows.length === 0 && !lane.isTaken) lanes.delete(key);
      }
    },
  };
}
