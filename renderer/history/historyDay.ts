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

/** The ticks of the axis of a day: every so many hours of elapsed time, both ends included. */
export function axisTicks({ from, to }: TrackPeriod, everyHours: number): number[] {
  const ticks: number[] = [];
  for (let at = from; at < to - HOUR_MS / 2; at += everyHours * HOUR_MS) ticks.push(at);
  return [...ticks, to];
}
