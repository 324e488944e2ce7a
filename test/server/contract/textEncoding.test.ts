import { describe, expect, it } from 'vitest';
import { decodeText } from '../../../server/contract/textEncoding.ts';
import { bytesIn, encodings } from '../../support/textBytes.ts';

const german = 'Gerät;Fahrer;Preis\r\n1;Jürgen Weiß;5 €\r\n';

describe('the text of a file', () => {
  it.each(encodings)('the text of a file in %s is detected and decoded', (encoding) => {
    expect(decodeText(bytesIn(encoding, german))).toEqual({
      text: german,
      charset: encoding.toLowerCase().replace(' with bom', ''),
    });
  });

  it('the text of a file in UTF-16 is detected in Cyrillic and Greek, too', () => {
    const text = 'имя;телефон\nГрузовик Ж;Ωμέγα\n';
    for (const encoding of encodings.filter((it) => it !== 'Windows-1252')) {
      expect(decodeText(bytesIn(encoding, text))?.text).toBe(text);
    }
  });

  it('the text of a file in Windows-1252 has the letters that Latin-1 has not', () => {
    expect(decodeText(new Uint8Array([0x80, 0x8a, 0x93, 0x94, 0x96, 0x9f, 0xff]))?.text).toBe('€Š“”–Ÿÿ');
  });

  it('the text of a file is in the charset that is stated, unless a byte order mark says otherwise', () => {
    expect(decodeText(new Uint8Array([0xa3, 0xb9]), 'windows-1250')?.text).toBe('Łą');
    expect(decodeText(bytesIn('UTF-8 with BOM', german), 'windows-1250')?.text).toBe(german);
    expect(decodeText(bytesIn('Windows-1252', german), 'utf-8')).toBeNull();
    expect(() => decodeText(new Uint8Array([1]), 'no-such-charset')).toThrow(RangeError);
  });

  it('the text of a file is none when the bytes are a workbook, or otherwise no text', () => {
    expect(decodeText(new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0x14, 0x00]))).toBeNull();
    expect(decodeText(new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]))).toBeNull();
    expect(decodeText(new TextEncoder().encode('terminal_id,name\n1,a\0b\n'))).toBeNull();
    expect(decodeText(bytesIn('UTF-16LE with BOM', german).subarray(0, -1))).toBeNull();
    expect(decodeText(new Uint8Array(1_000))).toBeNull();
  });

  it('the text of a file without bytes is empty', () => {
    expect(decodeText(new Uint8Array())?.text).toBe('');
  });
});
