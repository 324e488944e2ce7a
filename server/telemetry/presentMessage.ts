import type { DecodedReport, DoorName, IntakeMessage, Transport } from '../contract/intake.ts';
import type { LastMessage } from './gateway/lastMessages.ts';
import { isoTime } from './presentPosition.ts';
import type { Report } from './report.ts';

/** ECMA-262, 21.4.1.1: no date lies further from 1970. */
const farthestMs = 8.64e15;

/** A message of a door as the API shows it. */
export function presentMessage(
  message: LastMessage,
  door: { name: DoorName; transports: readonly Transport[] },
): IntakeMessage {
  const { number, address, terminal_id, length, note, decoded, answer } = message;
  return {
    door: door.name,
    number,
    at: isoTime(message.at_ms),
    transport: door.transports.includes(message.transport) ? message.transport : 'http',
    address,
    terminal_id,
    hex: hexOf(message.bytes),
    masked: message.isVeiled,
    length,
    note,
    unreadable: message.isUnreadable,
    decoded,
    reports: message.reports.map(presentReport),
    outcomes: { ...message.outcomes },
    codes: { ...message.codes },
    answer_hex: answer === null ? null : hexOf(answer),
  };
}

function presentReport({ time_ms, place, ...rest }: Report): DecodedReport {
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
