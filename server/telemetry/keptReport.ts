import type { Report } from './report.ts';

const longestId = 64;
const longestText = 200;
const mostAttributes = 64;
const mostAlarms = 32;

/** The beginning of a text, as a copy: a slice would keep the whole of what it was cut from. */
export function keptText(text: string, longest = longestText): string {
  return Buffer.from(text.slice(0, longest)).toString();
}

/** The beginning of what a terminal is called; a stranger may claim to be called anything. */
export function keptId(terminalId: string): string {
  return keptText(terminalId, longestId);
}

/** A copy to be kept of a report, which anybody may have sent: of a size that is bounded. */
export function keptReport(report: Report): Report {
  const { unreadable: _, ...told } = report;
  const attributes = Object.entries(report.attributes).slice(0, mostAttributes);
  return {
    ...told,
    terminal_id: keptId(report.terminal_id),
    alarms: report.alarms.slice(0, mostAlarms).map((alarm) => keptText(alarm)),
    attributes: Object.fromEntries(
      attributes.map(([key, value]) => [keptText(key), typeof value === 'string' ? keptText(value) : value]),
    ),
  };
}
