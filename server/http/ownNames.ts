import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from './apiError.ts';

/** The names under which this host may be called; the port is known once it listens. */
export interface OwnNames {
  /** Throws 403 for a foreign `Host` or a foreign or `null` `Origin`. */
  check(headers: IncomingHttpHeaders): void;
  /** Whether the request's `Origin` is there and is ours. */
  isOwnOrigin(origin: string | undefined): boolean;
  setPort(port: number): void;
}

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * @param options.allowHosts names beyond the loopback ones, each with or without a port (without: this host's own)
 * @param options.bound the address that the server listens on; a wildcard adds no name
 */
export function createOwnNames(options: {
  tls: boolean;
  bound: string;
  allowHosts: readonly string[];
}): OwnNames {
  const scheme = options.tls ? 'https' : 'http';
  const defaultPort = options.tls ? 443 : 80;
  let hosts = new Set<string>();
  let origins = new Set<string>();

  function setPort(port: number): void {
    const wildcard = options.bound === '0.0.0.0' || options.bound === '::';
    const bound = options.bound.includes(':') ? `[${options.bound}]` : options.bound;
    const names = [...loopbackNames, ...(wildcard ? [] : [bound]), ...options.allowHosts].map((name) =>
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

  setPort(0);
  return {
    setPort,
    isOwnOrigin: (origin) => origin !== undefined && origins.has(origin.toLowerCase()),
    check(headers) {
      if (headers.host === undefined || !hosts.has(headers.host.toLowerCase())) {
        throw new ApiError(
          'host_not_allowed',
          'This host does not answer to that name. Start it with --allow-host NAME.',
        );
      }
      if (headers.origin !== undefined && !origins.has(headers.origin.toLowerCase())) {
        throw new ApiError('origin_not_allowed', 'Web pages of other origins may not call this host.');
      }
    },
  };
}
