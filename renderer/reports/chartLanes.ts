import {
  CHART_LIMITS,
  dayAxis,
  valueAxis,
  type Axis,
  type ChartData,
  type LaneMark,
  type Tone,
} from '../charts/chartData.ts';
import { formatAge } from '../format/age.ts';
import type { DepotTime } from '../format/depotTime.ts';
import { formatDistance, formatNumber } from '../format/numbers.ts';
import type { Translate } from '../i18n/text.ts';
import type { Period } from '../ui/period.ts';
import { compareValues } from '../ui/tableOrder.ts';
import { type CalendarDays, datesBetween, weekdayName } from './calendarDays.ts';

/** The words and the calendar of a chart. */
export interface ChartWords {
  t: Translate;
  vehicleName: (id: string) => string;
  geofenceName: (id: string) => string;
  time: Pick<DepotTime, 'dayStart' | 'minute' | 'date' | 'timeZone'>;
  days: CalendarDays;
  period: Period;
}

/** What is drawn faintest is still seen. */
export const strong = (share: number): number => Math.min(1, 0.2 + 0.8 * share);

export const band = (at: number) => ({ from: at, to: at + 1 });

export function gather<Row, Key>(rows: Iterable<Row>, keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}

export const sortedByName = <Key, Row>(groups: ReadonlyMap<Key, Row[]>, nameOf: (key: Key) => string) =>
  [...groups].sort(([a], [b]) => compareValues(nameOf(a), nameOf(b)));

/** All days from the first one of these to the last one. */
export function datesOf(dates: Iterable<string>): string[] {
  const sorted = [...dates].sort();
  return datesBetween(sorted[0] ?? '', sorted.at(-1) ?? '');
}

export const limited = (count: number, limit: number, t: Translate): { limited?: string } =>
  count <= limit
    ? {}
    : { limited: t('reports.chart.limited', { shown: formatNumber(limit), all: formatNumber(count) }) };

export function momentText(at: number, { time }: ChartWords): string {
  return `${time.date(at)} ${time.minute(at)}`;
}

/** Tue 17 Nov 08:12 – 08:40 · 28 min, with the second day where it is another one. */
export function spanText({ from, to }: Period, words: ChartWords): string {
  const isOneDay = words.days.dateAt(from) === words.days.dateAt(to);
  const end = isOneDay ? words.time.minute(to) : momentText(to, words);
  return `${momentText(from, words)} – ${end} · ${formatAge(to - from)}`;
}

export function distanceBars<Row extends { vehicle_id: string; distance_m: number }>(
  rows: readonly Row[],
  { t, vehicleName }: ChartWords,
  keyOf: (row: Row) => string,
): ChartData {
  const sorted = [...rows].sort(
    (a, b) =>
      b.distance_m - a.distance_m || compareValues(vehicleName(a.vehicle_id), vehicleName(b.vehicle_id)),
  );
  return {
    shape: 'lanes',
    title: t('reports.chart.distance'),
    legend: [],
    ...limited(rows.length, CHART_LIMITS.lanes, t),
    axis: valueAxis((sorted[0]?.distance_m ?? 0) / 1_000, (km) => `${formatNumber(km)} km`),
    lanes: sorted.slice(0, CHART_LIMITS.lanes).map((row) => ({
      label: vehicleName(row.vehicle_id),
      note: formatDistance(row.distance_m),
      marks: [
        {
          rowKey: keyOf(row),
          tone: 'plain',
          from: 0,
          to: row.distance_m / 1_000,
          text: () => `${vehicleName(row.vehicle_id)} · ${formatDistance(row.distance_m)}`,
        },
      ],
    })),
  };
}

export function heatMap<Row>(
  byVehicle: ReadonlyMap<string, Row[]>,
  { t, vehicleName }: ChartWords,
  {
    marksOf,
    ...frame
  }: Pick<ChartData, 'title' | 'legend'> & {
    axis: Axis;
    marksOf: (row: Row) => LaneMark[];
  },
): ChartData {
  const lanes = sortedByName(byVehicle, vehicleName);
  return {
    shape: 'lanes',
    isHeat: true,
    ...frame,
    ...limited(lanes.length, CHART_LIMITS.lanes, t),
    lanes: lanes.slice(0, CHART_LIMITS.lanes).map(([vehicleId, rows]) => ({
      label: vehicleName(vehicleId),
      marks: rows.flatMap(marksOf).sort((a, b) => a.from - b.from),
    })),
  };
}

/** A lane for each vehicle and day; what goes on over midnight stands in both days. */
export function vehicleDays<Row extends { vehicle_id: string; start_time: string; end_time: string }>(
  rows: readonly Row[],
  words: ChartWords,
  {
    title,
    tone,
    keyOf,
    moreOf,
  }: { title: string; tone: Tone; keyOf: (row: Row) => string; moreOf: (row: Row) => string },
): ChartData {
  const { t, days, vehicleName } = words;
  const lanes = new Map<string, { vehicleId: string; date: string; marks: LaneMark[] }>();
  for (const row of rows) {
    const [from, to] = [Date.parse(row.start_time), Date.parse(row.end_time)];
    const [first, last] = [days.dateAt(from), days.dateAt(to)];
    for (const date of datesBetween(first, last)) {
      const begins = date === first ? days.hourAt(from) : 0;
      const ends = date === last ? days.hourAt(to) : 24;
      // It ended at midnight sharp.
      if (ends === 0 && date !== first) continue;
      const key = `${row.vehicle_id} ${date}`;
      const lane = lanes.get(key) ?? { vehicleId: row.vehicle_id, date, marks: [] };
      lanes.set(key, lane);
      lane.marks.push({
        rowKey: keyOf(row),
        tone,
        from: begins,
        to: Math.max(begins, ends),
        text: () =>
          [vehicleName(row.vehicle_id), spanText({ from, to }, words), moreOf(row)]
            .filter((it) => it !== '')
            .join(' · '),
      });
    }
  }
  const sorted = [...lanes.values()].sort(
    (a, b) =>
      compareValues(vehicleName(a.vehicleId), vehicleName(b.vehicleId)) || compareValues(a.date, b.date),
  );
  const hasManyDays = new Set(sorted.map(({ date }) => date)).size > 1;
  const hasManyVehicles = new Set(sorted.map(({ vehicleId }) => vehicleId)).size > 1;
  return {
    shape: 'lanes',
    title,
    legend: [],
    ...limited(sorted.length, CHART_LIMITS.lanes, t),
    axis: dayAxis,
    lanes: sorted.slice(0, CHART_LIMITS.lanes).map(({ vehicleId, date, marks }) => ({
      label: [
        ...(hasManyVehicles || !hasManyDays ? [vehicleName(vehicleId)] : []),
        ...(hasManyDays ? [weekdayName(date)] : []),
      ].join(' · '),
      marks: marks.sort((a, b) => a.from - b.from),
    })),
  };
}
