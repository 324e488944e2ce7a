import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crc16 } from '../../../../../server/telemetry/protocols/crc16.ts';
import {
  packetLength,
  readChecked,
  readLogin,
  readPacket,
  readSender,
} from '../../../../../server/telemetry/protocols/wialon/packets.ts';
import { crcOf } from '../../../../support/fakeWialon.ts';

const bytes = (text: string) => Buffer.from(text, 'utf8');

describe('a packet', () => {
  it('a packet is as long as its line', () => {
    expect(packetLength(bytes('#P#\r\n#P#\r\n'))).toBe(5);
    expect(packetLength(bytes('#P#\n'))).toBe(4);
    expect(packetLength(bytes('\r\n#P#'))).toBe(1);
  });

  it('a packet has no length while its line has no end', () => {
    for (const begun of ['#', '#S', '#SD', '#SD#', '#SD#270413;205601', '#M#Батар']) {
      expect(packetLength(bytes(begun))).toBe(0);
    }
  });

  it('a packet goes on after its line when it is a picture or a part of a tachograph file', () => {
    const picture = '#I#512;0;4;010114;120000;a.jpg\r\n';
    expect(packetLength(bytes(picture))).toBe(picture.length + 512);
    const part = '#T#7;300;0;ABCD\r\n';
    expect(packetLength(bytes(part))).toBe(part.length + 300);
    expect(packetLength(bytes('#I#x;0\r\n'))).toBe(8);
  });

  it('a packet is none without a type between two #', () => {
    for (const foreign of [
      'GET / HTTP/1.1',
      '##',
      '#sd#',
      '#L;',
      '#TOOLONGTYPE',
      '\x00\x0f35630704244',
      ' #P#',
    ]) {
      expect(packetLength(bytes(foreign))).toBeNull();
    }
    expect(readPacket(bytes('hello'))).toBeNull();
    expect(readPacket(bytes('1234##x'))).toBeNull();
  });

  it('a packet says its type, its body and, over UDP, its sender', () => {
    expect(readPacket(bytes('#D#a;b\r\n'))).toEqual({ sender: '', type: 'D', body: bytes('a;b') });
    expect(readPacket(bytes('2.0;77#SD#a#b'))).toEqual({ sender: '2.0;77', type: 'SD', body: bytes('a#b') });
    expect(readPacket(bytes('#P#\r\n'))).toEqual({ sender: '', type: 'P', body: bytes('') });
    expect(readPacket(bytes('#M#x\r\r\n'))).toEqual({ sender: '', type: 'M', body: bytes('x') });
  });
});

describe('a checksum', () => {
  it('a checksum is CRC-16/ARC', () => {
    // The check value of the catalogue of parametrised CRC algorithms.
    expect(crc16(bytes('123456789'))).toBe(0xbb3d);
    fc.assert(
      fc.property(fc.string(), (text) => crc16(bytes(text)).toString(16).toUpperCase() === crcOf(text)),
    );
  });

  it('a checksum is over all before it, and may be written with 0x and without padding', () => {
    for (const text of ['x;', 'Батарея;100 %;', ';']) {
      const crc = crcOf(text);
      for (const written of [crc, crc.toLowerCase(), `0x${crc}`, crc.padStart(4, '0')]) {
        expect(readChecked(bytes(text + written), ';')).toBe(text.slice(0, -1));
      }
    }
    const box = 'a|b|';
    expect(readChecked(bytes(box + crcOf(box)), '|')).toBe('a|b');
  });

  it('a checksum that does not fit or is not there is not taken', () => {
    for (const body of ['x;0', 'x;', 'x', '', 'x;12345', 'x;zz', `x;${crcOf('y;')}`]) {
      expect(readChecked(bytes(body), ';')).toBeNull();
    }
  });
});

describe('a login', () => {
  it('a login of 1.1 is a number and a password, or none', () => {
    expect(readLogin(bytes('2002;NA'))).toEqual({ terminalId: '2002', isChecked: false });
    expect(readLogin(bytes('2002'))).toEqual({ terminalId: '2002', isChecked: false });
    expect(readLogin(bytes(' ;NA'))).toBeNull();
    expect(readLogin(bytes(`${'2'.repeat(65)};NA`))).toBeNull();
  });

  it('a login of 2.0 begins with the version and ends with a CRC', () => {
    const body = '2.0;2002;secret;';
    expect(readLogin(bytes(body + crcOf(body)))).toEqual({ terminalId: '2002', isChecked: true });
    expect(readLogin(bytes(`${body}1`))).toBe('bad_checksum');
    expect(readLogin(bytes(`2.0;;NA;${crcOf('2.0;;NA;')}`))).toBeNull();
  });

  it('a login is not needed by datagrams, which say both in front', () => {
    expect(readSender('2002')).toEqual({ terminalId: '2002', isChecked: false });
    expect(readSender('2'.repeat(64))).not.toBeNull();
    expect(readSender('2'.repeat(65))).toBeNull();
    expect(readSender('2.0;2002')).toEqual({ terminalId: '2002', isChecked: true });
    expect(readSender('')).toBeNull();
    expect(readSender('2.0;')).toBeNull();
  });
});

describe('bytes of any kind', () => {
  it('bytes of any kind break no reader, and the length of a packet does not depend on what follows it', () => {
    const line = fc.string({
      unit: fc.constantFrom(...Array.from('#;|,:\r\n.0123456789NAEWSDBLPMIT\u0411 ')),
      maxLength: 60,
    });
    fc.assert(
      fc.property(line, line, (text, more) => {
        const whole = bytes(text);
        if (whole.length === 0) return;
        const length = packetLength(whole);
        readPacket(whole);
        readLogin(whole);
        readChecked(whole, ';');
        readChecked(whole, '|');
        if (length !== null && length > 0) expect(packetLength(bytes(text + more))).toBe(length);
      }),
      { numRuns: 500 },
    );
  });
});
