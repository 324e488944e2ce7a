import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import {
  reachableAddresses,
  watchMachineNames,
  type MachineNames,
} from '../../../server/http/machineAddresses.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { fakeMachine } from '../../support/fakeMachine.ts';

const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);

describe('the address of a listener for other machines', () => {
  it.each(['127.0.0.1', '192.0.2.5', '2001:db8::5', '::1'])(
    'the address of a listener for other machines is %s when it listens there alone',
    (host) => {
      expect(reachableAddresses(host)).toEqual([host]);
    },
  );

  it('the address of a listener for other machines is each of the machine’s addresses on the network when it listens at all of IPv4', () => {
    const expected = own.filter((it) => it.family === 'IPv4' && !it.internal).map((it) => it.address);
    expect(reachableAddresses('0.0.0.0')).toEqual(expected);
  });

  it('the address of a listener for other machines is no address that means something to its own machine or link alone', () => {
    const both = reachableAddresses('::');
    expect(both).toEqual(expect.arrayContaining(reachableAddresses('0.0.0.0')));
    const outside = own.filter((it) => !it.internal).map((it) => it.address);
    for (const address of both) {
      expect(outside).toContain(address);
      expect(address).not.toMatch(/^fe[89ab]/i);
    }
  });
});

describe('the names of a machine', () => {
  const names = (bound: string, machine = fakeMachine()) => {
    const seen: MachineNames[] = [];
    const clock = createFakeClock();
    const watch = watchMachineNames(bound, { machine, clock, onChange: (it) => void seen.push(it) });
    return { watch, seen, clock };
  };

  it('the names of a machine are its addresses and its host name where it listens at all addresses', () => {
    const machine = fakeMachine({ hostname: 'Depot-PC.example.lan', addresses: ['192.168.1.5', '10.8.0.2'] });
    expect(names('0.0.0.0', machine).watch.now()).toEqual({
      addresses: ['192.168.1.5', '10.8.0.2'],
      names: ['depot-pc.example.lan', 'depot-pc', 'depot-pc.local'],
    });
  });

  it('the names of a machine have IPv6 addresses where it listens at them, but none of a link alone', () => {
    const machine = fakeMachine({ addresses: ['192.168.1.5', 'fd00::5', 'fe80::1'] });
    expect(names('0.0.0.0', machine).watch.now().addresses).toEqual(['192.168.1.5']);
    expect(names('::', machine).watch.now().addresses).toEqual(['192.168.1.5', 'fd00::5']);
  });

  it('the names of a machine are none where it listens for itself alone', () => {
    for (const bound of ['127.0.0.1', '::1', 'localhost'])
      expect(names(bound).watch.now()).toEqual({ addresses: [], names: [] });
  });

  it('the names of a machine are its host name alone where it listens at one address', () => {
    expect(names('192.168.1.5').watch.now()).toEqual({ addresses: [], names: ['depot', 'depot.local'] });
  });

  it.each(['localhost', '', 'my depot', '10.0.0.1', 'dépôt', '-x', 'a'.repeat(254)])(
    'the names of a machine leave out the host name %j, which no URL can have',
    (hostname) => {
      expect(names('0.0.0.0', fakeMachine({ hostname })).watch.now().names).toEqual([]);
    },
  );

  it('the names of a machine are read again while it runs, and a change is reported once', () => {
    const machine = fakeMachine({ addresses: ['192.168.1.5'] });
    const { watch, seen, clock } = names('0.0.0.0', machine);
    clock.advance(60_000);
    expect(seen).toEqual([]);
    machine.setAddresses(['192.168.7.9']);
    clock.advance(60_000);
    expect(seen).toEqual([{ addresses: ['192.168.7.9'], names: ['depot', 'depot.local'] }]);
    expect(watch.now()).toEqual(seen[0]);
    watch.stop();
    machine.setAddresses([]);
    clock.advance(60_000);
    expect(seen).toHaveLength(1);
  });
});
