import { wallClock } from '../localDays.ts';

/** The calendar of spreadsheets counts days from here; right from March 1900 on (ECMA-376 part 1, 18.17.4.1). */
const dayZero_ms = Date.UTC(1899, 11, 30);
const day_ms = 86_400_000;
/** Clocks are changed at quarters of an hour. */
const quarter_ms = 900_000;

/** A date, `2026-11-01`, as the number that spreadsheets keep. */
export function serialOfDate(date: string): number {
  return (Date.parse(`${date}T00:00:00Z`) - dayZero_ms) / day_ms;
}

/**
 * A moment as the number that spreadsheets keep of the clock on the wall, to the millisecond. They know no time zones, so
 * that it is a time of the depot and not of whoever reads the file.
 */
export function createLocalSerial(timeZone: string): (time_ms: number) => number {
  const clockAt = wallClock(timeZone);
  const offsets = new Map<number, number>();

  /** Asked for each time it would take longer than all the rest of a row. */
  function offsetAt(time_ms: number): number {
    const quarter = Math.floor(time_ms / quarter_ms);
    let offset_ms = offsets.get(quarter);
    if (offset_ms === undefined) {
      const start_ms = quarter * quarter_ms;
      offset_ms = Date.parse(`${clockAt(start_ms).replace(' ', 'T')}Z`) - start_ms;
      offsets.set(quarter, offset_ms);
    }
    return offset_ms;
  }

  return (time_ms) => (time_ms + offsetAt(time_ms) - dayZero_ms) / day_ms;
}
