import type { Geofence } from '../../../server/contract/geofences.ts';
import { settingsFields } from '../../../server/contract/settings.ts';
import type { LatLon } from '../../../server/geofences/geodesy.ts';
import { computeReport } from '../../../server/reports/computeReport.ts';
import {
  numberNames,
  type ReportThresholds,
  type ReportJob,
  type ReportVehicle,
} from '../../../server/reports/reportOrder.ts';
import type { ReportKind } from '../../../server/contract/reportRows.ts';
import type { ReportOf } from '../../../server/contract/reports.ts';
import type { HistoryReader } from '../../../server/store/telemetry/historyReader.ts';
import type { PositionRow } from '../../../server/store/telemetry/rows.ts';
import { circle } from '../geofences/geofences.ts';
import { positionRow } from '../telemetry/positions.ts';

export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;
export const metresOfDegree = 111_195;

const settings = settingsFields.parse({});
export const numbers = Object.fromEntries(
  numberNames.map((name) => [name, settings[name]]),
) as ReportThresholds;

export const van: ReportVehicle = {
  vehicle_id: 'v1',
  name: 'Van 1',
  plate: null,
  terminal_id: '100',
  group_ids: [],
  speed_limit_kmh: null,
};

/** Of 100 m around where drives begin. */
export function yard(more: Partial<Geofence> = {}): Geofence {
  return { ...circle({ lat: 52, lon: 13 }, 100, { hysteresis_m: 0 }), ...more };
}

/** Writes down what a vehicle does, step after step; it drives north. */
export interface Drive {
  rows: PositionRow[];
  /** Where it is now. */
  now: () => LatLon & { time_ms: number };
  /** A fix each `every_s`, the first one so long from now. */
  go(kmh: number, ms: number, more?: Partial<PositionRow> & { every_s?: number }): Drive;
  stand(ms: number, more?: Partial<PositionRow> & { every_s?: number }): Drive;
  /** Sends nothing, and is `north_m` farther on afterwards. */
  keepSilent(ms: number, north_m?: number): Drive;
}

export function driveFrom(start_ms: number, place: LatLon = { lat: 52, lon: 13 }): Drive {
  const rows: PositionRow[] = [];
  let time_ms = start_ms;
  let { lat } = place;

  function send(more: Partial<PositionRow>): void {
    const odometer_m = Math.round((lat - place.lat) * metresOfDegree * 1_000) / 1_000;
    rows.push(positionRow({ time_ms, lat, lon: place.lon, odometer_m, ...more }));
  }

  const drive: Drive = {
    rows,
    now: () => ({ lat, lon: place.lon, time_ms }),
    go(kmh, ms, { every_s = 10, ...more } = {}) {
      for (let gone = 0; gone < ms; gone += every_s * second) {
        time_ms += every_s * second;
        lat += ((kmh / 3.6) * every_s) / metresOfDegree;
        send({ speed_kmh: kmh, ignition: true, ...more });
      }
      return drive;
    },
    stand: (ms, more = {}) => drive.go(0, ms, { ignition: false, ...more }),
    keepSilent(ms, north_m = 0) {
      time_ms += ms;
      lat += north_m / metresOfDegree;
      return drive;
    },
  };
  send({ speed_kmh: 0, ignition: false });
  return drive;
}

// oxlint-disable-next-line require-yield -- there are none
function* none(): Generator<never> {
  return;
}

/** Reads what stands in memory as the store's reader would. */
export function readerOf(rows: readonly PositionRow[]): HistoryReader {
  const sorted = rows.toSorted((a, b) => a.time_ms - b.time_ms);
  function* track(vehicle_id: string, from_ms: number, to_ms: number) {
    for (const row of sorted) {
      if (row.vehicle_id === vehicle_id && row.time_ms >= from_ms && row.time_ms <= to_ms) yield row;
    }
  }
  return {
    track,
    *fixes(vehicle_id, from_ms, to_ms) {
      for (const row of track(vehicle_id, from_ms, to_ms)) if (row.valid) yield row;
    },
    *odometerFixes(vehicle_id, from_ms, to_ms) {
      for (const row of track(vehicle_id, from_ms, to_ms)) if (row.valid) yield row;
    },
    drive: track,
    keptDays: () => ({ revision: 0, newest_ms: null, used_ms: null, days: [] }),
    events: none,
    notifications: none,
    tasks: none,
    lastBefore: (vehicle_id, time_ms) =>
      sorted.findLast((row) => row.vehicle_id === vehicle_id && row.valid && row.time_ms < time_ms) ?? null,
    close: () => undefined,
  };
}

/** From the first fix of all to some hours after the last. */
export function spanOf(rows: readonly PositionRow[]) {
  const times = rows.map((row) => row.time_ms);
  return {
    from_ms: times.reduce((a, b) => Math.min(a, b)),
    to_ms: times.reduce((a, b) => Math.max(a, b)) + 6 * hour,
  };
}

export function orderFor(
  kind: ReportKind,
  period: ReportJob['period'],
  more: Partial<ReportJob> = {},
): ReportJob {
  return {
    kind,
    format: 'json',
    period,
    now_ms: period.to_ms + 30 * day,
    tz: 'UTC',
    wording: {},
    numbers,
    vehicles: [van],
    geofences: [],
    min_duration_s: 0,
    limit_kmh: null,
    working_hours: { days: [1, 2, 3, 4, 5], from: '06:00', to: '18:00' },
    by_driver: false,
    filter: { kinds: null, rule_id: null, acknowledged: null, statuses: null, seen: null },
    layout: { columns: null, sort: null, group_by: 'none' },
    names: { rules: new Map(), users: new Map(), groups: new Map() },
    maps: [],
    ...more,
  };
}

/** A report of one vehicle, or of those that `more` names. */
export function reportOn<Kind extends ReportKind>(
  kind: Kind,
  source: readonly PositionRow[] | HistoryReader,
  more: Partial<ReportJob> & { period?: ReportJob['period'] } = {},
): ReportOf<Kind> {
  const reader = 'track' in source ? source : readerOf(source);
  const period = more.period ?? ('track' in source ? { from_ms: 0, to_ms: 4e12 } : spanOf(source));
  const result = computeReport(orderFor(kind, period, more), reader, () => undefined);
  if (result.kind !== 'report') throw new Error(`answered ${result.kind}`);
  // The rows are of the kind that was asked for.
  return result.report as unknown as ReportOf<Kind>;
}

export function csvOf(kind: ReportKind, rows: readonly PositionRow[], more: Partial<ReportJob> = {}): string {
  const order = orderFor(kind, spanOf(rows), { format: 'csv', ...more });
  const result = computeReport(order, readerOf(rows), () => undefined);
  if (result.kind !== 'csv') throw new Error(`answered ${result.kind}`);
  return result.text;
}
