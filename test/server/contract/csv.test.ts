import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCsv, UnreadableFile } from '../../../server/contract/csv.ts';
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
  ])('%j is %j', (text, records) => {
    expect(parseCsv(text)).toEqual(records);
  });

  it('a CSV text says on which line a quote opens that is not closed', () => {
    expect(() => parseCsv('a,b\n1,2\n"3,4\n5,6')).toThrow(
      expect.objectContaining({ reason: 'open_quote', line: 3 }),
    );
  });

  it('a CSV text says which line is longer than the head line', () => {
    expect(() => parseCsv('a,b\n"1\n1",2\n3,4,5')).toThrow(
      expect.objectContaining({ reason: 'long_row', line: 4 }),
    );
  });

  it('a CSV text is read no further than one record beyond as many as are wanted', () => {
    expect(parseCsv('a\n'.repeat(1_000_000), 5_000)).toHaveLength(5_001);
  });

  it('a CSV text is refused when a line has more fields than any file of ours', () => {
    expect(() => parseCsv(','.repeat(1_000_000))).toThrow(
      expect.objectContaining({ reason: 'many_fields', line: 1 }),
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
          const wanted = cells.map((row) =>
            Object.fromEntries(row.flatMap((it, at) => (it.trim() === '' ? [] : [[names[at], it.trim()]]))),
          );
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
          expect(error).toBeInstanceOf(UnreadableFile);
        }
      }),
    );
  });

  it.each<[string, string, string[], string[][]]>([
    ['tabs', 'a\tb\n1\t2', ['a', 'b'], [['1', '2']]],
    ['a stated separator', 'sep=;\r\na,b;c\r\n1;2', ['a,b', 'c'], [['1', '2']]],
    ['more semicolons than commas', 'a, in m;b;c\n1,5;2;3', ['a, in m', 'b', 'c'], [['1,5', '2', '3']]],
    ['quoted separators', '"a;b;c",d\n1,2', ['a;b;c', 'd'], [['1', '2']]],
    [
      'separators without anything after them',
      'a;b;;\n1;2;;\n3;;;',
      ['a', 'b'],
      [
        ['1', '2'],
        ['3', ''],
      ],
    ],
    [
      'equal column names',
      'a,a,a (2),a\n1,2,3,4',
      ['a', 'a (2)', 'a (2) (2)', 'a (3)'],
      [['1', '2', '3', '4']],
    ],
    ['a column without a name', 'a,,b\n1,2,3', ['a', 'column 2', 'b'], [['1', '2', '3']]],
    ['a column name over two lines', '"a\r\nb",c\r\n1,2', ['a b', 'c'], [['1', '2']]],
    ['line ends of an old Mac', 'a;b\r1;"x\ry"\r', ['a', 'b'], [['1', 'x\ry']]],
  ])('a CSV text with %s is read', (_, text, columns, fields) => {
    const table = readCsv(text);
    expect(table.columns).toEqual(columns);
    expect([...table.records].map((it) => it.fields)).toEqual(fields);
  });

  it('a CSV text counts lines from the line that states the separator', () => {
    expect(() => parseCsv('sep=;\na;b\n1;2;3')).toThrow(
      expect.objectContaining({ reason: 'long_row', line: 3 }),
    );
  });

  it('a CSV text whose first line holds more than names of columns is refused', () => {
    expect(() => readCsv(`a,${'b'.repeat(121)}\n1,2`)).toThrow(
      expect.objectContaining({ reason: 'long_name', line: 1 }),
    );
  });
});
