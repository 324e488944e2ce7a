import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listenerName, type ListenerName } from '../../../../server/contract/intake.ts';
import { createWrongPorts, recogniseProtocol } from '../../../../server/telemetry/intake/wrongPort.ts';
import { createFakeClock } from '../../../support/fakeClock.ts';
import { firstBytes, firstBytesOfOthers, firstDatagrams } from '../../../support/firstBytes.ts';

const ports: Record<ListenerName, number> = {
  osmand: 5055,
  teltonika: 5027,
  wialon: 5039,
  jt808: 5015,
  jt1078: 5016,
};
const names = {
  osmand: 'OsmAnd',
  teltonika: 'Teltonika',
  wialon: 'Wialon',
  jt808: 'JT/T 808',
  jt1078: 'JT/T 1078',
};
const samples = listenerName.options.flatMap((protocol) =>
  Object.entries({ ...firstBytes[protocol], ...firstDatagrams[protocol] }).map(
    ([what, bytes]) => [protocol, what, bytes] as const,
  ),
);
const pairs = listenerName.options.flatMap((protocol) =>
  listenerName.options.filter((it) => it !== protocol).map((listener) => [protocol, listener] as const),
);
const portsOf = (listener: ListenerName, clock = createFakeClock()) =>
  createWrongPorts(listener, { clock, portOf: (name) => ports[name] });

describe('the first bytes of a connection', () => {
  it.each(samples)('the first bytes of a connection tell %s by %s', (protocol, _what, bytes) => {
    expect(recogniseProtocol(bytes)).toBe(protocol);
    // However much follows.
    expect(recogniseProtocol(Buffer.concat([bytes, Buffer.alloc(100_000, 0x55)]))).toBe(protocol);
  });

  it.each(Object.entries(firstBytesOfOthers))(
    'the first bytes of a connection tell %s',
    (protocol, bytes) => {
      expect(recogniseProtocol(bytes)).toBe(protocol);
    },
  );

  it.each([
    ['nothing', ''],
    ['zeros', '00'.repeat(64)],
    ['a ping of Teltonika', 'ff'],
    ['an IMEI cut off', '000f333532'],
    ['an IMEI with a letter', `000f${Buffer.from('35209308123456x').toString('hex')}`],
    ['a packet of an unknown codec', `00000000000000367f01${'00'.repeat(60)}`],
    ['delimiters of JT/T 808 alone', '7e7e7e7e7e7e'],
    ['a message of the platform', '7e810000000138001380000001ab7e'],
    ['the head of media alone', '30316364'],
    ['a line between two #', Buffer.from('#NONSENSE#x\r\n').toString('hex')],
    ['a method that there is not', Buffer.from('GETAWAY / HTTP/1.1').toString('hex')],
    ['a mail server', Buffer.from('220 mail ESMTP\r\n').toString('hex')],
  ])('the first bytes of a connection tell nothing when they are %s', (_what, hex) => {
    expect(recogniseProtocol(Buffer.from(hex, 'hex'))).toBeNull();
  });

  it('the first bytes of a connection may be any', () => {
    const known = [...listenerName.options, 'http', 'tls', 'ssh', null];
    const anyBytes = fc.oneof(
      fc.uint8Array({ maxLength: 600 }),
      // Sound ones with a change, or cut off.
      fc
        .tuple(fc.constantFrom(...samples), fc.nat(), fc.nat(255), fc.nat())
        .map(([[, , bytes], at, byte, length]) => {
          const changed = Uint8Array.from(bytes);
          changed[at % changed.length] = byte;
          return changed.subarray(0, length % (changed.length + 1));
        }),
    );
    fc.assert(fc.property(anyBytes, (bytes) => known.includes(recogniseProtocol(bytes))));
  });
});

describe('a terminal at the port of another protocol', () => {
  it.each(pairs)('%s at the port of %s is named with the port to use', (protocol, listener) => {
    const wrong = portsOf(listener);
    const all = Object.values({ ...firstBytes[protocol], ...firstDatagrams[protocol] });
    for (const bytes of all)
      expect(wrong.note(bytes, '192.0.2.7')).toBe(
        `${names[protocol]} on the ${names[listener]} port: use ${ports[protocol]}`,
      );
    expect(wrong.list()).toMatchObject([{ protocol, count: all.length, address: '192.0.2.7' }]);
  });

  it.each(listenerName.options)('%s at its own port is not named', (protocol) => {
    const wrong = portsOf(protocol);
    for (const bytes of Object.values({ ...firstBytes[protocol], ...firstDatagrams[protocol] }))
      expect(wrong.note(bytes, null)).toBeNull();
    expect(wrong.list()).toEqual([]);
  });

  it('HTTP, TLS and SSH at the port of a terminal are named', () => {
    const wrong = portsOf('wialon');
    expect(wrong.note(firstBytesOfOthers.http, null)).toBe('HTTP on the Wialon port');
    expect(wrong.note(firstBytesOfOthers.tls, null)).toBe(
      'TLS on the Wialon port: terminals connect without TLS',
    );
    expect(wrong.note(firstBytesOfOthers.ssh, null)).toBe('SSH on the Wialon port');
    expect(portsOf('osmand').note(firstBytesOfOthers.http, null)).toBeNull();
    expect(portsOf('osmand').note(firstBytesOfOthers.tls, null)).toContain('TLS on the OsmAnd port');
  });

  it('the port of a protocol that has none is not named', () => {
    const wrong = createWrongPorts('wialon', { clock: createFakeClock(), portOf: () => null });
    expect(wrong.note(firstBytesOfOthers.http, null)).toBe('HTTP on the Wialon port');
    const [imei = Buffer.alloc(0)] = Object.values(firstBytes.teltonika);
    expect(wrong.note(imei, null)).toBe('Teltonika on the Wialon port');
  });

  it('the list of wrong protocols has one row of each, the latest first, however many come', () => {
    const clock = createFakeClock();
    const wrong = portsOf('wialon', clock);
    for (let at = 0; at < 1_000; at += 1) {
      for (const [protocol, , bytes] of samples)
        if (protocol !== 'teltonika') wrong.note(bytes, `192.0.2.${at % 255}`);
      clock.advance(1_000);
      for (const bytes of Object.values(firstBytes.teltonika)) wrong.note(bytes, '192.0.2.1');
    }
    expect(wrong.list().map((it) => it.protocol)[0]).toBe('teltonika');
    expect(wrong.list()).toHaveLength(4);
    expect(wrong.list()[0]).toMatchObject({ count: 2_000, last_ms: clock.now() });
  });
});
