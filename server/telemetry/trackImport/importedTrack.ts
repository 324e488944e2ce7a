import type { Cause } from '../../contract/causes.ts';
import { causeOf, detailOf, messageOf } from '../../contract/causeTexts.ts';
import {
  fieldsOfFix,
  maxImportedPositions,
  maxListedFaults,
  type TrackField,
  type TrackImportResult,
} from '../../contract/trackImport.ts';
import { FileTooLarge } from '../../geofences/files/feature.ts';
import type { PositionRow } from '../../store/telemetry/rows.ts';
import { isOnEarth } from '../rejectedAlarms.ts';

/** What a file says of one position; what it does not say is missing or null. */
export type ImportedFix = Partial<Record<(typeof fieldsOfFix)[number], number | null>> & {
  time_ms: number;
  lat: number;
  lon: number;
};

/** Why a position of a file is rejected; the message continues "row 7 …". */
export class RejectedFix extends Error {
  override name = 'RejectedFix';
  readonly why: Cause;

  constructor(why: Cause) {
    super(detailOf([why]));
    this.why = why;
  }
}

const columns = ['time_ms', ...fieldsOfFix] as const;

/** As the API takes them of a terminal. */
const ranges: Partial<Record<(typeof columns)[number], readonly [number, number]>> = {
  altitude_m: [-12_000, 100_000],
  speed_kmh: [0, 1_000],
  course_deg: [0, 360],
  accuracy_m: [0, 100_000_000],
  satellites: [0, 255],
  hdop: [0, 1_000_000],
  odometer_m: [0, 1e12],
  battery_pct: [0, 100],
};

/** GPS time begins here; what is before was never set. */
export const firstTimeMs = Date.UTC(1980, 0, 6);

/** A file as it was read, for the main thread: a message of objects would hold that up. */
export interface ReadTrack {
  rows: number;
  /** `fixAt` reads it: in order of time, each time once; NaN is null. */
  table: Float64Array<ArrayBuffer>;
  rejected: number;
  faults: TrackImportResult['faults'];
  columns: Partial<Record<TrackField, string>>;
}

/** Takes the positions of a file one after another. */
export function createImportedTrack(now_ms: number) {
  const fixes = new Map<number, Float64Array>();
  const faults: ReadTrack['faults'] = [];
  let rows = 0;
  let rejected = 0;

  return {
    /**
     * @param row where it stands in the file, from 1
     * @throws {FileTooLarge}
     */
    add(row: number, read: () => ImportedFix): void {
      rows += 1;
      if (rows > maxImportedPositions)
        throw new FileTooLarge(causeOf('file.most_positions', { most: maxImportedPositions }));
      try {
        const fix = checked(read(), now_ms);
        if (!fixes.has(fix.time_ms))
          fixes.set(
            fix.time_ms,
            Float64Array.from(columns, (it) => fix[it] ?? NaN),
          );
      } catch (error) {
        if (!(error instanceof RejectedFix)) throw error;
        rejected += 1;
        if (faults.length < maxListedFaults) faults.push({ row, ...messageOf(error.why) });
      }
    },

    read(columnsRead: ReadTrack['columns'] = {}): ReadTrack {
      const sorted = [...fixes.values()].sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
      const table = new Float64Array(sorted.length * columns.length);
      for (const [at, cells] of sorted.entries()) table.set(cells, at * columns.length);
      return { rows, table, rejected, faults, columns: columnsRead };
    },
  };
}

function checked(fix: ImportedFix, now_ms: number): ImportedFix {
  const { time_ms, lat, lon } = fix;
  if (Number.isNaN(time_ms)) throw new RejectedFix(causeOf('position.no_time'));
  if (time_ms > now_ms) throw new RejectedFix(causeOf('position.in_future'));
  if (time_ms < firstTimeMs) throw new RejectedFix(causeOf('position.before_1980'));
  if (!isOnEarth({ lat, lon }))
    throw new RejectedFix(causeOf('position.not_valid', { lat: String(lat), lon: String(lon) }));
  if (lat === 0 && lon === 0) throw new RejectedFix(causeOf('position.no_fix'));
  for (const [name, [min, max]] of Object.entries(ranges)) {
    const value = fix[name as keyof ImportedFix];
    if (value !== null && value !== undefined && !(value >= min && value <= max))
      throw new RejectedFix(
        causeOf('position.out_of_range', {
          ...{ field: name, value: String(value) },
          ...{ min: String(min), max: String(max) },
        }),
      );
  }
  return { ...fix, time_ms: Math.round(time_ms) };
}

export const fixesIn = (table: Float64Array): number => table.length / columns.length;

/** Unix ms; null beyond the table. */
export const timeIn = (table: Float64Array, at: number): number | null => table[at * columns.length] ?? null;

/** The position at a place of the table, as it is stored. */
export function positionAt(
  table: Float64Array,
  at: number,
  { vehicle_id, received_ms, source }: { vehicle_id: string; received_ms: number; source: string },
): PositionRow {
  const cells = table.subarray(at * columns.length, (at + 1) * columns.length);
  const cell = (name: (typeof columns)[number]): number | null => {
    const value = cells[columns.indexOf(name)] ?? NaN;
    return Number.isNaN(value) ? null : value;
  };
  const ignition = cell('ignition');
  return {
    vehicle_id,
    time_ms: cell('time_ms') ?? 0,
    received_ms,
    lat: cell('lat') ?? 0,
    lon: cell('lon') ?? 0,
    altitude_m: cell('altitude_m'),
    speed_kmh: cell('speed_kmh'),
    course_deg: cell('course_deg'),
    accuracy_m: cell('accuracy_m'),
    satellites: cell('satellites'),
    hdop: cell('hdop'),
    valid: cell('valid') !== 0,
    ignition: ignition === null ? null : ignition === 1,
    odometer_m: cell('odometer_m'),
    battery_pct: cell('battery_pct'),
    alarms: [],
    attributes: { imported: source },
  };
}
