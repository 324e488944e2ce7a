import type { EventKind, EventValues } from '../../server/contract/events.ts';

/** What began and is over one day; all others are of one moment. */
const EPISODES: ReadonlySet<EventKind> = new Set(['overspeed', 'idling', 'offline', 'silent_inside']);

/** Whether an event is known to go on still. */
export function isOngoing(kind: EventKind, { ended_at }: Pick<EventValues, 'ended_at'>): boolean {
  return EPISODES.has(kind) && ended_at === null;
}

/** Whether its numbers grow by the mere passing of time. */
export function grows(kind: EventKind, values: EventValues): boolean {
  return isOngoing(kind, values) && values.unit === 's' && values.duration_s !== null;
}

/**
 * The numbers of an event as of `now`. They are reported when the allowed time has passed; a silence or a standstill that
 * goes on is longer by now.
 */
export function valuesAt(kind: EventKind, values: EventValues, time: string, now: number): EventValues {
  if (!grows(kind, values)) return values;
  const reportedS = values.duration_s ?? 0;
  const [first] = values.fixes;
  // Idling is reported with its first fix, a silence with the time at which it had lasted too long.
  const began =
    kind === 'idling' && first !== undefined ? Date.parse(first.time) : Date.parse(time) - reportedS * 1_000;
  const lasted_s = Math.max(reportedS, Math.floor((now - began) / 1_000));
  return { ...values, measured: lasted_s, duration_s: lasted_s };
}
