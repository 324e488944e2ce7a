import type { DecodedReport, ListenerName, IntakeMessage, Transport } from '../contract/intake.ts';
import type { LastMessage } from './intake/messageLog.ts';
import { isoTime } from './presentPosition.ts';
import type { TerminalReport } from './terminalReport.ts';

/** ECMA-262, 21.4.1.1: no date lies further from 1970. */
const farthestMs = 8.64e15;

/** A message of a listener as the API shows it. */
export function presentMessage(
  message: LastMessage,
  listener: { name: ListenerName; transports: readonly Transport[] },
): IntakeMessage {
  const { number, address, terminal_id, length, note, decoded, answer } = message;
  return {
    listener: listener.name,
    sequence: number,
    at: isoTime(message.at_ms),
    transport: listener.transports.includes(message.transport) ? message.transport : 'http',
    address,
    terminal_id,
    hex: hexOf(message.bytes),
    masked: message.isRedacted,
    size_bytes: length,
    summary: note,
    undecodable: message.isUnreadable,
    report_count: decoded,
    reports: message.reports.map(presentReport),
    outcomes: { ...message.outcomes },
    codes: { ...message.codes },
    response_hex: answer === null ? null : hexOf(answer),
  };
}

function presentReport({ time_ms, place, ...rest }: TerminalReport): DecodedReport {
  return {
    ...rest,
    time: time_ms === null || !(Math.abs(time_ms) <= farthestMs) ? null : isoTime(time_ms),
    lat: place?.lat ?? null,
    lon: place?.lon ?? null,
  };
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
