import { networkInterfaces } from 'node:os';

/** Where other machines reach what listens at this address of the machine, without names; IPv4 first. */
export function reachableAddresses(host: string): string[] {
  if (host !== '0.0.0.0' && host !== '::') return [host];
  const outward = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter((it) => !it.internal);
  const addressesOf = (family: string) =>
    outward.filter((it) => it.family === family && !isLinkLocal(it.address)).map((it) => it.address);
  return [...addressesOf('IPv4'), ...(host === '::' ? addressesOf('IPv6') : [])];
}

/** RFC 4291, 2.5.6: means something only together with an interface of the machine that asks. */
function isLinkLocal(address: string): boolean {
  return /^fe[89ab]/i.test(address);
}
