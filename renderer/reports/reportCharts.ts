import type { ReportKind, ReportRows } from '../../server/contract/reportRows.ts';
import {
  CHART_LIMITS,
  bandAxis,
  clockHour,
  dayAxis,
  durationAxis,
  timeAxis,
  valueAxis,
} from '../charts/chartData.ts';
import type { ChartData, LaneMark, Tone } from '../charts/chartData.ts';
import { formatAge } from '../format/age.ts';
import { formatDistance, formatNumber, formatSpeed, speedNumber } from '../format/numbers.ts';
import { inUnit, unitSign } from '../format/units.ts';
import type { Translate } from '../i18n/text.ts';
import { shortDayName, weekdayName } from '../format/calendarNames.ts';
import {
  band,
  byOwner,
  type ChartWords,
  datesOf,
  distanceBars,
  gather,
  heatMap,
  limited,
  momentText,
  sortedByName,
  spanText,
  strong,
  vehicleDays,
} from './chartLanes.ts';
import { reportSubjects } from './reportSubjects.ts';

type ChartOf<Kind extends ReportKind> = (rows: readonly ReportRows[Kind][], words: ChartWords) => ChartData;

/** The chart that answers the question of each kind of report at a glance. Rows are those of a whole report. */
export const reportCharts: { readonly [Kind in ReportKind]: ChartOf<Kind> } = {
  summary: (rows, words) => distanceBars(rows, words, reportSubjects.summary.keyOf),
  daily(rows, words) {
    const byDate = gather(rows, ({ date }) => date);
    if (byDate.size < 2) return distanceBars(rows, words, reportSubjects.daily.keyOf);
    const { t } = words;
    const dates = datesOf(byDate.keys());
    const sums = dates.map((date) => (byDate.get(date) ?? []).reduce((sum, it) => sum + it.distance_m, 0));
    return {
      shape: 'columns',
      title: t('reports.chart.daily'),
      legend: [],
      ...limited(dates.length, CHART_LIMITS.columns, t),
      axis: valueAxis(
        inUnit('distance', Math.max(0, ...sums)),
        (it) => `${formatNumber(it)} ${unitSign('distance')}`,
      ),
      columns: dates.slice(0, CHART_LIMITS.columns).map((date, at) => {
        const all = byDate.get(date) ?? [];
        const [first] = all;
        const sum = sums[at] ?? 0;
        if (first === undefined) return { label: shortDayName(date), parts: [] };
        const vehicles = t('reports.chart.vehicles', {
          count: new Set(all.filter((it) => it.distance_m > 0).map((it) => it.vehicle_id)).size,
        });
        return {
          label: shortDayName(date),
          parts: [
            {
              rowKey: reportSubjects.daily.keyOf(first),
              tone: 'plain',
              value: inUnit('distance', sum),
              text: () => `${weekdayName(date)} · ${formatDistance(sum)} · ${vehicles}`,
            },
          ],
        };
      }),
    };
  },
  utilisation(rows, words) {
    const { t } = words;
    const dates = datesOf(rows.map(({ date }) => date));
    const indexOf = new Map(dates.map((date, at) => [date, at]));
    return heatMap(rows, words, {
      title: t('reports.chart.utilisation'),
      axis: bandAxis(dates.map(shortDayName)),
      legend: heatLegend(t('reports.chart.driving_share'), t),
      marksOf: (own, label) =>
        [...gather(own, ({ date }) => date)].flatMap(([date, [first, ...others]]): LaneMark[] => {
          if (first === undefined) return [];
          const sum = (of: (row: ReportRows['utilisation']) => number) =>
            others.reduce((total, row) => total + of(row), of(first));
          const day_s = sum((row) => row.day_s);
          const [driving_s, stopped_s] = [sum((row) => row.driving_s), sum((row) => row.stopped_s)];
          const share = day_s === 0 ? 0 : driving_s / day_s;
          return [
            {
              ...band(indexOf.get(date) ?? 0),
              rowKey: reportSubjects.utilisation.keyOf(first),
              ...heatOf({ driving_s, stopped_s }, share * 2),
              text: () =>
                [
                  label,
                  weekdayName(date),
                  `${t('reports.driving')} ${formatNumber(share * 100)} %, ${formatAge(driving_s * 1_000)}`,
                  `${t('reports.standing')} ${formatAge(stopped_s * 1_000)}`,
                  `${t('reports.no_data')} ${formatAge(sum((row) => row.gap_s) * 1_000)}`,
                ].join(' · '),
            },
          ];
        }),
    });
  },
  hours(rows, words) {
    const { t } = words;
    const hoursOf = (own: readonly ReportRows['hours'][]) =>
      Array.from({ length: 24 }, (_, hour) => ({
        driving_s: own.reduce((sum, { hours: of }) => sum + (of[hour]?.driving_s ?? 0), 0),
        stopped_s: own.reduce((sum, { hours: of }) => sum + (of[hour]?.stopped_s ?? 0), 0),
      }));
    const most = byOwner(rows, words).reduce(
      (top, { rows: own }) => Math.max(top, ...hoursOf(own).map((it) => it.driving_s)),
      1,
    );
    return heatMap(rows, words, {
      title: t('reports.chart.hours'),
      axis: dayAxis,
      legend: heatLegend(t('reports.chart.driving_up_to', { age: formatAge(most * 1_000) }), t),
      marksOf: (own, label) => {
        const [first] = own;
        if (first === undefined) return [];
        return hoursOf(own).map(({ driving_s, stopped_s }, hour) => ({
          ...band(hour),
          rowKey: reportSubjects.hours.keyOf(first),
          ...heatOf({ driving_s, stopped_s }, driving_s / most),
          text: () =>
            [
              label,
              `${clockHour(hour)} – ${clockHour(hour + 1)}`,
              `${t('reports.driving')} ${formatAge(driving_s * 1_000)}`,
              `${t('reports.standing')} ${formatAge(stopped_s * 1_000)}`,
            ].join(' · '),
        }));
      },
    });
  },
  trips: (rows, words) =>
    vehicleDays(rows, words, {
      title: words.t('reports.chart.trips'),
      tone: 'driving',
      keyOf: reportSubjects.trips.keyOf,
      moreOf: ({ distance_m }) => formatDistance(distance_m),
    }),
  stops: (rows, words) =>
    vehicleDays(rows, words, {
      title: words.t('reports.chart.stops'),
      tone: 'standing',
      keyOf: reportSubjects.stops.keyOf,
      moreOf: ({ place }) => place.address ?? '',
    }),
  'geofence-visits'(rows, words) {
    const { t, vehicleName, geofenceName } = words;
    const name = ({ geozone_id, vehicle_id }: ReportRows['geofence-visits']) =>
      `${geofenceName(geozone_id)} · ${vehicleName(vehicle_id)}`;
    const lanes = sortedByName(gather(rows, name), (label) => label);
    return {
      shape: 'lanes',
      title: t('reports.chart.visits'),
      legend: [],
      ...limited(lanes.length, CHART_LIMITS.lanes, t),
      axis: timeAxis(words.period, words.time, (at) => shortDayName(words.days.dateAt(at))),
      lanes: lanes.slice(0, CHART_LIMITS.lanes).map(([label, visits]) => ({
        label,
        marks: visits.map((visit): LaneMark => {
          const { from, to } = reportSubjects['geofence-visits'].subjectOf(visit, words.period, words.time);
          return {
            rowKey: reportSubjects['geofence-visits'].keyOf(visit),
            tone: 'plain',
            from,
            to,
            text: () => `${label} · ${spanText({ from, to }, words)}`,
          };
        }),
      })),
    };
  },
  overspeed(rows, words) {
    const { t, vehicleName } = words;
    const worst = [...rows].sort((a, b) => excess(b) - excess(a));
    return {
      shape: 'points',
      title: t('reports.chart.overspeed'),
      legend: [],
      ...limited(rows.length, CHART_LIMITS.points, t),
      x: durationAxis(
        rows.reduce((top, { duration_s }) => Math.max(top, duration_s), 0),
        (s) => formatAge(s * 1_000),
      ),
      y: valueAxis(Math.max(0, excess(worst[0])), (it) => (it === 0 ? '0' : `+${formatNumber(it)}`)),
      points: worst.slice(0, CHART_LIMITS.points).map((row) => ({
        rowKey: reportSubjects.overspeed.keyOf(row),
        tone: 'plain',
        x: row.duration_s,
        y: excess(row),
        text: () =>
          [
            vehicleName(row.vehicle_id),
            momentText(Date.parse(row.start_time), words),
            t('reports.chart.measured', {
              measured: formatSpeed(row.max_speed_kmh),
              allowed: speedNumber(row.limit_kmh),
            }),
            formatAge(row.duration_s * 1_000),
          ].join(' · '),
      })),
    };
  },
  events(rows, words) {
    const { t, days } = words;
    const ranked = [...gather(rows, ({ kind }) => kind)].sort(([, a], [, b]) => b.length - a.length);
    const own = ranked.slice(0, ranked.length > SHADES.length ? SHADES.length - 1 : SHADES.length);
    const shadeOf = new Map<string, Tone>(own.map(([kind], at) => [kind, SHADES[at] ?? OTHERS]));
    const hasOthers = own.length < ranked.length;
    const first = days.dateAt(words.period.from);
    const isOneDay = first === days.dateAt(words.period.to - 1);
    const columnOf = ({ time }: ReportRows['events']) =>
      isOneDay ? clockHour(Math.floor(days.hourAt(Date.parse(time)))) : days.dateAt(Date.parse(time));
    const byColumn = gather(rows, columnOf);
    const keys = isOneDay
      ? Array.from({ length: 24 }, (_, hour) => clockHour(hour))
      : datesOf(byColumn.keys());
    const most = [...byColumn.values()].reduce((top, { length }) => Math.max(top, length), 0);
    return {
      shape: 'columns',
      title: t(isOneDay ? 'reports.chart.events_by_hour' : 'reports.chart.events_by_day'),
      legend: [
        ...own.map(([kind]) => ({ tone: shadeOf.get(kind) ?? OTHERS, label: t(`alarm.${kind}`) })),
        ...(hasOthers ? [{ tone: OTHERS, label: t('reports.chart.others') }] : []),
      ],
      ...limited(keys.length, CHART_LIMITS.columns, t),
      axis: valueAxis(most, (count) => (Number.isInteger(count) ? formatNumber(count) : '')),
      columns: keys.slice(0, CHART_LIMITS.columns).map((key) => {
        const label = isOneDay ? key : shortDayName(key);
        const byTone = gather(byColumn.get(key) ?? [], ({ kind }) => shadeOf.get(kind) ?? OTHERS);
        return {
          label,
          parts: SHADES.flatMap((tone) => {
            const [event, ...more] = byTone.get(tone) ?? [];
            if (event === undefined) return [];
            const name = shadeOf.has(event.kind) ? t(`alarm.${event.kind}`) : t('reports.chart.others');
            const count = more.length + 1;
            return [
              { rowKey: event.event_id, tone, value: count, text: () => `${label} · ${name} · ${count}` },
            ];
          }),
        };
      }),
    };
  },
  video(rows, words) {
    const { t, vehicleName } = words;
    const lanes = sortedByName(
      gather(rows, ({ vehicle_id }) => vehicle_id),
      vehicleName,
    );
    const most = lanes.reduce((top, [, { length }]) => Math.max(top, length), 0);
    return {
      shape: 'lanes',
      title: t('reports.chart.video'),
      legend: VIDEO_STATES.map(({ id, tone }) => ({ tone, label: t(`reports.chart.video.${id}`) })),
      ...limited(lanes.length, CHART_LIMITS.lanes, t),
      axis: valueAxis(most, (count) => (Number.isInteger(count) ? formatNumber(count) : '')),
      lanes: lanes.slice(0, CHART_LIMITS.lanes).map(([vehicleId, tasks]) => {
        let from = 0;
        const marks = VIDEO_STATES.flatMap(({ id, tone, has }): LaneMark[] => {
          const [task, ...more] = tasks.filter(({ status }) => has(status));
          if (task === undefined) return [];
          const count = more.length + 1;
          const at = from;
          from += count;
          return [
            {
              rowKey: task.task_id,
              tone,
              from: at,
              to: from,
              text: () => `${vehicleName(vehicleId)} · ${t(`reports.chart.video.${id}`)} · ${count}`,
            },
          ];
        });
        return { label: vehicleName(vehicleId), marks, note: formatNumber(tasks.length) };
      }),
    };
  },
};

/** A cell in which nothing was driven stands behind those in which something was. */
const STANDING_STRENGTH = 1 / 6;

/** How a cell of time looks: driven, as strong as `share` says, else stood, else unknown. */
function heatOf(
  { driving_s, stopped_s }: { driving_s: number; stopped_s: number },
  share: number,
): Pick<LaneMark, 'tone'> & { strength: number } {
  if (driving_s > 0) return { tone: 'driving', strength: strong(share) };
  return stopped_s > 0 ? { tone: 'standing', strength: STANDING_STRENGTH } : { tone: 'no-data', strength: 1 };
}

const heatLegend = (driving: string, t: Translate): ChartData['legend'] => [
  { tone: 'driving', label: driving },
  { tone: 'standing', label: t('reports.standing'), strength: STANDING_STRENGTH },
  { tone: 'no-data', label: t('reports.no_data') },
];

/** Of kinds of events, from the most frequent one on. */
const SHADES: readonly Tone[] = ['shade-1', 'shade-2', 'shade-3', 'shade-4'];
const OTHERS: Tone = 'shade-4';

const isFailed = (status: string) => ['failed', 'cancelled', 'expired'].includes(status);
const VIDEO_STATES = [
  { id: 'done', tone: 'shade-1', has: (status: string) => status === 'done' },
  { id: 'waiting', tone: 'shade-3', has: (status: string) => status !== 'done' && !isFailed(status) },
  { id: 'failed', tone: 'no-data', has: isFailed },
] as const;

const excess = (row: ReportRows['overspeed'] | undefined): number =>
  row === undefined ? 0 : inUnit('speed', row.max_speed_kmh - row.limit_kmh);
