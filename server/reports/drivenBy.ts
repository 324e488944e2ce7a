import { drivenRows, isDriven } from '../contract/reportRows.ts';
import type { TimeRange } from '../geofences/scheduleClock.ts';
import type { ReportDrive, ReportJob, ReportRow, ReportVehicle } from './reportOrder.ts';

/** A row with who drove for the most of it; null: it is not what the asked driver drove. */
export function withDriver(
  row: ReportRow,
  { drives = [] }: ReportVehicle,
  { kind, driver_id }: Pick<ReportJob, 'kind' | 'driver_id'>,
): ReportRow | null {
  if (!isDriven(kind)) return row;
  const [start, end] = drivenRows[kind];
  const times = row as unknown as Record<string, string>;
  const drive = mostOf(drives, Date.parse(times[start] ?? ''), Date.parse(times[end] ?? ''));
  if (driver_id !== undefined && drive?.driver_id !== driver_id) return null;
  return { ...row, ...presentDriver(drive) };
}

/** The fields of a row that say who drove: none where nobody is known. */
export function presentDriver(drive: Pick<ReportDrive, 'driver_id' | 'name'> | null) {
  if (drive === null) return {};
  return { ...(drive.driver_id !== null && { driver_id: drive.driver_id }), driver: drive.name };
}

/** The same for one driver and no other; for those who are unknown or not seen it is the name or the card. */
export const driverKey = (drive: Pick<ReportDrive, 'driver_id' | 'name'> | null): string =>
  drive === null ? '' : `${drive.driver_id ?? ''} ${drive.name}`;

/** A part of a span in which one driver drove; null: nobody is known. */
export interface DrivenPart extends TimeRange {
  drive: ReportDrive | null;
}

/**
 * A span in parts that follow each other without gaps, each with another driver than the one before.
 *
 * @param drives in order of time, without overlaps
 */
export function drivenParts({ from_ms, to_ms }: TimeRange, drives: readonly ReportDrive[]): DrivenPart[] {
  const parts: DrivenPart[] = [];
  function add(drive: ReportDrive | null, begun_ms: number, ended_ms: number): void {
    if (ended_ms <= begun_ms) return;
    const last = parts.at(-1);
    if (last !== undefined && driverKey(last.drive) === driverKey(drive)) last.to_ms = ended_ms;
    else parts.push({ from_ms: begun_ms, to_ms: ended_ms, drive });
  }
  let done_ms = from_ms;
  for (let at = firstEndingAfter(drives, from_ms); at < drives.length; at++) {
    const drive = drives[at];
    if (drive === undefined || drive.from_ms >= to_ms) break;
    const [begun_ms, ended_ms] = [Math.max(drive.from_ms, from_ms), Math.min(drive.to_ms ?? Infinity, to_ms)];
    add(null, done_ms, begun_ms);
    add(drive, begun_ms, ended_ms);
    done_ms = ended_ms;
  }
  add(null, done_ms, to_ms);
  return parts;
}

/** Of drives in order of time, which do not overlap, the one that takes most of a span, or holds its only moment. */
function mostOf(drives: readonly ReportDrive[], from_ms: number, to_ms: number): ReportDrive | null {
  let best: ReportDrive | null = null;
  let longest_ms = -1;
  for (let at = firstEndingAfter(drives, from_ms); at < drives.length; at++) {
    const drive = drives[at];
    if (drive === undefined || drive.from_ms > to_ms) break;
    const ms = Math.min(drive.to_ms ?? Infinity, to_ms) - Math.max(drive.from_ms, from_ms);
    if (ms <= longest_ms) continue;
    best = drive;
    longest_ms = ms;
  }
  return best;
}

function firstEndingAfter(drives: readonly ReportDrive[], ms: number): number {
  let [low, high] = [0, drives.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((drives[middle]?.to_ms ?? Infinity) > ms) high = middle;
    else low = middle + 1;
  }
  return low;
}
