import { describe, expect, it } from 'vitest';
import type { Cause } from '../../../server/contract/causes.ts';
import { detailOf } from '../../../server/contract/causeTexts.ts';
import { hostError, urlError } from '../../../server/http/outgoingCall.ts';

const said = (cause: Cause | null) => (cause === null ? null : detailOf([cause]));
const faultOf = (written: string) => said(urlError(written, new URL(written)));

describe('the host of an outgoing call', () => {
  it.each([
    ['169.254.169.254', 'is a link-local address'],
    ['169.254.0.1', 'is a link-local address'],
    ['fe80::1', 'is a link-local address'],
    ['[fe80::1]', 'is a link-local address'],
    ['fe80::1%eth0', 'is a link-local address'],
    ['0.0.0.0', 'is an unspecified address'],
    ['0.1.2.3', 'is an unspecified address'],
    ['::', 'is an unspecified address'],
    ['224.0.0.1', 'is a multicast address'],
    ['239.255.255.255', 'is a multicast address'],
    ['ff02::1', 'is a multicast address'],
    ['255.255.255.255', 'is a broadcast or reserved address'],
    ['240.0.0.1', 'is a broadcast or reserved address'],
    ['::ffff:192.168.1.9', 'hides an IPv4 address'],
    ['[::ffff:a9fe:a9fe]', 'hides an IPv4 address'],
    ['::192.168.1.9', 'hides an IPv4 address'],
    ['64:ff9b::169.254.169.254', 'hides an IPv4 address'],
    ['64:ff9b:1::1', 'hides an IPv4 address'],
    ['2002:a9fe:a9fe::1', 'hides an IPv4 address'],
    ['2001:0:1::1', 'hides an IPv4 address'],
    ['100.100.100.200', 'is a metadata service of a cloud'],
    ['fd00:ec2::254', 'is a metadata service of a cloud'],
    ['metadata.google.internal', 'is a metadata service of a cloud'],
    ['METADATA.google.internal.', 'is a metadata service of a cloud'],
  ])('%s is refused: it %s', (host, fault) => {
    expect(said(hostError(host))).toBe(fault);
  });

  it.each([
    ...['10.1.2.3', '172.16.0.9', '192.168.1.64', '100.64.0.7', 'fd12:3456::9', '8.8.8.8', '2001:db8::9'],
    ...['127.0.0.1', '::1', '[::1]', 'localhost', 'camera.local', 'hooks.example'],
  ])('%s may be called', (host) => {
    expect(hostError(host)).toBeNull();
  });

  it('an IPv4 address in decimal, octal, hexadecimal or short form is refused with the usual form', () => {
    for (const written of [
      ...['http://3232235777/', 'http://0xc0a80101/', 'http://0300.0250.1.1/', 'http://192.168.257/'],
      ...['http://user:word@0xc0.168.1.1:80/x', 'http:\\\\3232235777/', 'http://192.168.1.1./'],
    ]) {
      expect(faultOf(written)).toBe('is written in an unusual way: write 192.168.1.1');
    }
    expect(faultOf('http://user:word@192.168.1.1:80/x')).toBeNull();
    expect(faultOf('http://2852039166/')).toBe('is written in an unusual way: write 169.254.169.254');
    expect(faultOf('HTTPS://Hooks.Example/a@b')).toBeNull();
  });
});
