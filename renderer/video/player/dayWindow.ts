/** The span of recordings that is shown around an order: two hours, as far as they are over. */
const BEFORE_MS = 90 * 60_000;
const AFTER_MS = 30 * 60_000;
const HALF_HOUR_MS = 30 * 60_000;

export interface DayWindow {
  /** Milliseconds since 1970. */
  from: number;
  to: number;
  /** The half hours in it. */
  marks: readonly number[];
}

/** Half hours are cut in UTC; the zones whose clocks differ from it by quarters see quarters. */
export function dayWindow(order: { from: number; to: number }, now: number): DayWindow {
  const to = Math.max(order.to, Math.min(now, order.to + AFTER_MS));
  const from = Math.floor((order.from - BEFORE_MS) / HALF_HOUR_MS) * HALF_HOUR_MS;
  const marks: number[] = [];
  for (let at = from; at <= to; at += HALF_HOUR_MS) marks.push(at);
  return { from, to, marks };
}
