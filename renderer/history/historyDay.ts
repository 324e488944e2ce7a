import type { DepotTime } from '../format/depotTime.ts';
import type { TrackPeriod } from './trackCache.ts';

const HOUR_MS = 3_600_000;
/** No day is longer than 25 h, and none shorter than 23: 36 h after its beginning the next one is under way. */
const INTO_NEXT_MS = 36 * HOUR_MS;

/** The depot's day of an instant (Unix ms); 23 or 25 hours long where the clocks change. */
export function dayOf(time: Pick<DepotTime, 'dayStart'>, at: number): TrackPeriod {
  const from = time.dayStart(at);
  return { from, to: time.dayStart(from + INTO_NEXT_MS) };
}

/** The same time of the day before (-1) or after (1), as far as that day is long. */
export function sameTimeOn(time: Pick<DepotTime, 'dayStart'>, at: number, by: 1 | -1): number {
  const day = dayOf(time, at);
  const other = dayOf(time, by === 1 ? day.to : day.from - 1);
  return Math.min(other.to - 1, other.from + (at - day.from));
}

/** The hour of the clock that an instant lies in. */
export function hourOf(at: number, dayFrom: number): TrackPeriod {
  const from = dayFrom + Math.floor((at - dayFrom) / HOUR_MS) * HOUR_MS;
  return { from, to: from + HOUR_MS };
}

const MINUTE_MS = 60_000;
/** Ticks are so far apart, milliseconds, as near as they can be read. */
const TICKS_MS = [0.25, 0.5, 1, 2, 5, 10, 15, 30, 60, 180].map((minutes) => minutes * MINUTE_MS);
const MOST_TICKS = 12;

/** The ticks of the axis of a part of a day: every so many minutes of elapsed time, the end of the day included. */
export function axisTicks(day: TrackPeriod, view: TrackPeriod = day): { ticks: number[]; everyMs: number } {
  const length = view.to - view.from;
  const everyMs = TICKS_MS.find((it) => length / it <= MOST_TICKS) ?? 3 * HOUR_MS;
  const ticks: number[] = [];
  const first = day.from + Math.ceil((view.from - day.from) / everyMs) * everyMs;
  for (let at = first; at < view.to - everyMs / 6; at += everyMs) ticks.push(at);
  if (view.to === day.to) ticks.push(day.to);
  return { ticks, everyMs };
}
