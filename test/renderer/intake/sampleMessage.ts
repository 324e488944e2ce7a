import type { DecodedReport, IntakeMessage } from '../../../server/contract/intake.ts';

export const NOON = '2026-11-21T12:00:00.000Z';

export function sampleReport(fields: Partial<DecodedReport> = {}): DecodedReport {
  return {
    terminal_id: '356307042441013',
    time: NOON,
    lat: 52.5,
    lon: 13.4,
    altitude_m: null,
    speed_kmh: null,
    course_deg: null,
    accuracy_m: null,
    satellites: null,
    hdop: null,
    valid: true,
    ignition: null,
    odometer_m: null,
    battery_pct: null,
    alarms: [],
    attributes: {},
    ...fields,
  };
}

/** A login of which nothing was made. */
export function sampleMessage(fields: Partial<IntakeMessage> = {}): IntakeMessage {
  return {
    listener: 'teltonika',
    sequence: 1,
    at: NOON,
    transport: 'tcp',
    address: '10.0.0.7',
    terminal_id: '356307042441013',
    hex: '000f333536',
    masked: false,
    size_bytes: 5,
    summary: null,
    undecodable: false,
    report_count: 0,
    reports: [],
    outcomes: {},
    codes: {},
    response_hex: null,
    ...fields,
  };
}
