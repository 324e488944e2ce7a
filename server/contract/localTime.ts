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

/** How far a zone's clocks are ahead of UTC at a moment, milliseconds. */
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
  return (ms) => {
    const parts = new Map(format.formatToParts(ms).map((it) => [it.type, Number(it.value)]));
    const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const wall = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
    return wall - Math.floor(ms / 1_000) * 1_000;
  };
}
