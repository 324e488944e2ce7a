import { offsets } from './depotMoment.ts';

/** Moments (milliseconds since 1970) in the words of the depot's time zone. */
export interface DepotTime {
  timeZone: string;
  /** 12:03:48 */
  clock(ms: number): string;
  /** 12:03 */
  minute(ms: number): string;
  /** Thu 19 Nov */
  date(ms: number): string;
  /** CET */
  zone(ms: number): string;
  /** 11:03:48 UTC */
  utc(ms: number): string;
  /** 12:03:48 today, else Thu 19 Nov 12:03:48. */
  moment(ms: number, now: number): string;
  /** Where the day of this moment begins. */
  dayStart(ms: number): number;
}

export function createDepotTime(timeZone: string): DepotTime {
  const format = (zone: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, hourCycle: 'h23', ...options });
  const clock = format(timeZone, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
  const minute = format(timeZone, { hour: '2-digit', minute: '2-digit' });
  const date = format(timeZone, { weekday: 'short', day: 'numeric', month: 'short' });
  const zone = format(timeZone, { timeZoneName: 'short' });
  const utc = format('UTC', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
  const dateText = (ms: number) => date.format(ms).replace(',', '');

  const offsetMs = offsets(timeZone);

  const dayStart = (ms: number): number => {
    const offset = offsetMs(ms);
    const midnight = Math.floor((ms + offset) / 86_400_000) * 86_400_000;
    // Where the clocks changed since midnight, the offset at midnight was another one.
    const guess = midnight - offset;
    return midnight - offsetMs(guess);
  };

  return {
    timeZone,
    clock: (ms) => clock.format(ms),
    minute: (ms) => minute.format(ms),
    date: dateText,
    zone: (ms) => zone.formatToParts(ms).find((part) => part.type === 'timeZoneName')?.value ?? timeZone,
    utc: (ms) => `${utc.format(ms)} UTC`,
    moment: (ms, now) =>
      dayStart(ms) === dayStart(now) ? clock.format(ms) : `${dateText(ms)} ${clock.format(ms)}`,
    dayStart,
  };
}
