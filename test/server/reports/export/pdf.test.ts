import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fontFiles } from '../../../../server/build.ts';
import {
  barsOf,
  columnsOf,
  createLanes,
  createSums,
  heatOf,
  timeTicks,
} from '../../../../server/reports/export/exportCharts.ts';
import { createServerWords } from '../../../../server/contract/texts/serverWords.ts';
import type { Cell } from '../../../../server/reports/export/cells.ts';
import type { ExportTable } from '../../../../server/reports/export/exportTable.ts';
import { fontFor, fontNames } from '../../../../server/reports/export/pdfFonts.ts';
import { pdfReport } from '../../../../server/reports/export/pdfReport.ts';
import { readPdf } from '../../../support/readPdf.ts';

const departure = Date.parse('2026-10-25T00:30:00Z');

/** Says how many of how many things are drawn. */
const partly = (shown: number, total: number) => `${shown} of ${total} are drawn.`;

function tableOf(rows: number, more: Partial<ExportTable> = {}): ExportTable {
  return {
    title: 'Trips',
    facts: () => [
      ['Period', '2026-10-25 00:00 to 2026-10-26 00:00, Europe/Berlin'],
      ['Vehicles', '1'],
      ['Trip radius', '100 m'],
    ],
    columns: [
      { label: 'Vehicle', kind: 'text' },
      { label: 'Departure', kind: 'time' },
      { label: 'Duration', kind: 'duration', total: 'sum' },
      { label: 'Distance, km', kind: 'distance', total: 'sum' },
      { label: 'Top, km/h', kind: 'speed', total: 'max' },
    ],
    rows: Array.from({ length: rows }, (_, at): Cell[] => [
      `Van ${at + 1}`,
      departure + at * 60_000,
      3_661 + at,
      12_345.6,
      70 + (at % 9),
    ]),
    chart: () => null,
    tz: 'Europe/Berlin',
    now_ms: Date.parse('2026-11-24T12:00:00Z'),
    words: createServerWords({}),
    ...more,
  };
}

const bytesOf = async (table: ExportTable) => Buffer.concat(await pdfReport(table, 10_000_000));
const pagesOf = async (table: ExportTable) => readPdf(await bytesOf(table));

describe('a report as PDF', () => {
  test('a report as PDF has its title, period, facts, rows by the clock of the depot, and totals', async () => {
    const [page = []] = await pagesOf(tableOf(2));
    expect(page.slice(0, 2)).toEqual(['Trips', '2026-10-25 00:00 to 2026-10-26 00:00, Europe/Berlin']);
    expect(page).toContain('Trip radius 100 m');
    expect(page).toContain('Van 1 2026-10-25 02:30:00 1:01:01 12.35 70.0');
    expect(page).toContain('Van 2 2026-10-25 02:31:00 1:01:02 12.35 71.0');
    expect(page).toContain('Total 2:02:03 24.69 71.0');
    expect(page.at(-1)).toBe('2026-11-24 13:00 Europe/Berlin · Fleetdeck Page 1 of 1');
  });

  test('a report as PDF has its times by the clock of 12 hours where that is the clock of the user', async () => {
    const words = createServerWords({ hour_cycle: 'h12' });
    const [page = []] = await pagesOf(tableOf(1, { words }));
    expect(page).toContain('Van 1 2026-10-25 2:30:00 am 1:01:01 12.35 70.0');
    expect(page.at(-1)).toBe('2026-11-24 1:00 pm Europe/Berlin · Fleetdeck Page 1 of 1');
    const noon = Date.parse('2026-11-24T11:00:00Z');
    expect(timeTicks({ from_ms: noon, to_ms: noon + 4 * 3_600_000 }, 'Europe/Berlin', words)).toEqual([
      { at: 0, label: '12:00 pm' },
      { at: 0.75, label: '3:00 pm' },
    ]);
  });

  test('a report of several pages has its head and the number of the page on each of them, and every row once', async () => {
    const pages = await pagesOf(tableOf(120));
    expect(pages.length).toBeGreaterThan(2);
    for (const [at, page] of pages.entries()) {
      expect(page.at(-1)).toContain(`Page ${at + 1} of ${pages.length}`);
      expect(page.join(' ')).toContain('Vehicle Departure Duration Distance, km Top, km/h');
    }
    const rows = pages.flat().filter((line) => line.startsWith('Van '));
    expect(rows.map((line) => Number(line.split(' ')[1]))).toEqual(
      Array.from({ length: 120 }, (_, at) => at + 1),
    );
    expect(pages.flat().filter((line) => line.startsWith('Total '))).toHaveLength(1);
  });

  test('of a long report the first rows are printed with the totals of all, and it says so', async () => {
    const bytes = Buffer.concat(await pdfReport(tableOf(1_000), 10_000_000, undefined, 20));
    const lines = (await readPdf(bytes)).flat();
    expect(lines).toContain(
      'The first 20 of 1000 rows are printed. The totals are those of all rows; XLSX and CSV have them all.',
    );
    expect(lines.filter((line) => line.startsWith('Van '))).toHaveLength(20);
    expect(lines.find((line) => line.startsWith('Total '))).toContain('12345.60');
  });

  test('a report without rows says so', async () => {
    const [page = []] = await pagesOf(tableOf(0));
    expect(page).toContain('No rows.');
  });

  test('names in any script are printed in fonts that the file brings, and what no font has as a sign for that', async () => {
    const names = ['Łódź №7', 'Москва', 'Αθήνα', 'Đà Nẵng', 'ירושלים', '北京市', 'カナ', '서울', '🚚 7'];
    const bytes = await bytesOf(
      tableOf(0, { columns: [{ label: 'Name', kind: 'text' }], rows: names.map((it) => [it]) }),
    );
    const [page = []] = await readPdf(bytes);
    for (const name of names.slice(0, -1)) expect(page).toContain(name);
    expect(page).toContain('\uFFFD 7');
    const text = bytes.toString('latin1');
    const fonts = text.match(/\/Type \/FontDescriptor\n/g) ?? [];
    expect(fonts.length).toBeGreaterThan(5);
    expect(text.match(/\/FontFile2 /g)).toHaveLength(fonts.length);
    expect(text).not.toContain('/Subtype /Type1');
    expect(bytes.length).toBeLessThan(100_000);
  });

  test('a line in two directions is printed in the order of the eye', async () => {
    const [page = []] = await pagesOf(
      tableOf(0, { columns: [{ label: 'Name', kind: 'text' }], rows: [['Van (מספר 12) north']] }),
    );
    expect(page.join('\n')).toMatch(/Van \(12 מספר\) north/);
  });

  test('text of any length stays within its column', async () => {
    const rows = [
      ['x'.repeat(3_000), departure, 1, 2, 3],
      ['word '.repeat(300), departure, 1, 2, 3],
    ];
    const [page = []] = await pagesOf(tableOf(0, { rows }));
    expect(page.filter((line) => line.includes('…'))).toHaveLength(2);
  });

  test('charts of all shapes are drawn as vectors with their labels', async () => {
    const sums = createSums();
    for (let at = 1; at <= 20; at++) sums.add(`Van ${at}`, at * 1_000);
    const heat = heatOf(
      [{ label: 'Van 1', cells: [0, 0.5, null] }],
      ['11-01', '11-02', '11-03'],
      'Share of the day spent driving',
      [{ tone: 'driving', label: 'Driving' }],
      partly,
    );
    const days = columnsOf(sums.items(), { title: 'Distance by day', kind: 'distance' });
    const bars = barsOf(sums.items(), partly, { title: 'Distance by vehicle', kind: 'distance' });
    const period = { from_ms: departure, to_ms: departure + 86_400_000 };
    const times = createLanes(period);
    for (let at = 0; at < 20; at++)
      times.add(`Van ${at}`, departure + at * 3_600_000, departure + 90_000_000);
    const lanes = times.drawn(
      'Trips',
      'driving',
      partly,
      timeTicks(period, 'Europe/Berlin', createServerWords({})),
    );
    const shown = await Promise.all(
      [heat, days, bars, lanes].map((it) => pagesOf(tableOf(1, { chart: () => it }))),
    );
    const [heatPage, dayPage, barPage, lanePage] = shown.map(([page]) => page?.join('\n') ?? '');
    expect(heatPage).toContain('Share of the day spent driving');
    for (const text of ['Driving', 'Van 1', '11-01', '11-03']) expect(heatPage).toContain(text);
    for (const text of ['Distance by day', 'Van 1', '20']) expect(dayPage).toContain(text);
    for (const text of ['Van 20', '20.00', '14 of 20 are drawn.']) expect(barPage).toContain(text);
    expect(barPage).not.toContain('Van 6\n');
    for (const text of ['Van 15', '03:00', '21:00', '16 of 20 are drawn.']) expect(lanePage).toContain(text);
  });

  test('a bundle has each font file that printed reports may need, and no other one', () => {
    expect(
      fontFiles()
        .map((path) => basename(path))
        .toSorted(),
    ).toEqual(fontNames.toSorted());
  });

  test('the times beside a chart are those of the wall, also on a day of 25 hours', () => {
    const period = { from_ms: Date.parse('2026-10-24T22:00:00Z'), to_ms: Date.parse('2026-10-25T23:00:00Z') };
    const hours = timeTicks(period, 'Europe/Berlin', createServerWords({}));
    expect(hours.map((it) => it.label)).toEqual([
      '00:00',
      '03:00',
      '06:00',
      '09:00',
      '12:00',
      '15:00',
      '18:00',
      '21:00',
    ]);
    expect(hours.map((it) => Math.round(it.at * 25))).toEqual([0, 4, 7, 10, 13, 16, 19, 22]);
    const week = { ...period, to_ms: period.to_ms + 3 * 86_400_000 };
    expect(timeTicks(week, 'Europe/Berlin', createServerWords({})).map((it) => it.label)).toEqual([
      '10-25',
      '10-26',
      '10-27',
      '10-28',
    ]);
  });

  test('spans of a chart that the eye cannot keep apart are one, whatever their number', () => {
    const lanes = createLanes({ from_ms: 0, to_ms: 1e9 });
    for (let at = 0; at < 1e9; at += 10_000) lanes.add('Van', at, at + 5_000);
    expect(lanes.drawn('Trips', 'driving', partly, [])?.lanes[0]?.spans).toHaveLength(1);
  });

  test('each letter of the scripts that the console draws has a font', () => {
    for (const letter of 'Aāạжѣωἀ€№दعש北あ서') expect(fontFor(letter, 400).letter).toBe(letter);
    expect(fontFor('A', 600).font).toBe('noto-sans-latin-600-normal.woff');
    expect(fontFor('北', 600).font).toMatch(/^noto-sans-sc-\d+-400-normal[.]woff$/);
  });
});
