import type { Fragment } from './terminal.ts';

/**
 * Fills a camera's address, each value encoded: `{channel}` (its number), `{channel_name}`; `{from}` and `{to}` (RFC 3339,
 * UTC); `{from_local}` and `{to_local}` (the clock on the wall, `YYYY-MM-DDTHH:mm:ss`); `{from_unix}`, `{to_unix}` and
 * `{duration_s}` (seconds). Where a value has whole seconds alone, the fragment is rounded up to them.
 * @param timeZone of the wall, a name of the IANA list
 * @throws TypeError when that makes no address
 */
export function fillCameraUrl(template: string, fragment: Fragment, timeZone = 'UTC'): URL {
  const { channel, from_ms, to_ms } = fragment;
  const fromUnix = Math.floor(from_ms / 1000);
  const toUnix = Math.ceil(to_ms / 1000);
  const values: Record<string, string> = {
    channel: String(channel.channel),
    channel_name: channel.name,
    from: new Date(from_ms).toISOString(),
    to: new Date(to_ms).toISOString(),
    from_local: wallClock(fromUnix, timeZone),
    to_local: wallClock(toUnix, timeZone),
    from_unix: String(fromUnix),
    to_unix: String(toUnix),
    duration_s: String(toUnix - fromUnix),
  };
  return new URL(
    template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
      const value = values[name];
      return value === undefined ? whole : encodeURIComponent(value);
    }),
  );
}

/** In Swedish, dates are written as ISO 8601 has them. */
function wallClock(unix_s: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return format.format(unix_s * 1000).replace(' ', 'T');
}
