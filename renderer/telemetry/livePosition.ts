import type { Position } from '../../server/contract/positions.ts';

/** What is known of a vehicle by its messages, newest first. */
export interface LivePosition {
  /** The newest message, whatever it holds. */
  last: Position;
  /** The newest one with a place that holds good; only this is drawn. */
  fix: Position | null;
  /** When the server heard of it last, milliseconds. */
  contactAt: number;
  /** Since when it has stood with its ignition on, milliseconds; null while it does not, or nobody saw. */
  idleSince: number | null;
}

/**
 * Takes one more message. Order and repetition do not matter for `last`, `fix` and `contactAt`: of two messages of
 * the same time the one that was received later holds.
 */
export function withPosition(
  before: LivePosition | undefined,
  message: Position,
  idleBelowKmh: number,
): LivePosition {
  const receivedAt = Date.parse(message.received_at);
  const last = before === undefined || isNewer(message, before.last) ? message : before.last;
  const fixBefore = before?.fix ?? null;
  const fix = message.valid && (fixBefore === null || isNewer(message, fixBefore)) ? message : fixBefore;
  const standsRunning = last.ignition === true && (last.speed_kmh ?? 0) < idleBelowKmh;
  return {
    last,
    fix,
    contactAt: Math.max(before?.contactAt ?? 0, receivedAt),
    idleSince: standsRunning ? (before?.idleSince ?? Date.parse(last.time)) : null,
  };
}

function isNewer(a: Position, b: Position): boolean {
  if (a.time !== b.time) return a.time > b.time;
  return a.received_at >= b.received_at;
}
