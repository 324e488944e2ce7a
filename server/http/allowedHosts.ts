import type { IncomingMessage } from 'node:http';
import { ApiError, invalid } from './apiError.ts';
import { inUrl, isWildcard, type MachineNames } from './machineAddresses.ts';

const absoluteForm = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/is;

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];

/** The names under which this host may be called; the port is known once it listens. */
export type AllowedHosts = ReturnType<typeof createAllowedHosts>;

/**
 * @param options.allowHosts names beyond the loopback ones, each with or without a port (without: this host's own)
 * @param options.bound the address that the server listens on; a wildcard adds no name
 */
export function createAllowedHosts(options: { tls: boolean; bound: string; allowHosts: readonly string[] }) {
  const scheme = options.tls ? 'https' : 'http';
  const defaultPort = options.tls ? 443 : 80;
  let hosts = new Set<string>();
  let origins = new Set<string>();
  let port = 0;
  let machine: MachineNames = { addresses: [], names: [] };

  function collect(): void {
    const bound = isWildcard(options.bound) ? [] : [options.bound];
    const own = [...bound, ...machine.addresses].map(inUrl);
    const names = [...loopbackNames, ...own, ...machine.names, ...options.allowHosts].map((name) =>
      name.toLowerCase(),
    );
    hosts = new Set();
    for (const name of names) {
      if (/:\d+$/.test(name) && !name.endsWith(']')) {
        hosts.add(name);
        continue;
      }
      hosts.add(`${name}:${port}`);
      if (port === defaultPort) hosts.add(name);
    }
    origins = new Set([...hosts].map((host) => `${scheme}://${host}`));
  }

  collect();
  return {
    setPort(listening: number): void {
      port = listening;
      collect();
    },
    /** The names and addresses of this machine by which others may call it, in the place of those before. */
    setMachineNames(names: MachineNames): void {
      machine = names;
      collect();
    },
    /** Whether the request's `Origin` is there and is ours. */
    isOwnOrigin: (origin: string | undefined): boolean =>
      origin !== undefined && origins.has(origin.toLowerCase()),
    /**
     * Throws 403 for a foreign `Host`, request target or `Origin` (`null` is foreign), 400 for two `Host` fields. Returns the
     * path and query that are asked for: a target in absolute form (RFC 9112, 3.2.2) names this host once more.
     */
    check({
      headers,
      rawHeaders,
      url = '',
    }: Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'url'>): string {
      // The parser drops all but the first of them; what stands before it may have read another one.
      const count = rawHeaders.filter((it, at) => at % 2 === 0 && it.toLowerCase() === 'host').length;
      if (count > 1) throw invalid('Host', `stands ${count} times`);
      const [, targetScheme, authority, rest = ''] = absoluteForm.exec(url) ?? [];
      const isOwnTarget =
        authority === undefined ||
        (targetScheme?.toLowerCase() === scheme && hosts.has(authority.toLowerCase()));
      if (headers.host === undefined || !hosts.has(headers.host.toLowerCase()) || !isOwnTarget) {
        throw new ApiError(
          'host_not_allowed',
          'This host does not answer to that name. Start it with --allow-host NAME.',
        );
      }
      if (headers.origin !== undefined && !origins.has(headers.origin.toLowerCase())) {
        throw new ApiError('origin_not_allowed', 'Web pages of other origins may not call this host.');
      }
      if (authority === undefined) return url;
      return rest.startsWith('/') ? rest : `/${rest}`;
    },
  };
}
