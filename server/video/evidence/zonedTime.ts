/** Formats times in the depot's time zone: `2026-11-21 13:58:50 GMT+01:00`. */
export function zonedTime(timezone: string): (ms: number) => string {
  // Sweden writes dates as ISO 8601 does.
  const local = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  const zone = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, timeZoneName: 'longOffset' });
  return (ms) => {
    const offset = zone.formatToParts(ms).find((it) => it.type === 'timeZoneName')?.value ?? 'GMT';
    return `${local.format(ms)} ${offset}`;
  };
}
