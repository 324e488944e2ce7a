import type { ListenerName } from '../../contract/intake.ts';
import type { CommandFault } from '../../contract/terminalCommands.ts';
import type { TerminalCommandRow } from '../../store/telemetry/rows.ts';
import type { CommandResult } from '../intake/commandLinks.ts';
import type { TerminalReport } from '../terminalReport.ts';

/** A command that is about to be written. */
export function onItsWay(
  row: TerminalCommandRow,
  protocol: ListenerName,
  now_ms: number,
): TerminalCommandRow {
  return { ...row, status: 'sent', protocol, sent_ms: now_ms };
}

/**
 * A command that was on its way, by what became of it. Only one of which not a byte was written waits again: any other
 * may have been done already.
 *
 * @param clockOffsetS how far the terminal's clock is ahead
 */
export function afterSending(
  row: TerminalCommandRow,
  result: CommandResult,
  now_ms: number,
  clockOffsetS: number,
): TerminalCommandRow {
  switch (result.outcome) {
    case 'responded':
      return { ...row, status: 'responded', response: result.text, completed_ms: now_ms };
    case 'position':
      return {
        ...row,
        status: 'responded',
        response: positionText(result.report, clockOffsetS),
        completed_ms: now_ms,
      };
    case 'refused':
      return failed(row, 'terminal_refused', result.detail, now_ms);
    case 'unsupported':
      return failed(row, 'not_supported', result.detail, now_ms);
    case 'silent':
      return failed(row, 'no_response', `The terminal did not answer in time. ${unknownEnd}`, now_ms);
    case 'ended':
      return failed(row, 'no_response', `The connection ended before the answer came. ${unknownEnd}`, now_ms);
    case 'not_written':
      return { ...row, status: 'queued', protocol: null, sent_ms: null };
  }
}

const unknownEnd = 'It is not known whether it was executed.';

/** One that was on its way when the host stopped. */
export function afterHostStopped(row: TerminalCommandRow, now_ms: number): TerminalCommandRow {
  return failed(row, 'no_response', `The host stopped before the answer came. ${unknownEnd}`, now_ms);
}

export function failed(
  row: TerminalCommandRow,
  code: CommandFault,
  detail: string,
  now_ms: number,
): TerminalCommandRow {
  return { ...row, status: 'failed', error: { code, detail }, completed_ms: now_ms };
}

/** For reading: `2026-11-21T20:40:00Z 48.123456, 11.123456, 43.5 km/h`. */
function positionText(report: TerminalReport | null, clockOffsetS: number): string {
  if (report === null) return 'an answer that is no position';
  const { place, time_ms, speed_kmh, valid } = report;
  if (place === null || time_ms === null || !valid) return 'no fix';
  const time = new Date(time_ms - clockOffsetS * 1_000).toISOString().replace('.000Z', 'Z');
  const speed = speed_kmh === null ? '' : `, ${speed_kmh} km/h`;
  return `${time} ${place.lat.toFixed(6)}, ${place.lon.toFixed(6)}${speed}`;
}
