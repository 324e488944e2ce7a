import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { createOwnAddress } from '../../../server/video/ownAddress.ts';

const isOwn = createOwnAddress(() => [8471, 5055]);

describe('an address of this host', () => {
  it.each([
    '127.0.0.1',
    '127.8.9.1',
    'localhost',
    'LOCALHOST.',
    'camera.localhost',
    '::1',
    '[::1]',
    '0.0.0.0',
    '::',
    '::ffff:127.0.0.1',
    '[::ffff:7f00:1]',
  ])('%s is known with one of its ports', (host) => {
    expect(isOwn(host, 8471)).toBe(true);
    expect(isOwn(host, 8472)).toBe(false);
  });

  it('an address of this host is each of its interfaces, too', () => {
    const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    for (const { address } of addresses) expect(isOwn(address, 5055)).toBe(true);
  });

  it('an address of this host is no other machine, and no name that is still to be looked up', () => {
    expect(isOwn('192.0.2.9', 8471)).toBe(false);
    expect(isOwn('2001:db8::9', 8471)).toBe(false);
    expect(isOwn('camera.example', 8471)).toBe(false);
  });
});
