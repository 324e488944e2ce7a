import type { Event } from '../../../server/contract/events.ts';
import type { Severity } from '../../../server/contract/rules.ts';
import { bySeverity } from '../../notifications/queueOrder.ts';

/** A mark on the bar of recordings: an event, and those that lie too close to have one of their own. */
export interface DayMark {
  event: Event;
  severity: Severity;
  others: number;
}

/**
 * The marks of a bar, oldest first. The gravest events are marked, among equals the oldest; what lies closer to a mark
 * than `apart` belongs to it.
 *
 * @param placeOf where an event lies on the bar, in the unit of `apart`
 */
export function dayMarks(
  events: readonly Event[],
  severityOf: (event: Event) => Severity,
  placeOf: (event: Event) => number,
  apart: number,
): DayMark[] {
  const wanted = events
    .map((event) => ({ event, severity: severityOf(event), others: 0 }))
    .sort((a, b) => bySeverity(a.severity, b.severity) || compareTimes(a, b));
  const marks: DayMark[] = [];
  for (const mark of wanted) {
    const place = placeOf(mark.event);
    const near = marks.find((it) => Math.abs(placeOf(it.event) - place) < apart);
    if (near === undefined) marks.push(mark);
    else near.others += 1;
  }
  return marks.sort(compareTimes);
}

function compareTimes(a: DayMark, b: DayMark): number {
  return a.event.time < b.event.time ? -1 : a.event.time > b.event.time ? 1 : 0;
}
