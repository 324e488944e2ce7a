import type { ReportKind, ReportRows } from '../../contract/reportRows.ts';
import { reportTexts } from '../../contract/reportTexts.ts';
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
  type Tone,
} from './exportCharts.ts';

interface Charting<Row> {
  add: (row: Row, vehicle: string) => void;
  drawn: () => ExportChart | null;
}

/** The chart that answers the question of a kind of report at a glance, as its rows go by. */
export function createReportChart(order: ReportJob) {
  // The rows are of the kind that the chart is of.
  const { add, drawn } = (charts[order.kind] as (order: ReportJob) => Charting<CsvRow['row']>)(order);
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

const noDriver = reportTexts['reports.no_driver'];

/** Whose the lanes and bars of sums are. */
const ownerOf = ({ by_driver }: ReportJob) => (by_driver ? 'driver' : 'vehicle');

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
    drawn: () => lanes.drawn(title, tone, 'vehicles', timeTicks(pastOf(order), order.tz)),
  };
}

/** Sums by day where the period has several of them, else by vehicle. */
function byDay(order: ReportJob) {
  const dates = datesOf(order);
  const clockAt = wallClock(order.tz);
  const isByDay = dates.length > 1 && dates.length <= maxDays;
  const sums = createSums();
  return {
    add: (name: string, date: string, value: number, tone?: Tone) =>
      sums.add(isByDay ? date : name, value, tone),
    dateAt: (time: string) => clockAt(Date.parse(time)).slice(0, 10),
    drawn: (what: string, kind: 'distance' | 'count', legend: ExportChart['legend'] = []) => {
      const title = `${what} by ${isByDay ? 'day' : ownerOf(order)}${kind === 'distance' ? ', km' : ''}`;
      const more = { title, kind, legend };
      return isByDay
        ? columnsOf(sums.items(), more, dates)
        : barsOf(sums.items(), `${ownerOf(order)}s`, more);
    },
  };
}

const severityTones: Readonly<Record<string, Tone>> = { alarm: 'critical', warning: 'warning', info: 'info' };
/** Classes of what is above a limit, in km/h. */
const classKmh = 5;
const maxClasses = 12;

const charts: { readonly [Kind in ReportKind]: (order: ReportJob) => Charting<ReportRows[Kind]> } = {
  summary(order) {
    const sums = createSums();
    const title = `Distance by ${ownerOf(order)}, km`;
    return {
      add: ({ distance_m }, vehicle) => sums.add(vehicle, distance_m),
      drawn: () => barsOf(sums.items(), `${ownerOf(order)}s`, { title, kind: 'distance' }),
    };
  },
  daily(order) {
    const days = byDay(order);
    return {
      add: ({ date, distance_m }, vehicle) => days.add(vehicle, date, distance_m),
      drawn: () => days.drawn('Distance', 'distance'),
    };
  },
  trips: (order) =>
    lanesOf(order, 'Trips by time', 'driving', ({ start_time, end_time }) => [start_time, end_time]),
  stops: (order) =>
    lanesOf(order, 'Stops by time', 'standing', ({ start_time, end_time }) => [start_time, end_time]),
  'geofence-visits'(order) {
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
        lanes.drawn('Visits by time', 'plain', 'vehicles and geofences', timeTicks(pastOf(order), order.tz)),
    };
  },
  overspeed() {
    const classes = Array.from({ length: maxClasses }, (_, at) =>
      at + 1 === maxClasses ? `${at * classKmh} and more` : `${at * classKmh}–${(at + 1) * classKmh}`,
    );
    const sums = createSums();
    return {
      add({ max_speed_kmh, limit_kmh }) {
        const at = Math.floor((max_speed_kmh - limit_kmh) / classKmh);
        sums.add(classes[Math.max(0, Math.min(maxClasses - 1, at))] ?? '', 1, 'critical');
      },
      drawn: () =>
        columnsOf(sums.items(), { title: 'Overspeeds by km/h above the limit', kind: 'count' }, classes),
    };
  },
  events(order) {
    const days = byDay(order);
    return {
      add: ({ time, severity }, vehicle) =>
        days.add(vehicle, days.dateAt(time), 1, severityTones[severity ?? ''] ?? 'standing'),
      drawn: () =>
        days.drawn('Events', 'count', [
          { tone: 'critical', label: 'Alarm' },
          { tone: 'warning', label: 'Warning' },
          { tone: 'info', label: 'Info' },
          { tone: 'standing', label: 'No notification' },
        ]),
    };
  },
  hours(order) {
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
        return heatOf(cells, hours, 'Driving by hour of the day', [{ tone: 'driving', label: 'Driving' }]);
      },
    };
  },
  video() {
    const sums = createSums();
    const tones: Readonly<Record<string, Tone>> = {
      done: 'driving',
      failed: 'critical',
      expired: 'critical',
    };
    return {
      add: ({ status }, vehicle) => sums.add(vehicle, 1, tones[status] ?? 'standing'),
      drawn: () =>
        barsOf(sums.items(), 'vehicles', {
          title: 'Video requests by vehicle',
          kind: 'count',
          legend: [
            { tone: 'driving', label: 'Ready' },
            { tone: 'critical', label: 'No video' },
            { tone: 'standing', label: 'In progress or cancelled' },
          ],
        }),
    };
  },
  utilisation(order) {
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
          'Share of the day spent driving',
          [{ tone: 'driving', label: 'Driving' }],
        ),
    };
  },
};
