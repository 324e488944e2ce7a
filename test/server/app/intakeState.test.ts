import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { reachableAddresses } from '../../../server/app/intakeState.ts';

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
