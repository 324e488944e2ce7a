import type { PositionRow } from '../store/telemetry/rows.ts';
import { emptyReport, type TerminalReport } from './terminalReport.ts';

// Nobody is called to help by the log of what was rejected: whatever is wrong with a message, its alarms count.

/** Alarms of a message from the future, which count at the moment of receipt. */
export interface FutureAlarms {
  /** The moment that the message names, by the right time as far as it is known; Unix ms. */
  stamp_ms: number;
  /** The moment of receipt; Unix ms. */
  received_ms: number;
  alarms: readonly string[];
}

export interface PlacedAlarms extends FutureAlarms {
  /** Where the vehicle said to be; WGS 84. */
  place: { lat: number; lon: number } | null;
}

/** Messages of a vehicle from the future by which their repeats are known; a terminal repeats its last ones. */
const keptEarly = 16;
/** Of packets that bear thousands of them, so that the state of a vehicle stays under 100 kB. */
const maxEarly = 1_000;

/**
 * What is remembered of messages from the future once the alarms of some more were taken: the newest ones, and whatever
 * else came together with the oldest of these, as a terminal repeats a packet whole.
 */
export function rememberEarly(
  before: readonly FutureAlarms[],
  more: readonly PlacedAlarms[],
): readonly FutureAlarms[] {
  if (more.length === 0) return before;
  const all = [...before, ...more.map(({ place: _, ...early }) => early)];
  const oldest_ms = all.at(-keptEarly)?.received_ms;
  const from = all.findIndex((it, at) => it.received_ms === oldest_ms || at >= all.length - keptEarly);
  return all.slice(Math.max(from, all.length - maxEarly));
}

/**
 * Looks at what is rejected of one batch, message by message. The alarms of a moment that cannot have been are of the
 * moment of receipt; as a repeat comes at another one, they count once by the moment that the message names.
 *
 * @param earlyOf what is remembered of a vehicle
 */
export function createAlarmsOfRefused(earlyOf: (vehicleId: string) => readonly FutureAlarms[]) {
  /** By vehicle, moment and alarm. */
  const reported = new Set<string>();
  const looked = new Set<string>();

  function isNew(vehicleId: string, stamp_ms: number, alarm: string): boolean {
    if (!looked.has(vehicleId)) {
      looked.add(vehicleId);
      for (const early of earlyOf(vehicleId))
        for (const it of early.alarms) reported.add(keyOf(vehicleId, early.stamp_ms, it));
    }
    const key = keyOf(vehicleId, stamp_ms, alarm);
    if (reported.has(key)) return false;
    reported.add(key);
    return true;
  }

  return {
    /** The alarms alone, without a position; null when all of them were reported before. */
    of(
      report: TerminalReport,
      row: PositionRow,
      isFromTheFuture: boolean,
    ): { report: TerminalReport; early?: PlacedAlarms } | null {
      const { terminal_id, time_ms, isTimeRight } = report;
      const alone = { ...emptyReport, terminal_id, valid: false };
      if (!isFromTheFuture) {
        if (row.alarms.length === 0) return null;
        const clock = isTimeRight === undefined ? {} : { isTimeRight };
        return { report: { ...alone, ...clock, time_ms, alarms: row.alarms } };
      }
      const { vehicle_id, time_ms: stamp_ms, received_ms, lat, lon, valid } = row;
      const alarms = row.alarms.filter((alarm) => isNew(vehicle_id, stamp_ms, alarm));
      if (alarms.length === 0) return null;
      return {
        report: { ...alone, alarms },
        early: { stamp_ms, received_ms, alarms, place: valid && isOnEarth(row) ? { lat, lon } : null },
      };
    },
  };
}

export function isOnEarth({ lat, lon }: { lat: number; lon: number }): boolean {
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
}

function keyOf(vehicleId: string, stamp_ms: number, alarm: string): string {
  return `${vehicleId} ${stamp_ms} ${alarm}`;
}
