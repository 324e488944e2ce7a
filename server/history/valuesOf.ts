import { maxValueFixes, maxValues } from '../contract/history.ts';
import { trackFlags, type TrackColumns } from '../contract/packedTracks.ts';
import type { HistoryReader } from '../store/telemetry/historyReader.ts';
import type { PositionRow } from '../store/telemetry/rows.ts';

/** Values are counted under so many names, those that came first: a terminal could name each one anew. */
const maxNames = 2 * maxValues;
const longestName = 64;
/** What every position may have beside its attributes. */
const measured = ['altitude_m', 'odometer_m', 'battery_pct', 'satellites'] as const;

interface Column {
  /** Filled up to the last fix that had it. */
  values: number[];
  count: number;
}

/**
 * The numbers that came with the positions of a period, by name: those that came most often, in the order of their
 * names. Of every position that is stored, with or without a fix. Null where there are too many.
 */
export function valuesOf(
  reader: Pick<HistoryReader, 'track'>,
  period: { vehicle_id: string; from_ms: number; to_ms: number; gap_ms: number },
  maxFixes = maxValueFixes,
): TrackColumns | null {
  const { vehicle_id, from_ms, to_ms, gap_ms } = period;
  const columns = new Map<string, Column>();
  const times: number[] = [];
  const lat: number[] = [];
  const lon: number[] = [];
  const speeds: number[] = [];
  const flags: number[] = [];
  const put = (name: string, at: number, value: unknown): void => {
    const number = typeof value === 'boolean' ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isFinite(number)) return;
    let column = columns.get(name);
    if (column === undefined) {
      if (columns.size >= maxNames || name === '' || name.length > longestName) return;
      columns.set(name, (column = { values: [], count: 0 }));
    }
    while (column.values.length < at) column.values.push(Number.NaN);
    column.values.push(number);
    column.count += 1;
  };
  for (const row of reader.track(vehicle_id, from_ms, to_ms - 1)) {
    const at = times.length;
    if (at >= maxFixes) return null;
    const before = times.at(-1);
    flags.push(
      flagsOf(row) | (before !== undefined && row.time_ms - before > gap_ms ? trackFlags.gap_before : 0),
    );
    times.push(row.time_ms);
    lat.push(row.lat);
    lon.push(row.lon);
    speeds.push(row.speed_kmh ?? Number.NaN);
    for (const name of measured) put(name, at, row[name]);
    for (const [name, value] of Object.entries(row.attributes)) {
      if (!(measured as readonly string[]).includes(name)) put(name, at, value);
    }
  }
  const most = [...columns].sort(([, a], [, b]) => b.count - a.count).slice(0, maxValues);
  const names = most.sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    vehicle_id,
    time_ms: Float64Array.from(times),
    lat: Float64Array.from(lat),
    lon: Float64Array.from(lon),
    speed_kmh: Float64Array.from(speeds),
    course_deg: new Float64Array(times.length).fill(Number.NaN),
    flags: Uint8Array.from(flags),
    values: Object.fromEntries(
      names.map(([name, { values }]) => {
        const column = new Float64Array(times.length).fill(Number.NaN);
        column.set(values);
        return [name, column];
      }),
    ),
  };
}

const flagsOf = ({ ignition }: Pick<PositionRow, 'ignition'>): number =>
  (ignition === null ? 0 : trackFlags.ignition_known) | (ignition === true ? trackFlags.ignition_on : 0);
