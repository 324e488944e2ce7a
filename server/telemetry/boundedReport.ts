import type { Attributes } from '../contract/fields.ts';
import type { TerminalReport } from './terminalReport.ts';

const maxId = 64;
const maxText = 200;
const maxAttributes = 64;
const maxAlarms = 32;

/** V8 cuts no text that is shorter out of another one: it stands for itself already (`SlicedString::kMinLength`). */
const minSlice = 13;

/** The beginning of a text, as a copy: a slice would keep the whole of what it was cut from. */
export function truncateText(text: string, longest = maxText): string {
  return text.length < minSlice ? text : Buffer.from(text.slice(0, longest)).toString();
}

/** The beginning of what a terminal is called; an unidentified client may send any text. */
export function keptId(terminalId: string): string {
  return truncateText(terminalId, maxId);
}

/** A copy to be kept of a report, which anybody may have sent: of a size that is bounded. */
export function boundedReport(report: TerminalReport): TerminalReport {
  const { alarms, attributes } = report;
  // Field by field: it is made for each message of the fleet, and a rest and a spread cost more than all else here.
  return {
    terminal_id: keptId(report.terminal_id),
    time_ms: report.time_ms,
    place: report.place,
    altitude_m: report.altitude_m,
    speed_kmh: report.speed_kmh,
    course_deg: report.course_deg,
    accuracy_m: report.accuracy_m,
    satellites: report.satellites,
    hdop: report.hdop,
    valid: report.valid,
    ignition: report.ignition,
    odometer_m: report.odometer_m,
    battery_pct: report.battery_pct,
    alarms: alarms.length === 0 ? [] : alarms.slice(0, maxAlarms).map((alarm) => truncateText(alarm)),
    attributes: isKeptWhole(attributes) ? attributes : keptAttributes(attributes),
  };
}

/** Whether a copy would be no smaller, and let go of nothing. */
function isKeptWhole(attributes: Attributes): boolean {
  let count = 0;
  for (const key in attributes) {
    const value = attributes[key];
    count += 1;
    if (key.length >= minSlice || (typeof value === 'string' && value.length >= minSlice)) return false;
  }
  return count <= maxAttributes;
}

function keptAttributes(attributes: Attributes): Attributes {
  const some = Object.entries(attributes).slice(0, maxAttributes);
  return Object.fromEntries(
    some.map(([key, value]) => [truncateText(key), typeof value === 'string' ? truncateText(value) : value]),
  );
}
