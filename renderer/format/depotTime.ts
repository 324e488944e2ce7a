import { offsets } from '../../server/contract/localTime.ts';
import { formats } from './formats.ts';

/** Moments (milliseconds since 1970) in the words of a time zone: the depot's, or that of the user. */
export type DepotTime = ReturnType<typeof createDepotTime>;

export function createDepotTime(timeZone: string) {
  const { locale, hourCycle } = formats.getState();
  const format = (zone: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone: zone, hourCycle, ...options });
  const hour = hourCycle === 'h23' ? '2-digit' : 'numeric';
  const clock = format(timeZone, { hour, minute: '2-digit', second: '2-digit' });
  const minute = format(timeZone, { hour, minute: '2-digit' });
  const date = format(timeZone, { weekday: 'short', day: 'numeric', month: 'short' });
  const range = format(timeZone, { dateStyle: 'medium', timeStyle: 'short' });
  const zone = format(timeZone, { timeZoneName: 'short' });
  const utc = format('UTC', { hour, minute: '2-digit', second: '2-digit' });
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
    /** 12:03:48 */
    clock: (ms: number): string => clock.format(ms),
    /** 12:03 */
    minute: (ms: number): string => minute.format(ms),
    /** Thu 19 Nov */
    date: dateText,
    /** 19 Nov 2026, 12:03–18:00 */
    range: (from: number, to: number): string => range.formatRange(from, to),
    /** CET */
    zone: (ms: number): string =>
      zone.formatToParts(ms).find((part) => part.type === 'timeZoneName')?.value ?? timeZone,
    /** 11:03:48 UTC */
    utc: (ms: number): string => `${utc.format(ms)} UTC`,
    /** 12:03:48 today, else Thu 19 Nov 12:03:48. */
    moment: (ms: number, now: number): string =>
      dayStart(ms) === dayStart(now) ? clock.format(ms) : `${dateText(ms)} ${clock.format(ms)}`,
    /** Moments with their day and without, of every month, day of the week and half of the day: the longest are among them. */
    longest() {
      const days = Array.from({ length: 12 * 7 }, (_, at) =>
        Date.UTC(2026, at % 12, 20 + Math.floor(at / 12)),
      );
      const all = days.flatMap((day) => [10, 22].map((hours) => day + (hours * 60 + 58) * 60_000 + 58_000));
      return {
        moments: all.map((ms) => `${dateText(ms)} ${clock.format(ms)}`),
        clocks: all.slice(0, 2).map((ms) => clock.format(ms)),
      };
    },
    /** Where the day of this moment begins. */
    dayStart,
  };
}
