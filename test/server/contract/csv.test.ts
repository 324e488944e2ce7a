import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CsvFault, decodeText } from '../../../server/contract/csv.ts';
import { proposeMapping } from '../../../server/contract/vehicleCsv.ts';
import { parseCsv } from '../../support/parseCsv.ts';

describe('a CSV text', () => {
  it.each<[string, Record<string, string>[]]>([
    ['', []],
    ['a,b', []],
    ['a,b\n1,2', [{ a: '1', b: '2' }]],
    ['a,b\r\n1,2\r\n', [{ a: '1', b: '2' }]],
    ['\uFEFFa;b\n1;2', [{ a: '1', b: '2' }]],
    ['a,b\n"x, y",z', [{ a: 'x, y', b: 'z' }]],
    ['a,b\n"say ""hi""",z', [{ a: 'say "hi"', b: 'z' }]],
    [
      'a,b\n"two\nlines",z\n3,4',
      [
        { a: 'two\nlines', b: 'z' },
        { a: '3', b: '4' },
      ],
    ],
    ['a,b\n1,', [{ a: '1' }]],
    ['a,b\n1', [{ a: '1' }]],
    ['a , b\n 1 ,2 ', [{ a: '1', b: '2' }]],
    ['a,b\n\n1,2\n\n', [{ a: '1', b: '2' }]],
    ['a;b\n1,5;2', [{ a: '1,5', b: '2' }]],
    ['"a;x",b\n1,2', [{ 'a;x': '1', b: '2' }]],
    ['a,b\nx"y,2', [{ a: 'x"y', b: '2' }]],
    ['a\tb\n1,5\t2', [{ a: '1,5', b: '2' }]],
    ['sep=;\r\na,x;b\n1;2', [{ 'a,x': '1', b: '2' }]],
    ['a,b,,\n1,2,,\n,,,\n', [{ a: '1', b: '2' }]],
  ])('%j is %j', (text, records) => {
    expect(parseCsv(text)).toEqual(records);
  });

  it('a CSV text says on which line a quote opens that is not closed', () => {
    expect(() => parseCsv('a,b\n1,2\n"3,4\n5,6')).toThrow(
      expect.objectContaining({ name: 'CsvFault', message: 'line 3 opens a quote that is not closed' }),
    );
  });

  it('a CSV text says which line is longer than the head line', () => {
    expect(() => parseCsv('a,b\n"1\n1",2\n3,4,5')).toThrow(
      expect.objectContaining({ name: 'CsvFault', message: 'line 4 has more fields than the head line' }),
    );
  });

  it('a CSV text is read no further than one record beyond as many as are wanted', () => {
    expect(parseCsv('a\n'.repeat(1_000_000), 5_000)).toHaveLength(5_001);
  });

  it('a CSV text is refused when a line has more fields than any file of ours', () => {
    expect(() => parseCsv(','.repeat(1_000_000))).toThrow(
      expect.objectContaining({ name: 'CsvFault', message: 'line 1 has more than 1000 fields' }),
    );
  });

  it('a CSV text holds whatever was written into it', () => {
    const field = fc.string({
      unit: fc.constantFrom('a', ' ', ',', ';', '"', '\n', '\r', 'ü', '0'),
      maxLength: 6,
    });
    const table = fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { maxLength: 6 });
    fc.assert(
      fc.property(
        table,
        fc.constantFrom(',', ';'),
        fc.constantFrom('\n', '\r\n'),
        (cells, separator, lineEnd) => {
          const names = ['w', 'x', 'y', 'z'];
          const quoted = cells.map((row) => row.map((it) => `"${it.replaceAll('"', '""')}"`));
          const text = [names, ...quoted].map((row) => row.join(separator)).join(lineEnd);
          const wanted = cells
            .map((row) =>
              Object.fromEntries(row.flatMap((it, at) => (it.trim() === '' ? [] : [[names[at], it.trim()]]))),
            )
            // A line of separators is none.
            .filter((row) => Object.keys(row).length > 0);
          expect(parseCsv(text)).toEqual(wanted);
        },
      ),
    );
  });

  it('a CSV text crashes on nothing: it is read or refused', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ',', ';', '"', '\n', '\r') }), (text) => {
        try {
          parseCsv(text);
        } catch (error) {
          expect(error).toBeInstanceOf(CsvFault);
        }
      }),
    );
  });
});

const umlauts = 'Kennzeichen;Name\r\nMÜ-ßÄ 12;Größe 5 €';
const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();
/** Windows-1252 is Latin-1 but for some signs, of which the euro is one. */
const windows1252 = (text: string) =>
  Buffer.from(Array.from(text, (letter) => (letter === '€' ? 0x80 : letter.charCodeAt(0))));

it.each([
  ['UTF-8', Buffer.from(umlauts)],
  ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${umlauts}`)],
  ['Windows-1252', windows1252(umlauts)],
  ['UTF-16, little end first, with a byte order mark', Buffer.from(`\uFEFF${umlauts}`, 'utf16le')],
  ['UTF-16, big end first, with a byte order mark', bigEndian(`\uFEFF${umlauts}`)],
  ['UTF-16, little end first', Buffer.from(umlauts, 'utf16le')],
  ['UTF-16, big end first', bigEndian(umlauts)],
])('a file in %s is read by its bytes', (_, bytes) => {
  expect(decodeText(bytes)).toBe(umlauts);
});

it('a file of anything is some text', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => {
      expect(typeof decodeText(bytes)).toBe('string');
    }),
  );
});

it('columns of vehicles are known by common names, in whatever case, order and language', () => {
  expect(
    proposeMapping(['Fahrzeug', 'Kennzeichen', 'IMEI', 'Fahrer', 'Bemerkung', 'Höchstgeschwindigkeit']),
  ).toEqual({
    terminal_id: 'IMEI',
    name: 'Fahrzeug',
    plate: 'Kennzeichen',
    driver: 'Fahrer',
    speed_limit_kmh: 'Höchstgeschwindigkeit',
  });
  expect(proposeMapping(['Device ID', 'Unit Name', 'License Plate', 'VIN', 'Group', ''])).toEqual({
    terminal_id: 'Device ID',
    name: 'Unit Name',
    plate: 'License Plate',
    vin: 'VIN',
    group_ids: 'Group',
  });
  // Its own name comes before any other, and a name stands for one column alone.
  expect(proposeMapping(['IMEI', 'terminal_id', 'Terminal ID'])).toEqual({ terminal_id: 'terminal_id' });
});
