import { parseDateTime } from '../../server/contract/localTime.ts';
import type { ReportKind, ReportRows } from '../../server/contract/reportRows.ts';
import { readDate } from '../format/depotMoment.ts';
import type { DepotTime } from '../format/depotTime.ts';
import type { LatLon } from '../map/geodesy.ts';
import type { Period } from '../ui/period.ts';

/** What a row is about: a vehicle in a period (Unix ms), and where it stood, if it is about one place. */
export interface RowSubject extends Period {
  vehicleId: string;
  place: LatLon | null;
  /** Where History opens, Unix ms. */
  opensAt: number;
}

/** Of any kind of report. */
export type AnyRow = ReportRows[ReportKind];

interface KindOfRow<Row> {
  /** Unique in its report. */
  keyOf: (row: Row) => string;
  subjectOf: (row: Row, period: Period, time: ReportClock) => RowSubject;
}

/** No day is longer than 25 h, and none shorter than 23: 36 h after its beginning the next one is under way. */
const INTO_NEXT_MS = 36 * 3_600_000;

/** Of the clock in whose days a report counts. */
type ReportClock = Pick<DepotTime, 'dayStart' | 'timeZone'>;

/** From the midnight with which a date begins to the next one. Throws RangeError for what is no date. */
export function dayOfDate(date: string, { dayStart, timeZone }: ReportClock): Period {
  const parts = readDate(date);
  if (parts === null) throw new RangeError(`${date} is not a date`);
  const from = parseDateTime(parts, 0, timeZone);
  return { from, to: dayStart(from + INTO_NEXT_MS) };
}

function subject(
  vehicleId: string,
  { from, to }: Period,
  { place = null, opensAt = null }: { place?: LatLon | null; opensAt?: string | null } = {},
): RowSubject {
  return { vehicleId, from, to, place, opensAt: opensAt === null ? from : Date.parse(opensAt) };
}

const period = (from: string, to: string): Period => ({ from: Date.parse(from), to: Date.parse(to) });

const ofSpan: KindOfRow<{
  vehicle_id: string;
  start_time: string;
  end_time: string;
  place?: LatLon | null;
}> = {
  keyOf: ({ vehicle_id, start_time }) => `${vehicle_id} ${start_time}`,
  subjectOf: ({ vehicle_id, start_time, end_time, place = null }) =>
    subject(vehicle_id, period(start_time, end_time), { place }),
};

interface Driven {
  driver_id?: string | undefined;
  driver?: string | undefined;
}

/** Of sums that are cut where another driver takes over: behind what all rows have. */
const driverKey = ({ driver_id, driver }: Driven): string =>
  driver === undefined ? '' : ` ${driver_id ?? ''} ${driver}`;

const ofDay: KindOfRow<Driven & { vehicle_id: string; date: string; first_departure?: string | null }> = {
  keyOf: (row) => `${row.vehicle_id} ${row.date}${driverKey(row)}`,
  subjectOf: ({ vehicle_id, date, first_departure = null }, _, clock) =>
    subject(vehicle_id, dayOfDate(date, clock), { opensAt: first_departure }),
};

const ofVehicle: KindOfRow<Driven & { vehicle_id: string; first_time?: string | null }> = {
  keyOf: (row) => `${row.vehicle_id}${driverKey(row)}`,
  subjectOf: ({ vehicle_id, first_time = null }, asked) =>
    subject(vehicle_id, asked, { opensAt: first_time }),
};

/** How a row of each kind is named, and what it is about. */
export const reportSubjects: { readonly [Kind in ReportKind]: KindOfRow<ReportRows[Kind]> } = {
  summary: ofVehicle,
  daily: ofDay,
  utilisation: ofDay,
  hours: ofVehicle,
  trips: ofSpan,
  stops: ofSpan,
  'geofence-visits': {
    keyOf: ({ vehicle_id, geozone_id, enter_time }) => `${vehicle_id} ${geozone_id} ${enter_time}`,
    subjectOf: ({ vehicle_id, enter_time, exit_time }) => subject(vehicle_id, period(enter_time, exit_time)),
  },
  overspeed: ofSpan,
  events: {
    keyOf: ({ event_id }) => event_id,
    subjectOf: ({ vehicle_id, time, end_time, place }) =>
      subject(vehicle_id, period(time, end_time ?? time), { place }),
  },
  video: {
    keyOf: ({ task_id }) => task_id,
    subjectOf: ofSpan.subjectOf,
  },
};
