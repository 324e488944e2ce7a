/** A step back from right behind an event goes to the one before: nobody presses twice within this time. */
const BEHIND_S = 1;

/**
 * The events of an order right before and after a moment, in seconds from its beginning; null where there is none.
 *
 * @param times of the events, milliseconds since 1970
 */
export function eventSteps(
  order: { from: number; to: number },
  times: readonly number[],
  s: number,
): { previous: number | null; next: number | null } {
  const places = times
    .filter((at) => at >= order.from && at <= order.to)
    .map((at) => (at - order.from) / 1_000)
    .sort((a, b) => a - b);
  return {
    previous: places.findLast((it) => it < s - BEHIND_S) ?? null,
    // A seek lands a little beside where it was sent.
    next: places.find((it) => it > s + BEHIND_S / 10) ?? null,
  };
}
