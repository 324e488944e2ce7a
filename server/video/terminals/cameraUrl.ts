import type { Fragment } from './terminal.ts';

/** Fills a camera's address: `{channel}`, `{from}` and `{to}` (RFC 3339, UTC), `{from_unix}` and `{to_unix}` (seconds). */
export function fillCameraUrl(template: string, { channel, from_ms, to_ms }: Fragment): URL {
  const values: Record<string, string> = {
    channel: String(channel.channel),
    from: new Date(from_ms).toISOString(),
    to: new Date(to_ms).toISOString(),
    from_unix: String(Math.floor(from_ms / 1000)),
    to_unix: String(Math.ceil(to_ms / 1000)),
  };
  return new URL(
    template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
      const value = values[name];
      return value === undefined ? whole : encodeURIComponent(value);
    }),
  );
}

export function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}
