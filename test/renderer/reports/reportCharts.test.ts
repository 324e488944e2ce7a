import { expect, it } from 'vitest';
import { reportColumns } from '../../../server/contract/reportColumns.ts';
import { reportKinds, type ReportRows } from '../../../server/contract/reportRows.ts';
import type { ChartData } from '../../../renderer/charts/chartData.ts';
import { formatAge } from '../../../renderer/format/age.ts';
import { createDepotTime } from '../../../renderer/format/depotTime.ts';
import { createI18n, createTranslate } from '../../../renderer/i18n/text.ts';
import { createCalendarDays } from '../../../server/contract/calendarDays.ts';
import type { ChartWords } from '../../../renderer/reports/chartLanes.ts';
import { reportCharts } from '../../../renderer/reports/reportCharts.ts';
import { reportSubjects } from '../../../renderer/reports/reportSubjects.ts';
import { columnHead, shownColumns } from '../../../renderer/reports/useReportColumns.tsx';

const t = createTranslate(createI18n());
const words: ChartWords = {
  t,
  byDriver: false,
  vehicleName: (id) => `V ${id}`,
  geofenceName: (id) => `Fence ${id}`,
  time: createDepotTime('Europe/Berlin'),
  days: createCalendarDays('Europe/Berlin'),
  period: { from: Date.parse('2026-11-15T23:00:00Z'), to: Date.parse('2026-11-18T23:00:00Z') },
};

type Lanes = Extract<ChartData, { shape: 'lanes' }>;
type Columns = Extract<ChartData, { shape: 'columns' }>;
/** The label of each lane, with its marks as "from–to tone". */
const lanesOf = (chart: ChartData) =>
  (chart as Lanes).lanes.map(({ label, marks }) => [
    label,
    ...marks.map(({ from, to, tone }) => `${Number(from.toFixed(2))}–${Number(to.toFixed(2))} ${tone}`),
  ]);

const trip = (vehicle_id: string, start_time: string, end_time: string) =>
  ({ vehicle_id, start_time, end_time, distance_m: 12_345 }) as ReportRows['trips'];

it('the chart of trips has a lane for each vehicle and day, and a trip over midnight stands in both days', () => {
  const chart = reportCharts.trips(
    [
      trip('10', '2026-11-16T07:00:00.000Z', '2026-11-16T08:30:00.000Z'),
      trip('9', '2026-11-16T22:00:00.000Z', '2026-11-17T00:15:00.000Z'),
      // It ends at midnight sharp: the next day has nothing of it.
      trip('9', '2026-11-17T20:00:00.000Z', '2026-11-17T23:00:00.000Z'),
    ],
    words,
  );
  expect(lanesOf(chart)).toEqual([
    ['V 9 · Mon 16 Nov', '23–24 driving'],
    ['V 9 · Tue 17 Nov', '0–1.25 driving', '21–24 driving'],
    ['V 10 · Mon 16 Nov', '8–9.5 driving'],
  ]);
  const [first] = (chart as Lanes).lanes;
  expect(first?.marks[0]?.text()).toBe(
    `V 9 · Mon 16 Nov 23:00 – Tue 17 Nov 01:15 · ${formatAge(8_100_000)} · 12.3 km`,
  );
  expect(first?.marks[0]?.rowKey).toBe('9 2026-11-16T22:00:00.000Z');
});

it('the chart of trips draws a limited number of lanes, and says of how many', () => {
  const rows = Array.from({ length: 500 }, (_, at) =>
    trip(String(at), '2026-11-16T07:00:00.000Z', '2026-11-16T08:00:00.000Z'),
  );
  const chart = reportCharts.trips(rows, words) as Lanes;
  expect(chart.lanes).toHaveLength(400);
  expect(chart.limited).toBe('400 of 500 are drawn');
});

it('the chart of utilisation has a cell for each vehicle and day: driven, stood, or without data', () => {
  const day = (vehicle_id: string, date: string, driving_s: number, stopped_s: number) =>
    ({
      vehicle_id,
      date,
      day_s: 86_400,
      driving_s,
      stopped_s,
      gap_s: 86_400 - driving_s - stopped_s,
    }) as const;
  const chart = reportCharts.utilisation(
    [day('1', '2026-11-18', 0, 0), day('1', '2026-11-16', 43_200, 43_200), day('2', '2026-11-17', 0, 86_400)],
    words,
  );
  expect(lanesOf(chart)).toEqual([
    ['V 1', '0–1 driving', '2–3 no-data'],
    ['V 2', '1–2 standing'],
  ]);
  expect((chart as Lanes).lanes[0]?.marks[0]).toMatchObject({ strength: 1 });
});

it('the chart of hours has a cell for each hour of the clock: driven, stood, or without data', () => {
  const idle = { driving_s: 0, stopped_s: 600 };
  const hours = Array.from({ length: 24 }, (_, hour) =>
    hour === 7 ? { driving_s: 1_800, stopped_s: 0 } : hour < 7 ? idle : { driving_s: 0, stopped_s: 0 },
  );
  const [lane] = (reportCharts.hours([{ vehicle_id: '1', hours } as ReportRows['hours']], words) as Lanes)
    .lanes;
  expect(lane?.marks.slice(6, 9).map(({ tone }) => tone)).toEqual(['standing', 'driving', 'no-data']);
  expect(lane?.marks[7]).toMatchObject({ from: 7, to: 8, strength: 1, rowKey: '1' });
});

it('the chart of daily sums has a column for each day between the first and the last, with the sum of all vehicles', () => {
  const day = (vehicle_id: string, date: string, distance_m: number) =>
    ({ vehicle_id, date, distance_m }) as ReportRows['daily'];
  const rows = [day('1', '2026-11-16', 1_000), day('2', '2026-11-16', 2_500), day('1', '2026-11-18', 4_000)];
  const { columns, shape } = reportCharts.daily(rows, words) as Columns;
  expect(shape).toBe('columns');
  expect(columns.map(({ label, parts }) => [label, ...parts.map(({ value }) => value)])).toEqual([
    ['16 Nov', 3.5],
    ['17 Nov'],
    ['18 Nov', 4],
  ]);
  // Of one day, vehicles are compared.
  expect(lanesOf(reportCharts.daily(rows.slice(0, 2), words))).toEqual([
    ['V 2', '0–2.5 plain'],
    ['V 1', '0–1 plain'],
  ]);
});

it('the chart of events counts them by day and kind, rare kinds together, and by the hour for one day', () => {
  const event = (event_id: string, kind: string, time: string) =>
    ({ event_id, kind, time, vehicle_id: '1' }) as ReportRows['events'];
  const rows = [
    ...['a', 'b', 'c'].map((id) => event(id, 'overspeed', '2026-11-16T23:30:00Z')),
    ...['d', 'e'].map((id) => event(id, 'sos', '2026-11-16T08:00:00Z')),
    ...['f', 'g'].map((id) => event(id, 'idling', '2026-11-16T08:00:00Z')),
    event('h', 'offline', '2026-11-16T08:00:00Z'),
    event('i', 'online', '2026-11-16T08:00:00Z'),
  ];
  const byDay = reportCharts.events(rows, words) as Columns;
  const partsOf = ({ columns }: Columns) =>
    columns.map(({ label, parts }) => [label, ...parts.map(({ rowKey, value }) => `${rowKey} ${value}`)]);
  expect(partsOf(byDay)).toEqual([
    ['16 Nov', 'd 2', 'f 2', 'h 2'],
    ['17 Nov', 'a 3'],
  ]);
  expect(byDay.legend.map(({ label }) => label)).toEqual([
    'Overspeed',
    'SOS button',
    'Idling',
    'Other events',
  ]);
  const oneDay = { from: Date.parse('2026-11-15T23:00:00Z'), to: Date.parse('2026-11-16T23:00:00Z') };
  const byHour = reportCharts.events(rows.slice(3), { ...words, period: oneDay }) as Columns;
  expect(byHour.columns).toHaveLength(24);
  expect(partsOf(byHour)[9]?.[0]).toBe('09:00');
  expect(byHour.columns[9]?.parts).not.toHaveLength(0);
});

it('the chart of overspeed sets the excess against the duration', () => {
  const row = {
    vehicle_id: '1',
    start_time: '2026-11-16T07:00:00.000Z',
    end_time: '2026-11-16T07:01:00.000Z',
    duration_s: 60,
    limit_kmh: 80,
    max_speed_kmh: 97,
  } as ReportRows['overspeed'];
  expect(reportCharts.overspeed([row], words)).toMatchObject({
    shape: 'points',
    points: [{ x: 60, y: 17, rowKey: '1 2026-11-16T07:00:00.000Z' }],
    y: { to: 20 },
  });
});

it('the chart of visits has a lane for each geofence and vehicle, the one of videos one for each vehicle by their state', () => {
  const visit = (vehicle_id: string, enter_time: string, exit_time: string) =>
    ({ vehicle_id, geozone_id: 'a', enter_time, exit_time }) as ReportRows['geofence-visits'];
  const visits = reportCharts['geofence-visits'](
    [
      visit('2', '2026-11-16T07:00:00Z', '2026-11-16T09:00:00Z'),
      visit('1', '2026-11-16T08:00:00Z', '2026-11-16T09:00:00Z'),
    ],
    words,
  );
  expect((visits as Lanes).lanes.map(({ label }) => label)).toEqual(['Fence a · V 1', 'Fence a · V 2']);
  const task = (task_id: string, status: string) =>
    ({ task_id, status, vehicle_id: '1' }) as ReportRows['video'];
  const videos = reportCharts.video([task('a', 'failed'), task('b', 'done'), task('c', 'queued')], words);
  expect(lanesOf(videos)).toEqual([['V 1', '0–1 shade-1', '1–2 shade-3', '2–3 no-data']]);
});

it('every column of every kind of report has a name, and no report shows a column twice', () => {
  for (const kind of reportKinds) {
    const keys = reportColumns[kind].map(({ key }) => key);
    const usual = shownColumns(kind, null);
    expect(usual.filter((key) => !keys.includes(key))).toEqual([]);
    expect(new Set(usual).size).toBe(usual.length);
    // Without one, a key is shown as it is written.
    const nameless = keys.filter((key) => !columnHead(kind, key, (text) => text).includes('reports.'));
    expect(nameless.filter((key) => !/^driving_s_\d\d$/.test(key))).toEqual([]);
  }
});

it('a row leads to History where its vehicle first drove, else to its beginning', () => {
  const clock = createDepotTime('Europe/Berlin');
  const day = { vehicle_id: '1', date: '2026-11-16', first_departure: '2026-11-16T07:12:00.000Z' };
  const opensAt = (row: Partial<ReportRows['daily']>) =>
    new Date(
      reportSubjects.daily.subjectOf(row as ReportRows['daily'], words.period, clock).opensAt,
    ).toISOString();
  expect(opensAt(day)).toBe('2026-11-16T07:12:00.000Z');
  expect(opensAt({ ...day, first_departure: null })).toBe('2026-11-15T23:00:00.000Z');
  const summary = { vehicle_id: '1', first_time: null } as ReportRows['summary'];
  expect(reportSubjects.summary.subjectOf(summary, words.period, clock)).toMatchObject({
    ...words.period,
    opensAt: words.period.from,
  });
});

it('charts of sums by driver have a bar or a lane for each driver, and one for what nobody is known to have driven', () => {
  const byDriver = { ...words, byDriver: true };
  const row = (vehicle_id: string, driver: string | undefined, more: object) =>
    ({
      vehicle_id,
      ...(driver === undefined ? {} : { driver, driver_id: `id of ${driver}` }),
      ...more,
    }) as never;
  const distances = reportCharts.summary(
    [
      row('1', 'Anna', { distance_m: 2_000 }),
      row('1', undefined, { distance_m: 1_000 }),
      row('2', 'Anna', { distance_m: 5_000 }),
      row('2', 'Ben', { distance_m: 6_000 }),
    ],
    byDriver,
  );
  expect(lanesOf(distances)).toEqual([
    ['Anna', '0–7 plain'],
    ['Ben', '0–6 plain'],
    ['No driver', '0–1 plain'],
  ]);
  const days = reportCharts.utilisation(
    [
      row('1', 'Anna', { date: '2026-11-16', day_s: 3_600, driving_s: 1_800, stopped_s: 1_800, gap_s: 0 }),
      row('2', 'Anna', { date: '2026-11-16', day_s: 3_600, driving_s: 0, stopped_s: 3_600, gap_s: 0 }),
    ],
    byDriver,
  ) as Lanes;
  expect(days.lanes.map(({ label, marks }) => [label, marks.map((it) => it.text())])).toEqual([
    ['Anna', [expect.stringMatching(/^Anna · Mon 16 Nov · Driving 25\s%, 30\smin · /)]],
  ]);
  const keys = (['1', '2'] as const).flatMap((id) =>
    ['Anna', undefined].map((driver) => reportSubjects.daily.keyOf(row(id, driver, { date: '2026-11-16' }))),
  );
  expect(new Set(keys).size).toBe(4);
});
