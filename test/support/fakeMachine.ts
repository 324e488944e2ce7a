import { isIP } from 'node:net';
import type { NetworkInterfaceInfo } from 'node:os';
import type { Machine } from '../../server/http/machineAddresses.ts';

export interface FakeMachine extends Machine {
  setAddresses(addresses: readonly string[]): void;
}

/** A machine in a network; it has its loopback addresses too. */
export function fakeMachine({
  hostname = 'depot',
  addresses = ['192.168.1.5'],
}: { hostname?: string; addresses?: readonly string[] } = {}): FakeMachine {
  let current = addresses;
  const info = (address: string, internal: boolean): NetworkInterfaceInfo => {
    const shared = { address, internal, mac: '00:00:00:00:00:00', netmask: '', cidr: null };
    return isIP(address) === 6 ? { ...shared, family: 'IPv6', scopeid: 0 } : { ...shared, family: 'IPv4' };
  };
  return {
    hostname: () => hostname,
    interfaces: () => ({
      lo: [info('127.0.0.1', true), info('::1', true)],
      eth0: current.map((it) => info(it, false)),
    }),
    setAddresses(next) {
      current = next;
    },
  };
}
