import { drivenRows, isDriven } from '../contract/reportRows.ts';
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
  if (drive === null) return row;
  return { ...row, ...(drive.driver_id !== null && { driver_id: drive.driver_id }), driver: drive.name };
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
