/** Moments by the clocks of a time zone, for both ends. */
export interface DayParts {
  year: number;
  month: number;
  day: number;
}

/**
 * The moment (milliseconds since 1970) at which the clocks of a zone show a day and a time. Where they show it twice,
 * the first time; where they jump over it, as much later as they jump.
 */
export function parseDateTime(day: DayParts, secondOfDay: number, timeZone: string): number {
  return momentsIn(timeZone)(day, secondOfDay);
}

/** The same for many moments of one zone. */
export function momentsIn(timeZone: string): (day: DayParts, secondOfDay: number) => number {
  const offset = offsets(timeZone);
  return ({ year, month, day }, secondOfDay) => {
    const wall = Date.UTC(year, month - 1, day) + secondOfDay * 1_000;
    const before = offset(wall - 86_400_000);
    const after = offset(wall + 86_400_000);
    const fits = [wall - Math.max(before, after), wall - Math.min(before, after)].find(
      (ms) => ms + offset(ms) === wall,
    );
    return fits ?? wall - before;
  };
}

const QUARTER_MS = 900_000;
/** Quarters of an hour that are remembered: 50 days. */
const MOST_QUARTERS = 5_000;

/** How far a zone's clocks are ahead of UTC at a moment, milliseconds. Quick enough to be asked for each row of a table. */
export function offsets(timeZone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const read = (ms: number): number => {
    const parts = new Map(format.formatToParts(ms).map((it) => [it.type, Number(it.value)]));
    const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const wall = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
    return wall - Math.floor(ms / 1_000) * 1_000;
  };
  // Of a quarter in which the clocks change, null: some have changed at a minute past the hour.
  const known = new Map<number, number | null>();
  return (ms) => {
    const quarter = Math.floor(ms / QUARTER_MS);
    let offset = known.get(quarter);
    if (offset === undefined) {
      const first = read(quarter * QUARTER_MS);
      offset = read((quarter + 1) * QUARTER_MS - 1) === first ? first : null;
      if (known.size >= MOST_QUARTERS) known.clear();
      known.set(quarter, offset);
    }
    return offset ?? read(ms);
  };
}
