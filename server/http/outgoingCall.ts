import type { Cause } from '../contract/causes.ts';
import { causeOf } from '../contract/causeTexts.ts';
import { lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

type AddressFault =
  `address.${'link_local' | 'unspecified' | 'multicast' | 'reserved' | 'hidden_ipv4' | 'metadata'}`;

/** `dns.lookup` or what stands for it. */
export type Resolve = typeof systemLookup;

/**
 * What no webhook and no camera is at. Private networks (10/8, 172.16/12, 192.168/16, fc00::/7) are not among them:
 * cameras and home servers are there. Loopback is not either: whether a port is ours is asked elsewhere.
 */
const forbidden: readonly (readonly [reason: AddressFault, subnets: readonly string[]])[] = [
  // RFC 3927 and RFC 4291 section 2.5.6. 169.254.169.254 is where clouds answer with credentials.
  ['address.link_local', ['169.254.0.0/16', 'fe80::/10']],
  // RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.2
  ['address.unspecified', ['0.0.0.0/8', '::/128']],
  ['address.multicast', ['224.0.0.0/4', 'ff00::/8']],
  // RFC 1112 section 4; the last of them is the broadcast address.
  ['address.reserved', ['240.0.0.0/4']],
  [
    'address.hidden_ipv4',
    [
      // RFC 4291 section 2.5.5: IPv4-mapped and IPv4-compatible (`::1` is let through below).
      ...['::ffff:0:0/96', '::/96'],
      // NAT64, RFC 6052 section 2.1 and RFC 8215; Teredo, RFC 4380; 6to4, RFC 3056.
      ...['64:ff9b::/96', '64:ff9b:1::/48', '2001::/32', '2002::/16'],
    ],
  ],
  // Alibaba, Azure, Oracle; AWS and Google by IPv6.
  [
    'address.metadata',
    ['100.100.100.200/32', '168.63.129.16/32', '192.0.0.192/32', 'fd00:ec2::254/128', 'fd20:ce::254/128'],
  ],
];

// Apart for each family: a list of both matches every IPv4 address by the subnet of the mapped ones.
const lists = forbidden.map(([reason, subnets]) => {
  const ipv4 = new BlockList();
  const ipv6 = new BlockList();
  for (const subnet of subnets) {
    const [address = '', prefix] = subnet.split('/');
    if (isIP(address) === 4) ipv4.addSubnet(address, Number(prefix), 'ipv4');
    else ipv6.addSubnet(address, Number(prefix), 'ipv6');
  }
  return { reason, ipv4, ipv6 };
});

const metadataNames = new Set([
  ...['metadata', 'metadata.google.internal', 'metadata.goog', 'metadata.azure.internal'],
  ...['instance-data', 'instance-data.ec2.internal', 'metadata.tencentyun.com'],
]);

/**
 * Why nothing is called at a host, as the rest of a sentence about it; null when it may be.
 * @param host the `hostname` of a URL, or an address that a name was resolved to
 */
export function hostError(host: string): Cause | null {
  const name = host
    .replace(/^\[|\]$/g, '')
    .replace(/%.*$/, '')
    .replace(/\.$/, '')
    .toLowerCase();
  const family = isIP(name);
  if (family === 0) return metadataNames.has(name) ? causeOf('address.metadata') : null;
  if (name === '::1') return null;
  const found = lists.find((it) => (family === 4 ? it.ipv4.check(name) : it.ipv6.check(name, 'ipv6')));
  return found === undefined ? null : causeOf(found.reason);
}

const writtenHost = /^https?:[/\\]*(?:[^/\\?#]*@)?(\[[^\]]*\]|[^/\\?#:]*)/i;

/** The same for a URL as somebody wrote it, where decimal, octal, hexadecimal and short IPv4 are refused, too. */
export function urlError(written: string, url: URL): Cause | null {
  const host = writtenHost.exec(written.trim())?.[1] ?? '';
  const isTemplate = host.includes('{');
  if (isIP(url.hostname) === 4 && host !== url.hostname && !isTemplate)
    return causeOf('address.unusual', { address: url.hostname });
  return hostError(url.hostname);
}

/**
 * Resolves a name once, and hands the socket what was checked: what the name stands for a moment later does not
 * matter. One refused address among several refuses the name. IP addresses do not come this way.
 * @param refusal of an address; null when it may be called
 */
export function guardedLookup(
  refusal: (address: string) => Error | null,
  resolve: Resolve = systemLookup,
): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        done(error, '', 0);
        return;
      }
      const refused = addresses.map((it) => refusal(it.address)).find((it) => it !== null);
      const [first] = addresses;
      if (refused !== undefined) done(refused, '', 0);
      else if (options.all === true) done(null, addresses);
      else if (first === undefined) done(new Error(`${hostname} has no address`), '', 0);
      else done(null, first.address, first.family);
    });
  };
}

/** The port of a URL of HTTP or HTTPS, the usual one where it names none. */
export function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}

/** https://nodejs.org/api/tls.html#x509-certificate-error-codes */
export const certificateError =
  /^(CERT_|UNABLE_TO_|SELF_SIGNED_CERT|DEPTH_ZERO_|ERR_TLS_CERT_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|PATH_LENGTH_)/;

/** Codes of the system, as the rest of a sentence about the server. */
export const connectionErrors: Readonly<Record<string, Cause>> = {
  ECONNREFUSED: causeOf('outgoing.refused'),
  ECONNRESET: causeOf('outgoing.reset'),
  EHOSTUNREACH: causeOf('outgoing.no_route'),
  ENETUNREACH: causeOf('outgoing.no_route'),
  ETIMEDOUT: causeOf('outgoing.silent'),
  ENOTFOUND: causeOf('outgoing.name_unknown'),
  EAI_AGAIN: causeOf('outgoing.name_failed'),
};

/** In seconds. `Retry-After` is seconds or a date (RFC 9110, section 10.2.3). */
export function retryAfterOf(header: string | undefined, now_ms: number): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const at_ms = Date.parse(header);
  return Number.isNaN(at_ms) ? null : Math.max(0, (at_ms - now_ms) / 1_000);
}
