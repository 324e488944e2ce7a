import type { ReportKind, ReportRows } from '../../contract/reportRows.ts';
import type { ServerWords } from '../../contract/texts/serverWords.ts';
import type { CsvRow } from '../csvColumns.ts';
import { localDays, wallClock } from '../localDays.ts';
import type { ReportJob } from '../reportOrder.ts';
import {
  barsOf,
  columnsOf,
  createLanes,
  createSums,
  heatOf,
  timeTicks,
  type ExportChart,
  type Partly,
  type Tone,
} from './exportCharts.ts';

type Charts<Row> = (order: ReportJob, words: ServerWords) => Charting<Row>;

interface Charting<Row> {
  add: (row: Row, vehicle: string) => void;
  drawn: () => ExportChart | null;
}

/** The chart that answers the question of a kind of report at a glance, as its rows go by. */
export function createReportChart(order: ReportJob, words: ServerWords) {
  // The rows are of the kind that the chart is of.
  const { add, drawn } = (charts[order.kind] as Charts<CsvRow['row']>)(order, words);
  const noDriver = words.say('reports.no_driver');
  const seen = new Set<string>();
  const shared = new Set(
    order.vehicles.flatMap(({ name }) => (seen.has(name) ? [name] : (seen.add(name), []))),
  );
  return {
    add({ row, vehicle: { name, terminal_id } }: CsvRow) {
      if (order.by_driver) add(row, 'driver' in row ? (row.driver ?? noDriver) : noDriver);
      else add(row, shared.has(name) ? `${name} (${terminal_id})` : name);
    },
    drawn,
  };
}

/** Whose the lanes and bars of sums are. */
const ownersOf = ({ by_driver }: ReportJob) => (by_driver ? 'drivers' : 'vehicles');

/** The largest of them are drawn. */
const largestOf =
  (order: ReportJob, words: ServerWords): Partly =>
  (shown, total) =>
    words.say(`file.largest_drawn.${ownersOf(order)}`, { shown, total });

const firstOf =
  (things: 'drivers' | 'vehicles' | 'visits', words: ServerWords): Partly =>
  (shown, total) =>
    words.say(`file.first_drawn.${things}`, { shown, total });

/** So many days are columns that can be seen on a page. */
const maxDays = 400;

/** What has not happened yet takes no space. */
const pastOf = ({ period, now_ms }: ReportJob) => ({
  from_ms: period.from_ms,
  to_ms: Math.max(period.from_ms + 1, Math.min(period.to_ms, now_ms)),
});

const datesOf = (order: ReportJob) => localDays(order.tz, pastOf(order)).map((it) => it.date);

function lanesOf<Row>(
  order: ReportJob,
  words: ServerWords,
  title: string,
  tone: Tone,
  ends: (row: Row) => readonly [from: string, to: string],
): Charting<Row> {
  const lanes = createLanes(pastOf(order));
  return {
    add(row, vehicle) {
      const [from, to] = ends(row);
      lanes.add(vehicle, Date.parse(from), Date.parse(to));
    },
    drawn: () =>
      lanes.drawn(title, tone, firstOf('vehicles', words), timeTicks(pastOf(order), order.tz, words)),
  };
}

/** Sums by day where the period has several of them, else by vehicle. */
function byDay(order: ReportJob, words: ServerWords) {
  const dates = datesOf(order);
  const clockAt = wallClock(order.tz);
  const isByDay = dates.length > 1 && dates.length <= maxDays;
  const sums = createSums();
  return {
    add: (name: string, date: string, value: number, tone?: Tone) =>
      sums.add(isByDay ? date : name, value, tone),
    dateAt: (time: string) => clockAt(Date.parse(time)).slice(0, 10),
    drawn: (what: string, kind: 'distance' | 'count', legend: ExportChart['legend'] = []) => {
      const by = isByDay ? 'day' : order.by_driver ? 'driver' : 'vehicle';
      const title = words.say(`file.chart.by_${by}`, { what });
      const more = { title, kind, legend };
      return isByDay
        ? columnsOf(sums.items(), more, dates)
        : barsOf(sums.items(), largestOf(order, words), more);
    },
  };
}

const severityTones: Readonly<Record<string, Tone>> = { alarm: 'critical', warning: 'warning', info: 'info' };
/** Classes of what is above a limit, in the unit of speeds. */
const classWidth = 5;
const maxClasses = 12;

const charts: { readonly [Kind in ReportKind]: Charts<ReportRows[Kind]> } = {
  summary(order, words) {
    const sums = createSums();
    const what = words.say('file.chart.distance');
    const title = words.say(order.by_driver ? 'file.chart.by_driver' : 'file.chart.by_vehicle', { what });
    return {
      add: ({ distance_m }, vehicle) => sums.add(vehicle, words.distance(distance_m) * 1_000),
      drawn: () => barsOf(sums.items(), largestOf(order, words), { title, kind: 'distance' }),
    };
  },
  daily(order, words) {
    const days = byDay(order, words);
    return {
      add: ({ date, distance_m }, vehicle) => days.add(vehicle, date, words.distance(distance_m) * 1_000),
      drawn: () => days.drawn(words.say('file.chart.distance'), 'distance'),
    };
  },
  trips: (order, words) =>
    lanesOf(order, words, words.say('file.chart.trips'), 'driving', ({ start_time, end_time }) => [
      start_time,
      end_time,
    ]),
  stops: (order, words) =>
    lanesOf(order, words, words.say('file.chart.stops'), 'standing', ({ start_time, end_time }) => [
      start_time,
      end_time,
    ]),
  'geofence-visits'(order, words) {
    const names = new Map(order.geofences.map((it) => [it.geozone_id, it.name]));
    const lanes = createLanes(pastOf(order));
    return {
      add: ({ geozone_id, enter_time, exit_time }, vehicle) =>
        lanes.add(
          `${vehicle} · ${names.get(geozone_id) ?? ''}`,
          Date.parse(enter_time),
          Date.parse(exit_time),
        ),
      drawn: () =>
        lanes.drawn(
          words.say('file.chart.visits'),
          'plain',
          firstOf('visits', words),
          timeTicks(pastOf(order), order.tz, words),
        ),
    };
  },
  overspeed(_order, words) {
    const classes = Array.from({ length: maxClasses }, (_, at) =>
      at + 1 === maxClasses
        ? words.say('file.chart.more', { from: at * classWidth })
        : `${at * classWidth}–${(at + 1) * classWidth}`,
    );
    const sums = createSums();
    return {
      add({ max_speed_kmh, limit_kmh }) {
        const at = Math.floor(words.speed(max_speed_kmh - limit_kmh) / classWidth);
        sums.add(classes[Math.max(0, Math.min(maxClasses - 1, at))] ?? '', 1, 'critical');
      },
      drawn: () =>
        columnsOf(sums.items(), { title: words.say('file.chart.overspeed'), kind: 'count' }, classes),
    };
  },
  events(order, words) {
    const days = byDay(order, words);
    return {
      add: ({ time, severity }, vehicle) =>
        days.add(vehicle, days.dateAt(time), 1, severityTones[severity ?? ''] ?? 'standing'),
      drawn: () =>
        days.drawn(words.say('file.chart.events'), 'count', [
          { tone: 'critical', label: words.say('reports.code.severity.alarm') },
          { tone: 'warning', label: words.say('reports.code.severity.warning') },
          { tone: 'info', label: words.say('reports.code.severity.info') },
          { tone: 'standing', label: words.say('file.chart.no_notification') },
        ]),
    };
  },
  hours(order, words) {
    const rows: { label: string; driving_s: number[] }[] = [];
    return {
      add({ hours }, label) {
        const driving_s = hours.map((it) => it.driving_s);
        const own = order.by_driver ? rows.find((it) => it.label === label) : undefined;
        if (own === undefined) rows.push({ label, driving_s });
        else own.driving_s = own.driving_s.map((s, hour) => s + (driving_s[hour] ?? 0));
      },
      drawn() {
        const most = rows.reduce((top, { driving_s }) => Math.max(top, ...driving_s), 0);
        if (most === 0) return null;
        const cells = rows.map((it) => ({ label: it.label, cells: it.driving_s.map((s) => s / most) }));
        const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`);
        return heatOf(
          cells,
          hours,
          words.say('file.chart.hours'),
          [{ tone: 'driving', label: words.say('reports.column.driving_s') }],
          firstOf(ownersOf(order), words),
        );
      },
    };
  },
  video(order, words) {
    const sums = createSums();
    const tones: Readonly<Record<string, Tone>> = {
      done: 'driving',
      failed: 'critical',
      expired: 'critical',
    };
    return {
      add: ({ status }, vehicle) => sums.add(vehicle, 1, tones[status] ?? 'standing'),
      drawn: () =>
        barsOf(sums.items(), largestOf(order, words), {
          title: words.say('file.chart.video'),
          kind: 'count',
          legend: [
            { tone: 'driving', label: words.say('reports.code.status.done') },
            { tone: 'critical', label: words.say('file.chart.no_video') },
            { tone: 'standing', label: words.say('file.chart.not_over') },
          ],
        }),
    };
  },
  utilisation(order, words) {
    const dates = datesOf(order);
    const places = new Map(dates.map((date, at) => [date, at]));
    const rows = new Map<string, { label: string; days: ({ driving_s: number; day_s: number } | null)[] }>();
    return {
      add({ vehicle_id, date, day_s, driving_s, stopped_s }, label) {
        const key = order.by_driver ? label : vehicle_id;
        const { days } = rows.get(key) ?? { days: dates.map(() => null) };
        rows.set(key, { label, days });
        const at = places.get(date);
        // Nothing was sent: it is not known whether it was driven.
        if (at === undefined || driving_s + stopped_s === 0) return;
        const before = days[at] ?? { driving_s: 0, day_s: 0 };
        days[at] = { driving_s: before.driving_s + driving_s, day_s: before.day_s + day_s };
      },
      drawn: () =>
        heatOf(
          [...rows.values()].map(({ label, days }) => ({
            label,
            cells: days.map((it) => (it === null ? null : it.driving_s / it.day_s)),
          })),
          dates.map((it) => it.slice(5)),
          words.say('file.chart.share'),
          [{ tone: 'driving', label: words.say('reports.column.driving_s') }],
          firstOf(ownersOf(order), words),
        ),
    };
  },
};
