import * as XLSX from '@e965/xlsx';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ExportTooLarge } from '../../../../server/reports/export/collected.ts';
import { createServerWords } from '../../../../server/contract/texts/serverWords.ts';
import type { Cell } from '../../../../server/reports/export/cells.ts';
import type { ExportColumn, ExportTable } from '../../../../server/reports/export/exportTable.ts';
import { columnName } from '../../../../server/reports/export/xlsxSheet.ts';
import { sheetName, xlsxWorkbook } from '../../../../server/reports/export/xlsxWorkbook.ts';

const columns: ExportColumn[] = [
  { label: 'Vehicle', kind: 'text' },
  { label: 'Day', kind: 'date' },
  { label: 'Departure', kind: 'time' },
  { label: 'Duration', kind: 'duration', total: 'sum' },
  { label: 'Distance, km', kind: 'distance', total: 'sum' },
  { label: 'Top, km/h', kind: 'speed', total: 'max' },
  { label: 'Driving, %', kind: 'share' },
  { label: 'Late', kind: 'flag' },
];

const departure = (time: string) => Date.parse(time);
const rows: Cell[][] = [
  ['Van 1', '2026-10-25', departure('2026-10-25T00:30:00Z'), 93_909, 12_345.6, 71.5, 0.25, true],
  ['Van 2', '2026-10-25', departure('2026-10-25T01:30:00.250Z'), 60, 654.4, 88.2, null, false],
  ['Van 2', '2026-03-01', departure('2026-03-01T12:00:00Z'), null, 0, null, 1, false],
];

const tableOf = (more: Partial<ExportTable>): ExportTable => ({
  title: 'Trips',
  facts: () => [['Period', '2026-10-01 00:00 to 2026-11-01 00:00, Europe/Berlin']],
  columns,
  rows,
  chart: () => null,
  tz: 'Europe/Berlin',
  now_ms: departure('2026-11-24T12:00:00Z'),
  words: createServerWords({}),
  ...more,
});

/** Read by SheetJS, which shares no code with what writes. */
async function readBack(table: ExportTable) {
  const bytes = Buffer.concat(await xlsxWorkbook(table, 10_000_000));
  const book = XLSX.read(bytes, { cellNF: true, cellFormula: true, cellStyles: true, bookFiles: true });
  const sheet = book.Sheets[book.SheetNames[0] ?? ''];
  if (sheet === undefined) throw new Error('the workbook has no sheet');
  const { files } = book as unknown as { files: Record<string, { content: Uint8Array }> };
  const partOf = (path: string) => Buffer.from(files[path]?.content ?? []).toString('utf8');
  const cell = (at: string) => sheet[at] as XLSX.CellObject | undefined;
  return { book, sheet, cell, partOf };
}

describe('a workbook', () => {
  test('a workbook holds numbers, dates of the depot and durations as such, and shows them as printed pages do', async () => {
    const { cell } = await readBack(tableOf({}));
    const shown = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'].map((column) => cell(`${column}2`)?.w);
    expect(shown).toEqual([
      'Van 1',
      '2026-10-25',
      '2026-10-25 02:30:00',
      '26:05:09',
      '12.35',
      '71.5',
      '25%',
      'TRUE',
    ]);
    expect(cell('D2')).toMatchObject({
      t: 'n',
      v: Number((93_909 / 86_400).toPrecision(15)),
      z: '[h]:mm:ss',
    });
    expect(cell('E2')).toMatchObject({ t: 'n', v: 12.3456, z: '0.00' });
    // The clocks went back between the two: an hour of UTC is none of the wall.
    expect(cell('C3')?.w).toBe('2026-10-25 02:30:00');
    expect(cell('C4')?.w).toBe('2026-03-01 13:00:00');
    expect(['D4', 'F4', 'G3'].map((at) => cell(at))).toEqual([undefined, undefined, undefined]);
  });

  test('a workbook ends in totals that go by what is filtered, with the values of all rows', async () => {
    const { cell } = await readBack(tableOf({}));
    expect(cell('A5')?.v).toBe('Total');
    expect(cell('D5')).toMatchObject({
      f: 'SUBTOTAL(109,D2:D4)',
      v: Number((93_969 / 86_400).toPrecision(15)),
      w: '26:06:09',
    });
    expect(cell('E5')).toMatchObject({ f: 'SUBTOTAL(109,E2:E4)', v: 13 });
    expect(cell('F5')).toMatchObject({ f: 'SUBTOTAL(104,F2:F4)', v: 88.2 });
  });

  test('the head of a workbook stands still, has filters and is printed on each page; columns are as wide as their text', async () => {
    const long = 'Elm Street 12, Elmswell, behind the yard';
    const { sheet, partOf } = await readBack(tableOf({ rows: [[long, ...(rows[0]?.slice(1) ?? [])]] }));
    const xml = partOf('xl/worksheets/sheet1.xml');
    expect(xml).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
    expect(sheet['!autofilter']).toEqual({ ref: 'A1:H2' });
    expect(partOf('xl/workbook.xml')).toContain("'Trips'!$1:$1");
    expect(xml).toContain(`<col min="1" max="1" width="${long.length + 2}" customWidth="1"/>`);
  });

  test('a workbook says on a second sheet what was asked for', async () => {
    const { book } = await readBack(tableOf({}));
    expect(book.SheetNames).toEqual(['Trips', 'Details']);
    const details = XLSX.utils.sheet_to_json<string[]>(book.Sheets['Details'] ?? {}, { header: 1 });
    expect(details[0]).toEqual(['Trips']);
    expect(details.at(-1)).toEqual(['Period', '2026-10-01 00:00 to 2026-11-01 00:00, Europe/Berlin']);
  });

  test('a report without rows is a workbook of its head alone', async () => {
    const { sheet, cell } = await readBack(tableOf({ rows: [] }));
    expect(sheet['!ref']).toBe('A1:H1');
    expect(cell('A1')?.v).toBe('Vehicle');
  });

  test('text stays text in a workbook whatever it begins with, also when a cell is edited', async () => {
    const bad = ['=1+1', '+1', '-1', '@cmd', '\t=1', '=HYPERLINK("http://x")'];
    const { cell, partOf } = await readBack(
      tableOf({ columns: [{ label: 'Name', kind: 'text' }], rows: bad.map((it) => [it]) }),
    );
    for (const [at, text] of bad.entries()) {
      expect(cell(`A${at + 2}`)).toMatchObject({ t: 's', v: text });
      expect(cell(`A${at + 2}`)?.f).toBeUndefined();
    }
    const xml = partOf('xl/worksheets/sheet1.xml');
    const style = Number(/<c r="A2" s="(\d+)" t="inlineStr">/.exec(xml)?.[1]);
    const looks =
      partOf('xl/styles.xml')
        .split('<cellXfs')[1]
        ?.match(/<xf [^>]*>/g) ?? [];
    expect(looks[style]).toContain('quotePrefix="1"');
  });

  test('any text is read back from a workbook as it was written', async () => {
    const parts = [
      '_x000D_',
      '_x0041_',
      '_',
      'x00',
      '\u0001',
      '\uFFFF',
      '<a>',
      '&amp;',
      '"',
      "'",
      ' ',
      '\n',
      '\r\n',
    ];
    const unit = fc.constantFrom(...parts, '\t', 'ä', '\u2028', '🚚', '\uD800', '=', '0');
    const all = fc.sample(fc.string({ unit, minLength: 1, maxLength: 12 }), { numRuns: 300, seed: 7 });
    const { cell } = await readBack(
      tableOf({ columns: [{ label: 'Name', kind: 'text' }], rows: all.map((it) => [it]) }),
    );
    // SheetJS reads all line breaks as those of spreadsheets.
    const read = (text: string) => text.toWellFormed().replaceAll('\r\n', '\n');
    for (const [at, text] of all.entries()) expect(cell(`A${at + 2}`)?.v).toBe(read(text));
  });

  test('a workbook of more bytes than may be is refused while it is written', async () => {
    const endless = {
      *[Symbol.iterator]() {
        for (let at = 0; ; at++) yield [`Van ${at} ${Math.sin(at)}`];
      },
    };
    const table = tableOf({ columns: [{ label: 'Name', kind: 'text' }], rows: endless });
    await expect(xlsxWorkbook(table, 200_000)).rejects.toThrow(ExportTooLarge);
  });

  test('what fails while rows are computed fails the workbook', async () => {
    const broken = {
      *[Symbol.iterator]() {
        for (let at = 0; at < 5_000; at++) yield [`Van ${at}`];
        throw new Error('the store could not be read');
      },
    };
    const table = tableOf({ columns: [{ label: 'Name', kind: 'text' }], rows: broken });
    await expect(xlsxWorkbook(table, 10_000_000)).rejects.toThrow('the store could not be read');
  });

  test('columns are named as in spreadsheets, and sheets as they may be', () => {
    expect([0, 25, 26, 51, 52, 701, 702].map(columnName)).toEqual(['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA']);
    expect(sheetName('Geofence visits')).toBe('Geofence visits');
    expect(sheetName("'A/B: [x]?'")).toBe('A B   x');
    expect(sheetName('History')).toBe('Report');
    expect(sheetName('x'.repeat(40))).toHaveLength(31);
  });
});
