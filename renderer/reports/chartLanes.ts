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
import { inUnit, unitSign } from '../format/units.ts';
import type { Translate } from '../i18n/text.ts';
import type { Period } from '../ui/period.ts';
import { compareValues } from '../../server/contract/compareValues.ts';
import { type CalendarDays, datesBetween } from '../../server/contract/calendarDays.ts';
import { weekdayName } from '../format/calendarNames.ts';

/** The words and the calendar of a chart. */
export interface ChartWords {
  t: Translate;
  vehicleName: (id: string) => string;
  geofenceName: (id: string) => string;
  /** Sums are those of drivers, else of vehicles. */
  byDriver: boolean;
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

/** Whose a row of sums is, in a chart: its vehicle’s, or its driver’s. */
interface Owned {
  vehicle_id: string;
  driver?: string | undefined;
}

/** The rows of each vehicle or driver under its name, in the order of the names; those of no driver last. */
export function byOwner<Row extends Owned>(
  rows: readonly Row[],
  { t, vehicleName, byDriver }: Pick<ChartWords, 't' | 'vehicleName' | 'byDriver'>,
): { label: string; rows: Row[] }[] {
  if (!byDriver)
    return sortedByName(
      gather(rows, ({ vehicle_id }) => vehicle_id),
      vehicleName,
    ).map(([id, own]) => ({ label: vehicleName(id), rows: own }));
  const driven = gather(rows, ({ driver = null }) => driver);
  const unknown = driven.get(null);
  driven.delete(null);
  return [
    ...sortedByName(driven, (name) => name ?? '').map(([name, own]) => ({ label: name ?? '', rows: own })),
    ...(unknown === undefined ? [] : [{ label: t('reports.no_driver'), rows: unknown }]),
  ];
}

export function distanceBars<Row extends Owned & { distance_m: number }>(
  rows: readonly Row[],
  words: ChartWords,
  keyOf: (row: Row) => string,
): ChartData {
  const { t } = words;
  const sums = byOwner(rows, words)
    .map(({ label, rows: own }) => ({
      label,
      // The row that it leads to: the one with the most.
      row: own.reduce((most, it) => (it.distance_m > most.distance_m ? it : most)),
      distance_m: own.reduce((sum, it) => sum + it.distance_m, 0),
    }))
    .sort((a, b) => b.distance_m - a.distance_m);
  return {
    shape: 'lanes',
    title: t(words.byDriver ? 'reports.chart.distance_by_driver' : 'reports.chart.distance'),
    legend: [],
    ...limited(sums.length, CHART_LIMITS.lanes, t),
    axis: valueAxis(
      inUnit('distance', sums[0]?.distance_m ?? 0),
      (it) => `${formatNumber(it)} ${unitSign('distance')}`,
    ),
    lanes: sums.slice(0, CHART_LIMITS.lanes).map(({ label, row, distance_m }) => ({
      label,
      note: formatDistance(distance_m),
      marks: [
        {
          rowKey: keyOf(row),
          tone: 'plain',
          from: 0,
          to: distance_m / 1_000,
          text: () => `${label} · ${formatDistance(distance_m)}`,
        },
      ],
    })),
  };
}

/** A lane for each vehicle or driver, with a cell for each hour or day. */
export function heatMap<Row extends Owned>(
  rows: readonly Row[],
  words: ChartWords,
  {
    marksOf,
    ...frame
  }: Pick<ChartData, 'title' | 'legend'> & {
    axis: Axis;
    /** Of the rows of one lane. */
    marksOf: (rows: readonly Row[], label: string) => LaneMark[];
  },
): ChartData {
  const lanes = byOwner(rows, words);
  return {
    shape: 'lanes',
    isHeat: true,
    ...frame,
    ...limited(lanes.length, CHART_LIMITS.lanes, words.t),
    lanes: lanes.slice(0, CHART_LIMITS.lanes).map(({ label, rows: own }) => ({
      label,
      marks: marksOf(own, label).sort((a, b) => a.from - b.from),
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
