/** A moment by a terminal's clock, and when it came; Unix ms. */
export interface StampSeen {
  stamp_ms: number;
  received_ms: number;
}

/**
 * All zones there are lie on quarters of an hour, from UTC-12 to UTC+14. Of the times of JT/T 808 eight hours are taken
 * off before they come here: it prescribes UTC+8, and a terminal that does not follow it is behind by so much more.
 */
const step_s = 15 * 60;
const least_s = (-12 - 8) * 3_600;
const most_s = 14 * 3_600;
/** What a message may be under way, and a clock go wrong beside its zone. */
const tolerance_s = 60;
const fewest = 5;
/** Messages that were kept back come faster than they were made: in such a time that shows. */
const minMs = 2 * 60_000;

/**
 * How far a terminal's clock is ahead of the right time, in seconds, when that is the offset of a zone and the same in
 * all that was seen; 0 when it is right. Null when it is unknown: too little was seen, or the stamps do not keep
 * pace with the receipts, as those of messages that were kept back.
 */
export function suggestClockOffset(seen: readonly StampSeen[]): number | null {
  const received = seen.map((it) => it.received_ms);
  if (seen.length < fewest || Math.max(...received) - Math.min(...received) < minMs) return null;
  const aheads = seen.map((it) => (it.stamp_ms - it.received_ms) / 1_000);
  const [first = 0] = aheads;
  const offset_s = Math.round(first / step_s) * step_s + 0;
  const isSteady = aheads.every((it) => Math.abs(it - offset_s) <= tolerance_s);
  return isSteady && offset_s >= least_s && offset_s <= most_s ? offset_s : null;
}
