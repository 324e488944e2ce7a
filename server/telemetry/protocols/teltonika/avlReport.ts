import { emptyReport, type Report } from '../../report.ts';
import type { AvlRecord } from './avlRecords.ts';
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

/** One record as all protocols' messages are told. */
export function avlReport(record: AvlRecord, terminal_id: string): Report {
  const { time_ms, lat, lon, altitude_m, course_deg, satellites, speed_kmh, priority } = record;
  const { event_io, generation_type } = record;
  const io = readIo(record.io);
  const hasFix = satellites > 0;
  const isOnEarth = Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
  const alarm = alarmOf(record);
  return {
    ...emptyReport,
    terminal_id,
    time_ms,
    // Without a fix the last place is repeated; what was never one is no reason to refuse all the rest.
    place: hasFix || isOnEarth ? { lat, lon } : null,
    altitude_m,
    course_deg: course_deg > 360 ? null : course_deg % 360,
    satellites,
    speed_kmh,
    hdop: io.hdop,
    valid: hasFix,
    ignition: io.ignition,
    odometer_m: io.odometer_m,
    battery_pct: io.battery_pct,
    alarms: [
      ...(priority === panicPriority || io.isPanic ? ['sos'] : []),
      ...(alarm === null ? [] : [alarm]),
    ],
    attributes: {
      ...io.attributes,
      ...(priority === 0 ? {} : { priority }),
      ...(event_io === 0 ? {} : { event_io }),
      ...(generation_type === null ? {} : { generation_type }),
    },
  };
}

function alarmOf({ event_io, io }: AvlRecord): string | null {
  const value = io.get(event_io);
  if (value === undefined || value.length === 0 || value.length > 4) return null;
  return alarmsOfEvents[event_io]?.(value.readUIntBE(0, value.length)) ?? null;
}
