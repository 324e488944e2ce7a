import { expect, it } from 'vitest';
import {
  createCalendarDays,
  datesBetween,
  createCalendarNames,
} from '../../../server/contract/calendarDays.ts';
import { rowGroups, type Groupable } from '../../../server/contract/reportGroups.ts';
import { reportLines, totalsOf, type LineColumn } from '../../../server/contract/reportLines.ts';
import { dayOfDate } from '../../../renderer/reports/reportSubjects.ts';
import { createDepotTime } from '../../../renderer/format/depotTime.ts';

const HOUR = 3_600_000;
const berlin = createCalendarDays('Europe/Berlin');
const names = createCalendarNames(
  'en-GB',
  ({ week, year, from, to }) => `Week ${week} ${year}, ${from} – ${to}`,
);
const at = (time: string) => Date.parse(time);

it('the days of a calendar have 23 and 25 hours where the clocks of the zone change', () => {
  const hoursOf = (date: string, from: string) =>
    Array.from({ length: 30 }, (_, hour) => berlin.dateAt(at(from) + hour * HOUR)).filter((it) => it === date)
      .length;
  expect(hoursOf('2026-03-29', '2026-03-28T22:00:00Z')).toBe(23);
  expect(hoursOf('2026-10-25', '2026-10-24T21:00:00Z')).toBe(25);
  expect(hoursOf('2026-11-19', '2026-11-18T22:00:00Z')).toBe(24);
  // Three in the morning is shown twice in October, from half past to half past.
  expect(berlin.hourAt(at('2026-10-25T00:30:00Z'))).toBe(2.5);
  expect(berlin.hourAt(at('2026-10-25T01:30:00Z'))).toBe(2.5);
  expect(berlin.hourAt(at('2026-03-29T01:00:00Z'))).toBe(3);
});

it('the day of a date begins and ends with the midnights of the zone, also far from Greenwich and where clocks change', () => {
  for (const zone of ['Europe/Berlin', 'Pacific/Auckland', 'Pacific/Honolulu', 'Pacific/Kiritimati', 'UTC']) {
    const days = createCalendarDays(zone);
    for (const date of ['2026-03-29', '2026-04-05', '2026-09-27', '2026-10-25', '2026-12-31']) {
      const { from, to } = dayOfDate(date, createDepotTime(zone));
      expect([zone, date, days.dateAt(from), days.hourAt(from)]).toEqual([zone, date, date, 0]);
      expect(days.dateAt(from - 1)).not.toBe(date);
      expect(days.dateAt(to - 1)).toBe(date);
      expect(days.hourAt(to)).toBe(0);
    }
  }
});

it('a week goes from Monday to Sunday and has the number of ISO 8601, also around New Year', () => {
  expect(names.week('2026-11-19')).toEqual({ key: '2026-11-16', name: 'Week 47 2026, 16 Nov – 22 Nov' });
  expect(names.week('2026-11-22').key).toBe('2026-11-16');
  expect(names.week('2026-11-23').key).toBe('2026-11-23');
  expect(names.week('2027-01-03').name).toMatch(/^Week 53 2026/);
  expect(names.week('2027-01-04').name).toMatch(/^Week 1 2027/);
  expect(names.week('2024-12-30').name).toMatch(/^Week 1 2025/);
  expect(names.month('2026-11-19')).toEqual({ key: '2026-11', name: 'November 2026' });
  expect(names.day('2026-11-19').name).toBe('Thu 19 Nov 2026');
  expect(datesBetween('2026-02-27', '2026-03-01')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
});

interface Row extends Groupable {
  id: string;
  distance: number | null;
  top: number;
}

const row = (id: string, time: string, vehicleId: string, distance: number | null, top = 0): Row => ({
  id,
  vehicleId,
  driver: null,
  driverId: null,
  date: null,
  from: at(time),
  distance,
  top,
});

const columns: LineColumn<Row>[] = [
  { id: 'id', value: ({ id }) => id },
  { id: 'distance', value: ({ distance }) => distance, total: 'sum' },
  { id: 'top', value: ({ top }) => top, total: 'max' },
];

const words = {
  vehicleName: (id: string) => `Vehicle ${id}`,
  groupsOf: (id: string) =>
    id === 'a'
      ? [
          { id: 'n', name: 'North' },
          { id: 'e', name: 'East' },
        ]
      : id === 'b'
        ? [{ id: 'n', name: 'North' }]
        : [],
  noDriver: 'No driver',
  noGroup: 'No group',
  days: berlin,
  spans: names,
};

/** Headings as "name: distance, top", rows by their ids. */
function linesOf(
  rows: readonly Row[],
  by: Parameters<typeof rowGroups>[0],
  sort: { column: string; desc: boolean } | null = null,
  closed: ReadonlySet<string> = new Set(),
): string[] {
  const groupsOf = rowGroups(by, words);
  return reportLines({ rows, keyOf: ({ id }) => id, columns, sort, groupsOf, closed }).map((line) =>
    line.kind === 'row'
      ? line.row.id
      : `${line.name}: ${line.totals.get('distance') ?? '–'}, ${line.totals.get('top') ?? '–'}`,
  );
}

it('rows are grouped by the days of the zone in which they begin, and a day of 25 hours is one day', () => {
  const rows = [
    row('late', '2026-10-25T22:59:00Z', 'a', 3),
    row('first hour', '2026-10-24T22:00:00Z', 'a', 1, 50),
    row('next day', '2026-10-25T23:00:00Z', 'a', 5),
    row('twice', '2026-10-25T01:30:00Z', 'b', 2, 80),
  ];
  expect(linesOf(rows, 'day', { column: 'distance', desc: true })).toEqual([
    'Sun 25 Oct 2026: 6, 80',
    ...['late', 'twice', 'first hour'],
    'Mon 26 Oct 2026: 5, 0',
    'next day',
  ]);
  expect(linesOf(rows, 'week').filter((line) => line.startsWith('Week'))).toEqual([
    'Week 43 2026, 19 Oct – 25 Oct: 6, 80',
    'Week 44 2026, 26 Oct – 1 Nov: 5, 0',
  ]);
  expect(linesOf(rows, 'month')[0]).toBe('October 2026: 11, 80');
  // Of a row with a date, that counts.
  const dated = [{ ...row('dated', '2026-10-25T23:00:00Z', 'a', 1), date: '2026-10-20' }];
  expect(linesOf(dated, 'day')[0]).toBe('Tue 20 Oct 2026: 1, 0');
});

it('rows are grouped by who drove, and those of nobody who is known stand behind', () => {
  const rows = [
    row('1', '2026-11-19T08:00:00Z', 'a', 4),
    { ...row('2', '2026-11-19T09:00:00Z', 'b', 5), driver: 'Zoë' },
    { ...row('3', '2026-11-19T10:00:00Z', 'a', 7, 90), driver: 'Ben' },
  ];
  expect(linesOf(rows, 'driver')).toEqual([
    ...['Ben: 7, 90', '3'],
    ...['Zoë: 5, 0', '2'],
    ...['No driver: 4, 0', '1'],
  ]);
  // Two of one name are two; a card is known by its number alone.
  const ann = (id: string, driverId: string | null) => ({
    ...row(id, '2026-11-19T08:00:00Z', 'a', 1),
    ...{ driver: 'Ann', driverId },
  });
  expect(linesOf([ann('4', 'd1'), ann('5', 'd2'), ann('6', 'd1'), ann('7', null)], 'driver')).toEqual([
    ...['Ann: 2, 0', '4', '6'],
    ...['Ann: 1, 0', '5'],
    ...['Ann: 1, 0', '7'],
  ]);
});

it('a row of a vehicle in two groups stands in both, and counts once in the total of all', () => {
  const rows = [
    row('1', '2026-11-19T08:00:00Z', 'a', 4),
    row('2', '2026-11-19T09:00:00Z', 'b', null),
    row('3', '2026-11-19T10:00:00Z', 'c', 7, 90),
  ];
  expect(linesOf(rows, 'group')).toEqual([
    ...['East: 4, 0', '1'],
    ...['North: 4, 0', '1', '2'],
    ...['No group: 7, 90', '3'],
  ]);
  expect(Object.fromEntries(totalsOf(rows, columns))).toEqual({ distance: 11, top: 90 });
  const keys = reportLines({
    rows,
    keyOf: ({ id }) => id,
    columns,
    sort: null,
    groupsOf: rowGroups('group', words),
    closed: new Set(),
  }).map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
});

it('groups of vehicles stand in the order of the total that is sorted by, rows without a value last in either direction', () => {
  const rows = [
    row('1', '2026-11-19T08:00:00Z', 'a', 4),
    row('2', '2026-11-19T09:00:00Z', 'b', 9),
    row('3', '2026-11-19T10:00:00Z', 'a', null),
    row('4', '2026-11-19T11:00:00Z', 'a', 1),
  ];
  expect(linesOf(rows, 'vehicle', { column: 'distance', desc: true })).toEqual([
    ...['Vehicle b: 9, 0', '2'],
    ...['Vehicle a: 5, 0', '1', '4', '3'],
  ]);
  expect(linesOf(rows, 'vehicle', { column: 'distance', desc: false })).toEqual([
    ...['Vehicle a: 5, 0', '4', '1', '3'],
    ...['Vehicle b: 9, 0', '2'],
  ]);
  expect(linesOf(rows, 'vehicle', { column: 'id', desc: false }, new Set(['group a']))).toEqual([
    'Vehicle a: 5, 0',
    ...['Vehicle b: 9, 0', '2'],
  ]);
});

it('totals of no values are unknown, not zero', () => {
  const rows = [row('1', '2026-11-19T08:00:00Z', 'a', null)];
  expect(totalsOf(rows, columns).get('distance')).toBeNull();
});
