import type { TrackPeriod } from './trackCache.ts';

/** The time bar shows no less than this. */
const LEAST_MS = 120_000;
/** Round a span that is shown as a whole something of what lies beside it is seen. */
const MARGIN = 0.1;

const lengthOf = ({ from, to }: TrackPeriod): number => to - from;

/** A part of a day, moved and shortened so that it lies within it. */
function within(view: TrackPeriod, day: TrackPeriod): TrackPeriod {
  const length = Math.min(lengthOf(day), Math.max(LEAST_MS, lengthOf(view)));
  const from = Math.min(day.to - length, Math.max(day.from, view.from));
  return { from, to: from + length };
}

/** The part of the day that the time bar shows, so many times longer; the instant under the pointer stays where it is. */
export function zoomed(view: TrackPeriod, day: TrackPeriod, at: number, factor: number): TrackPeriod {
  const length = Math.min(lengthOf(day), Math.max(LEAST_MS, lengthOf(view) * factor));
  const from = at - ((at - view.from) / lengthOf(view)) * length;
  return within({ from, to: from + length }, day);
}

/** The part of the day that the time bar shows, moved; it stops at the ends of the day. */
export function panned({ from, to }: TrackPeriod, day: TrackPeriod, byMs: number): TrackPeriod {
  return within({ from: from + byMs, to: to + byMs }, day);
}

/** The part of the day in which a span is seen as a whole, and a little beside it. */
export function viewAround(span: TrackPeriod, day: TrackPeriod): TrackPeriod {
  const margin = lengthOf(span) * MARGIN;
  return within({ from: span.from - margin, to: span.to + margin }, day);
}

/** The part of the day that follows an instant: a page on where it has left, else as it is. */
export function following(view: TrackPeriod, day: TrackPeriod, at: number): TrackPeriod {
  if (at >= view.from && at < view.to) return view;
  const from = at - lengthOf(view) * MARGIN;
  return within({ from, to: from + lengthOf(view) }, day);
}

/** What two periods have in common; null for nothing. */
export function overlapOf(a: TrackPeriod, b: TrackPeriod): TrackPeriod | null {
  const [from, to] = [Math.max(a.from, b.from), Math.min(a.to, b.to)];
  return from < to ? { from, to } : null;
}
