import { isIPv4, isIPv6 } from 'node:net';
import type { Cause } from '../contract/causes.ts';
import { causeOf, detailOf } from '../contract/causeTexts.ts';

/** A host elsewhere, and what its connections are checked by. */
export interface RemoteHost {
  /** Its origin: scheme, name and port, and nothing else. */
  url: URL;
  /**
   * SHA-256 of the one certificate that is accepted, as `AB:CD:…`; null: any that an authority vouches for, by that
   * name.
   */
  fingerprint: string | null;
  /** Whether it may be called without TLS beyond this machine. */
  insecure: boolean;
}

/** Longer ones than any name of DNS with its scheme and port. */
const maxUrlLength = 300;

/** Why a text is no address of a host: the rest of a sentence about it. */
export class NoHostUrl extends Error {
  override name = 'NoHostUrl';
  readonly causes: Cause[];

  constructor(cause: Cause) {
    super(detailOf([cause]));
    this.causes = [cause];
  }
}

/**
 * The origin that somebody typed or pasted, with or without its scheme: `depot.example` is HTTPS, and the port is the
 * usual one of a host where none is named.
 *
 * @throws {NoHostUrl}
 */
export function readHostUrl(text: string): URL {
  const typed = text.trim();
  if (typed.length > maxUrlLength) throw new NoHostUrl(causeOf('host_url.too_long'));
  const [, scheme, rest = typed] = /^([a-z][a-z\d+.-]*):\/\/(.*)$/is.exec(typed) ?? [];
  const url = URL.parse(`${scheme ?? 'https'}://${rest}`);
  if (url === null || url.hostname === '') throw new NoHostUrl(causeOf('host_url.no_address'));
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new NoHostUrl(causeOf('host_url.scheme'));
  if (url.username !== '' || url.password !== '') throw new NoHostUrl(causeOf('host_url.username'));
  if (scheme === undefined && url.port === '' && !/:\d+\/?$/.test(rest)) url.port = String(standardPort);
  // What is copied from a browser ends in the path of a screen.
  return new URL(url.origin);
}

const standardPort = 8471;

/** Whether what is sent there stays on this machine. */
export function isOnThisMachine({ hostname }: URL): boolean {
  return (
    hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'))
  );
}

/** As `node:net` and `node:tls` take it: IPv6 without brackets. */
export function hostnameOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** A fingerprint as `AB:CD:…` out of what somebody pasted, with or without colons; null: it is none of SHA-256. */
export function readFingerprint(text: string): string | null {
  const digits = text.replace(/[\s:]/g, '').toUpperCase();
  if (!/^[\dA-F]{64}$/.test(digits)) return null;
  return digits.match(/../g)?.join(':') ?? null;
}

/** RFC 6066, 3: an address is no server name. */
export function serverNameOf(url: URL): string | undefined {
  const name = hostnameOf(url);
  return isIPv4(name) || isIPv6(name) ? undefined : name;
}
