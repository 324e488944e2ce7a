import { isCutByDriver, type ReportKind, type ReportPlace, type ReportRows } from './reportRows.ts';

/**
 * What a column holds, and so how it is written. Times are RFC 3339 in UTC, dates those of the report's time zone.
 * `vehicle`, `geofence`, `geofences`, `rule` and `user` are ids, which are shown by their names; `code` is a word of
 * the contract; `share` is a fraction, 0 to 1.
 */
export interface ColumnValues {
  vehicle: string;
  text: string | null;
  code: string | null;
  id: string | null;
  time: string | null;
  date: string;
  flag: boolean;
  duration_s: number | null;
  distance_m: number | null;
  speed_kmh: number | null;
  count: number | null;
  number: number | null;
  share: number | null;
  bytes: number | null;
  place: ReportPlace | null;
  geofence: string | null;
  rule: string | null;
  user: string | null;
}
export type ColumnKind = keyof ColumnValues;

interface ColumnOf<Row, Kind extends ColumnKind> {
  /** Unique in its report; the head of a CSV's column, and the key of texts. */
  key: string;
  kind: Kind;
  /** What stands in its cell of a line of totals, over the values that are not null; left out: nothing. */
  total?: 'sum' | 'max';
  value: (row: Row) => ColumnValues[Kind];
}

/** A column of a report: of each row one value. */
export type ReportColumn<Row> = { [Kind in ColumnKind]: ColumnOf<Row, Kind> }[ColumnKind];

/** Keys of a row whose values a column of this kind takes. */
type KeyFor<Row, Kind extends ColumnKind> = {
  [Key in keyof Row]: Row[Key] extends ColumnValues[Kind] ? Key : never;
}[keyof Row] &
  string;

function columnsOf<Row>() {
  return <Kind extends ColumnKind>(
    kind: Kind,
    key: KeyFor<Row, Kind>,
    total?: 'sum' | 'max',
  ): ReportColumn<Row> =>
    ({
      key,
      kind,
      ...(total === undefined ? {} : { total }),
      value: (row: Row) => row[key],
    }) as ReportColumn<Row>;
}

function gapS<Row extends { gaps: readonly { from: string; to: string }[] }>(): ReportColumn<Row> {
  return {
    key: 'gap_s',
    kind: 'duration_s',
    total: 'sum',
    value: ({ gaps }) => gaps.reduce((ms, { from, to }) => ms + Date.parse(to) - Date.parse(from), 0) / 1_000,
  };
}

function driver<Row extends { driver?: string | undefined }>(): ReportColumn<Row> {
  return { key: 'driver', kind: 'text', value: (row) => row.driver ?? null };
}

const summary = columnsOf<ReportRows['summary']>();
const daily = columnsOf<ReportRows['daily']>();
const utilisation = columnsOf<ReportRows['utilisation']>();
const hours = columnsOf<ReportRows['hours']>();
const trips = columnsOf<ReportRows['trips']>();
const stops = columnsOf<ReportRows['stops']>();
const visits = columnsOf<ReportRows['geofence-visits']>();
const overspeed = columnsOf<ReportRows['overspeed']>();
const events = columnsOf<ReportRows['events']>();
const video = columnsOf<ReportRows['video']>();

const hourName = (hour: number) => String(hour).padStart(2, '0');

/** The columns of every kind of report, in their order: what tables, files and scheduled reports show. */
export const reportColumns: { readonly [Kind in ReportKind]: readonly ReportColumn<ReportRows[Kind]>[] } = {
  summary: [
    summary('vehicle', 'vehicle_id'),
    driver(),
    summary('distance_m', 'distance_m', 'sum'),
    summary('code', 'distance_by'),
    summary('duration_s', 'driving_s', 'sum'),
    summary('duration_s', 'stopped_s', 'sum'),
    summary('duration_s', 'idle_s', 'sum'),
    summary('duration_s', 'gap_s', 'sum'),
    summary('count', 'trips', 'sum'),
    summary('count', 'stops', 'sum'),
    summary('speed_kmh', 'max_speed_kmh', 'max'),
    summary('time', 'first_time'),
    summary('time', 'last_time'),
    summary('count', 'positions', 'sum'),
  ],
  daily: [
    daily('vehicle', 'vehicle_id'),
    driver(),
    daily('date', 'date'),
    daily('time', 'first_departure'),
    daily('time', 'last_arrival'),
    daily('flag', 'open_start'),
    daily('flag', 'open_end'),
    daily('distance_m', 'distance_m', 'sum'),
    daily('code', 'distance_by'),
    daily('duration_s', 'driving_s', 'sum'),
    daily('duration_s', 'stopped_s', 'sum'),
    daily('duration_s', 'idle_s', 'sum'),
    daily('duration_s', 'gap_s', 'sum'),
    daily('count', 'trips', 'sum'),
    daily('count', 'stops', 'sum'),
    daily('speed_kmh', 'max_speed_kmh', 'max'),
    daily('count', 'positions', 'sum'),
  ],
  utilisation: [
    utilisation('vehicle', 'vehicle_id'),
    driver(),
    utilisation('date', 'date'),
    utilisation('duration_s', 'day_s', 'sum'),
    utilisation('duration_s', 'driving_s', 'sum'),
    utilisation('duration_s', 'stopped_s', 'sum'),
    utilisation('duration_s', 'gap_s', 'sum'),
    {
      key: 'driving_share',
      kind: 'share',
      value: ({ driving_s, day_s }) => (day_s === 0 ? null : driving_s / day_s),
    },
  ],
  hours: [
    hours('vehicle', 'vehicle_id'),
    driver(),
    hours('duration_s', 'driving_s', 'sum'),
    hours('duration_s', 'stopped_s', 'sum'),
    hours('distance_m', 'distance_m', 'sum'),
    hours('code', 'distance_by'),
    hours('duration_s', 'out_of_hours_s', 'sum'),
    hours('distance_m', 'out_of_hours_m', 'sum'),
    ...Array.from({ length: 24 }, (_, hour): ReportColumn<ReportRows['hours']> => ({
      key: `driving_s_${hourName(hour)}`,
      kind: 'duration_s',
      total: 'sum',
      value: (row) => row.hours[hour]?.driving_s ?? 0,
    })),
  ],
  trips: [
    trips('vehicle', 'vehicle_id'),
    driver(),
    trips('time', 'start_time'),
    trips('time', 'end_time'),
    trips('flag', 'open_start'),
    trips('flag', 'open_end'),
    trips('duration_s', 'duration_s', 'sum'),
    trips('distance_m', 'distance_m', 'sum'),
    trips('code', 'distance_by'),
    trips('distance_m', 'odometer_m', 'sum'),
    trips('speed_kmh', 'average_speed_kmh'),
    trips('speed_kmh', 'max_speed_kmh', 'max'),
    trips('time', 'max_speed_time'),
    trips('duration_s', 'idle_s', 'sum'),
    trips('count', 'positions', 'sum'),
    trips('place', 'start'),
    trips('place', 'end'),
  ],
  stops: [
    stops('vehicle', 'vehicle_id'),
    driver(),
    stops('time', 'start_time'),
    stops('time', 'end_time'),
    stops('flag', 'open_start'),
    stops('flag', 'open_end'),
    stops('duration_s', 'duration_s', 'sum'),
    stops('duration_s', 'idle_s', 'sum'),
    stops('duration_s', 'ignition_on_s', 'sum'),
    gapS(),
    stops('count', 'positions', 'sum'),
    stops('place', 'place'),
  ],
  'geofence-visits': [
    visits('vehicle', 'vehicle_id'),
    driver(),
    visits('geofence', 'geozone_id'),
    visits('time', 'enter_time'),
    visits('time', 'exit_time'),
    visits('flag', 'open_start'),
    visits('flag', 'open_end'),
    visits('duration_s', 'duration_s', 'sum'),
    visits('distance_m', 'distance_m', 'sum'),
    visits('code', 'distance_by'),
    visits('speed_kmh', 'max_speed_kmh', 'max'),
    gapS(),
  ],
  overspeed: [
    overspeed('vehicle', 'vehicle_id'),
    driver(),
    overspeed('time', 'start_time'),
    overspeed('time', 'end_time'),
    overspeed('flag', 'open_start'),
    overspeed('flag', 'open_end'),
    overspeed('duration_s', 'duration_s', 'sum'),
    overspeed('distance_m', 'distance_m', 'sum'),
    overspeed('code', 'distance_by'),
    overspeed('speed_kmh', 'limit_kmh'),
    overspeed('code', 'limit_source'),
    overspeed('geofence', 'geozone_id'),
    overspeed('speed_kmh', 'max_speed_kmh', 'max'),
    overspeed('time', 'max_speed_time'),
    overspeed('speed_kmh', 'average_speed_kmh'),
    overspeed('count', 'positions', 'sum'),
    overspeed('place', 'place'),
  ],
  events: [
    events('vehicle', 'vehicle_id'),
    driver(),
    events('time', 'time'),
    events('code', 'kind'),
    events('rule', 'rule_id'),
    events('code', 'severity'),
    events('geofence', 'geozone_id'),
    events('duration_s', 'duration_s', 'sum'),
    events('number', 'measured'),
    events('number', 'threshold'),
    events('text', 'unit'),
    events('text', 'alarm'),
    events('flag', 'late'),
    events('time', 'acknowledged_at'),
    events('duration_s', 'acknowledged_after_s'),
    events('user', 'acknowledged_by'),
    events('text', 'note'),
    events('id', 'event_id'),
    events('place', 'place'),
  ],
  video: [
    video('vehicle', 'vehicle_id'),
    driver(),
    video('time', 'requested_at'),
    video('time', 'start_time'),
    video('time', 'end_time'),
    video('count', 'channel'),
    video('code', 'status'),
    video('code', 'stream'),
    video('duration_s', 'duration_s', 'sum'),
    video('bytes', 'size_bytes', 'sum'),
    video('time', 'done_at'),
    video('duration_s', 'took_s'),
    video('count', 'attempts', 'sum'),
    video('code', 'error'),
    video('rule', 'rule_id'),
    video('user', 'created_by'),
    video('id', 'event_id'),
    video('id', 'task_id'),
  ],
};

/** The columns of a report in the usual order: sums name a driver only where they are cut by driver. */
export function columnsOfKind(
  kind: ReportKind,
  isByDriver: boolean,
): readonly ReportColumn<ReportRows[ReportKind]>[] {
  // The rows are of the kind that the columns are of.
  const all = reportColumns[kind] as readonly ReportColumn<ReportRows[ReportKind]>[];
  return isByDriver || !isCutByDriver(kind) ? all : all.filter(({ key }) => key !== 'driver');
}
