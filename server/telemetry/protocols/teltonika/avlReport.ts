import type { TerminalReport } from '../../terminalReport.ts';
import { forEachElement, type AvlRecord, type Elements } from './avlRecords.ts';
import { readIo } from './ioElements.ts';

const panicPriority = 2;

/**
 * Alarms of the terminal itself, by the element that made it write the record and that element's value; those that are
 * kinds of events here have the kind's name.
 */
const alarmsOfEvents: Readonly<Record<number, (value: number) => string | null>> = {
  246: (value) => (value === 1 ? 'towing' : null),
  247: (value) => (value >= 1 ? 'collision' : null),
  249: (value) => (value === 1 ? 'gsm_jamming' : null),
  252: (value) => (value === 1 ? 'power_cut' : null),
  253: (value) => [null, 'harsh_acceleration', 'harsh_braking', 'harsh_cornering'][value] ?? null,
  255: () => 'overspeed',
  318: (value) => (value >= 1 ? 'gnss_jamming' : null),
};

/** One record in the common form of all protocols. */
export function avlReport(record: AvlRecord, terminal_id: string): TerminalReport {
  const { time_ms, lat, lon, altitude_m, course_deg, satellites, speed_kmh, priority } = record;
  const { event_io, generation_type } = record;
  const { attributes, isPanic, hdop, ignition, odometer_m, battery_pct } = readIo(record.io);
  if (priority !== 0) attributes['priority'] = priority;
  if (event_io !== 0) attributes['event_io'] = event_io;
  if (generation_type !== null) attributes['generation_type'] = generation_type;
  const alarms = priority === panicPriority || isPanic ? ['sos'] : [];
  const alarm = alarmOf(record);
  if (alarm !== null) alarms.push(alarm);
  // By Teltonika's definition all three are 0 without a fix.
  const hasFix = satellites > 0 || speed_kmh > 0 || course_deg > 0;
  const isOnEarth = Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
  // Field by field: spread over what no message says, each record of the fleet costs a copy of it.
  return {
    time_ms,
    // Without a fix the last place is repeated; what was never one is no reason to refuse all the rest.
    place: hasFix || isOnEarth ? { lat, lon } : null,
    altitude_m,
    speed_kmh,
    course_deg: course_deg > 360 ? null : course_deg % 360,
    accuracy_m: null,
    satellites,
    hdop,
    valid: hasFix,
    ignition,
    odometer_m,
    battery_pct,
    alarms,
    attributes,
    terminal_id,
  };
}

function alarmOf({ event_io, io }: AvlRecord): string | null {
  const toAlarm = alarmsOfEvents[event_io];
  if (toAlarm === undefined) return null;
  const value = numberIn(io, event_io);
  return value === null ? null : toAlarm(value);
}

/** Null for an element that is not there, and for one that is no number. */
function numberIn(io: Elements, target: number): number | null {
  let value: number | null = null;
  forEachElement(io, (id, at, length) => {
    if (id === target && length > 0 && length <= 4) value = io.bytes.readUIntBE(at, length);
  });
  return value;
}
