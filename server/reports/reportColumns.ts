import type { GeofenceVisit, Stop, Trip, VehicleSummary } from '../contract/reports.ts';
import type { CsvCell, CsvColumn } from './csvTable.ts';
import { wallClock } from './localDays.ts';
import type { ReportKind, ReportJob, ReportVehicle } from './reportOrder.ts';

/** What a line of a report's CSV is made of. */
export interface RowOf<Row> {
  vehicle: ReportVehicle;
  row: Row;
}

/** A line of each kind of report; a summary has one a day. */
interface CsvRows {
  summary: VehicleSummary['days'][number];
  trips: Trip;
  stops: Stop;
  'geofence-visits': GeofenceVisit;
}

type Columns<Row> = CsvColumn<RowOf<Row>>[];

/** The columns of every kind of report: the fields of JSON under their names, with names and local times beside them. */
export function reportColumns({ tz, geofences }: Pick<ReportJob, 'tz' | 'geofences'>): {
  [Kind in ReportKind]: Columns<CsvRows[Kind]>;
} {
  const clockAt = wallClock(tz);
  const names = new Map(geofences.map((it) => [it.geozone_id, it.name]));
  const nameOf = (id: string) => names.get(id) ?? '';

  function timeColumns<Row>(name: string, time: (row: Row) => string): Columns<Row> {
    return [
      { name: `${name}_time`, cell: ({ row }) => time(row) },
      { name: `${name}_local`, cell: ({ row }) => clockAt(Date.parse(time(row))) },
    ];
  }

  function placeColumns<Row>(prefix: string, place: (row: Row) => Stop['place']): Columns<Row> {
    return [
      { name: `${prefix}lat`, cell: ({ row }) => place(row).lat },
      { name: `${prefix}lon`, cell: ({ row }) => place(row).lon },
      { name: `${prefix}geofences`, cell: ({ row }) => place(row).geozone_ids.map(nameOf).join('; ') },
      { name: `${prefix}geozone_ids`, cell: ({ row }) => place(row).geozone_ids.join('; ') },
    ];
  }

  const ends = [
    ...timeColumns<Trip | Stop>('start', (row) => row.start_time),
    ...timeColumns<Trip | Stop>('end', (row) => row.end_time),
    ...fields<Trip | Stop>('open_start', 'open_end', 'duration_s'),
  ];
  return {
    summary: [
      ...vehicleColumns,
      ...fields<CsvRows['summary']>('date', 'distance_m', 'driving_s', 'stopped_s', 'idle_s', 'gap_s'),
      ...fields<CsvRows['summary']>('trips', 'stops', 'max_speed_kmh', 'positions'),
    ],
    trips: [
      ...vehicleColumns,
      ...ends,
      ...fields<Trip>('distance_m', 'odometer_m', 'average_speed_kmh', 'max_speed_kmh', 'max_speed_time'),
      ...fields<Trip>('idle_s', 'positions'),
      ...placeColumns<Trip>('start_', (row) => row.start),
      ...placeColumns<Trip>('end_', (row) => row.end),
      ...addressColumns('start_address', 'end_address'),
    ],
    stops: [
      ...vehicleColumns,
      ...ends,
      ...fields<Stop>('idle_s', 'ignition_on_s'),
      gapColumn,
      ...fields<Stop>('positions'),
      ...placeColumns<Stop>('', (row) => row.place),
      ...addressColumns('address'),
    ],
    'geofence-visits': [
      ...vehicleColumns,
      { name: 'geofence', cell: ({ row }) => nameOf(row.geozone_id) },
      ...fields<GeofenceVisit>('geozone_id'),
      ...timeColumns<GeofenceVisit>('enter', (row) => row.enter_time),
      ...timeColumns<GeofenceVisit>('exit', (row) => row.exit_time),
      ...fields<GeofenceVisit>('open_start', 'open_end', 'duration_s', 'distance_m', 'max_speed_kmh'),
      gapColumn,
    ],
  };
}

const vehicleColumns: Columns<unknown> = [
  { name: 'vehicle_name', cell: ({ vehicle }) => vehicle.name },
  { name: 'plate', cell: ({ vehicle }) => vehicle.plate },
  { name: 'terminal_id', cell: ({ vehicle }) => vehicle.terminal_id },
  { name: 'vehicle_id', cell: ({ vehicle }) => vehicle.vehicle_id },
];

/** Empty and the last ones, so that it is known where in a line the host writes addresses into them. */
const addressColumns = (...names: string[]): Columns<unknown> =>
  names.map((name) => ({ name, cell: () => null }));

const gapColumn: CsvColumn<RowOf<Pick<Stop, 'gaps'>>> = {
  name: 'gap_s',
  cell: ({ row }) => row.gaps.reduce((ms, { from, to }) => ms + Date.parse(to) - Date.parse(from), 0) / 1_000,
};

type CellField<Row> = { [Key in keyof Row]: Row[Key] extends CsvCell ? Key : never }[keyof Row] & string;

function fields<Row extends Record<CellField<Row>, CsvCell>>(...names: CellField<Row>[]): Columns<Row> {
  return names.map((name) => ({ name, cell: ({ row }) => row[name] }));
}
