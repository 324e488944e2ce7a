import { cardHoldsMs, type CardMoment } from '../store/telemetry/cardReads.ts';

/** From when to when a driver drove a vehicle; times in Unix ms. */
export interface DriveSpan {
  from_ms: number;
  /** Null: it goes on. */
  to_ms: number | null;
  /** Null: a card that no driver has. */
  driver_id: string | null;
  /** By which the driver was identified; null: by an assignment. */
  card: string | null;
  assignment_id: string | null;
}

interface AssignedSpan {
  assignment_id: string;
  driver_id: string;
  from: string;
  to: string | null;
}

export interface DriveSources {
  moments: readonly CardMoment[];
  /** Of the vehicle, those that began first first. */
  assignments: readonly AssignedSpan[];
  /** Who had a card at a moment; null: nobody. */
  holderOf: (card: string, at_ms: number) => string | null;
  now_ms: number;
}

/**
 * Who drove one vehicle when, in order of time, without overlaps. A card that the terminal read counts until another
 * one is read, it is taken out, the ignition is switched off, or for 12 hours; where none counts, the assignment that
 * began last. Pure.
 */
export function drivesOf(sources: DriveSources): DriveSpan[] {
  const identified = byCard(sources);
  return [...identified, ...betweenCards(identified, byAssignment(sources))].sort(
    (a, b) => a.from_ms - b.from_ms,
  );
}

/** Of spans without overlaps the one at a moment. */
export function driveAt(drives: readonly DriveSpan[], at_ms: number): DriveSpan | null {
  return drives.find((it) => it.from_ms <= at_ms && at_ms < endOf(it)) ?? null;
}

const endOf = ({ to_ms }: DriveSpan) => to_ms ?? Infinity;

function byCard({ moments, holderOf, now_ms }: DriveSources): DriveSpan[] {
  const spans: DriveSpan[] = [];
  for (const [at, { card, time_ms, off_ms }] of moments.entries()) {
    if (card === '') continue;
    const next_ms = moments[at + 1]?.time_ms ?? Infinity;
    const end_ms = Math.min(next_ms, off_ms ?? Infinity, time_ms + cardHoldsMs);
    const goesOn = end_ms > now_ms && end_ms === time_ms + cardHoldsMs;
    const to_ms = goesOn ? null : end_ms;
    const last = spans.at(-1);
    if (last?.card === card && last.to_ms === time_ms) last.to_ms = to_ms;
    else if (to_ms !== time_ms)
      spans.push({ from_ms: time_ms, to_ms, driver_id: holderOf(card, time_ms), card, assignment_id: null });
  }
  return spans;
}

/** Those that began later take the place of those before for as long as they last. */
function byAssignment({ assignments, now_ms }: DriveSources): DriveSpan[] {
  const spans: DriveSpan[] = [];
  /** Those under way, that which counts last. */
  const open: (AssignedSpan & { end_ms: number })[] = [];
  let at_ms = -Infinity;

  function countUntil(until_ms: number): void {
    for (;;) {
      const top = open.at(-1);
      if (top === undefined || at_ms >= until_ms) return;
      if (top.end_ms <= at_ms) {
        open.pop();
        continue;
      }
      const end_ms = Math.min(top.end_ms, until_ms);
      const to_ms = end_ms > now_ms ? null : end_ms;
      const { driver_id, assignment_id } = top;
      if (at_ms <= now_ms) spans.push({ from_ms: at_ms, to_ms, driver_id, card: null, assignment_id });
      at_ms = end_ms;
    }
  }

  for (const assigned of assignments) {
    const from_ms = Date.parse(assigned.from);
    countUntil(from_ms);
    at_ms = from_ms;
    open.push({ ...assigned, end_ms: assigned.to === null ? Infinity : Date.parse(assigned.to) });
  }
  countUntil(Infinity);
  return spans;
}

/** What is left of assignments while no card counts. Both are in order of time, without overlaps. */
function betweenCards(identified: readonly DriveSpan[], assigned: readonly DriveSpan[]): DriveSpan[] {
  const left: DriveSpan[] = [];
  let next = 0;
  for (const span of assigned) {
    let { from_ms } = span;
    for (let past = identified[next]; past !== undefined && endOf(past) <= from_ms; past = identified[next])
      next += 1;
    for (let at = next; from_ms < endOf(span); at++) {
      const other = identified[at];
      const until_ms = Math.min(other?.from_ms ?? Infinity, endOf(span));
      if (until_ms > from_ms) left.push({ ...span, from_ms, to_ms: until_ms === Infinity ? null : until_ms });
      if (other === undefined) break;
      from_ms = Math.max(from_ms, endOf(other));
    }
  }
  return left;
}
