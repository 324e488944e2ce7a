import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/**
 * Whether a host name or address, with a port, leads to this host itself. Names other than `localhost` are answered
 * false: what they stand for is asked again once they are resolved.
 */
export type IsOwnAddress = (host: string, port: number) => boolean;

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addSubnet('0.0.0.0', 8, 'ipv4'); // "this host", RFC 1122 section 3.2.1.3: connects to loopback on Linux
loopback.addAddress('::1', 'ipv6');
loopback.addAddress('::', 'ipv6');

/** @param ports the ports that this host listens on, as they are at the time of the question */
export function createOwnAddress(ports: () => readonly number[]): IsOwnAddress {
  return (host, port) => ports().includes(port) && isThisMachine(host);
}

function isThisMachine(host: string): boolean {
  const name = host
    .replace(/^\[|\]$/g, '')
    .replace(/%.*$/, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  const family = isIP(name);
  if (family === 0) return false;
  const own = new BlockList();
  for (const it of Object.values(networkInterfaces()).flatMap((list) => list ?? [])) {
    own.addAddress(it.address.replace(/%.*$/, ''), it.family === 'IPv6' ? 'ipv6' : 'ipv4');
  }
  // A BlockList reads ::ffff:a.b.c.d as the IPv4 address that it stands for.
  const kind = family === 6 ? 'ipv6' : 'ipv4';
  return loopback.check(name, kind) || own.check(name, kind);
}
