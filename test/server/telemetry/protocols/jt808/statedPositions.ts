import { expect } from 'vitest';
import type { TerminalReport } from '../../../../../server/telemetry/terminalReport.ts';
import type { StatedPosition } from './jt808Data.ts';

const hexOf = (value: number, bytes: number) => value.toString(16).padStart(bytes * 2, '0');

/** Items that become fields of ours: what the bytes of one must have become, in hex again. */
const published: Readonly<Record<string, (report: TerminalReport) => string>> = {
  '01': (it) => hexOf(Math.round((it.odometer_m ?? 0) / 100), 4),
  '02': (it) => hexOf(Math.round(Number(it.attributes['fuel_l']) * 10), 2),
  '03': (it) => hexOf(Math.round(Number(it.attributes['recorder_speed_kmh']) * 10), 2),
  '04': (it) => hexOf(Number(it.attributes['event_to_confirm']), 2),
  '25': (it) =>
    hexOf(
      String(it.attributes['vehicle_signals'] ?? '')
        .split(',')
        .filter((bit) => bit !== '')
        .reduce((sum, bit) => sum + 2 ** Number(bit), 0),
      4,
    ),
  '2a': (it) => hexOf(Number(it.attributes['io_status']), 2),
  '2b': (it) => hexOf(Number(it.attributes['adc_1']), 2) + hexOf(Number(it.attributes['adc_0']), 2),
  '30': (it) => hexOf(Number(it.attributes['signal']), 1),
  '31': (it) => hexOf(it.satellites ?? 0, 1),
};
/** Items whose bytes become several fields, or alarms: each has a test of its own. */
const inParts = new Set(['11', '12', '13', '14', '15', '16', '17', '18']);

/** The reports are those that the collectors of a vector state. */
export function expectStated(
  reports: readonly TerminalReport[],
  stated: readonly StatedPosition[],
  phoneBcd: string,
): void {
  expect(reports).toHaveLength(stated.length);
  for (const [at, wanted] of stated.entries()) {
    const report = reports[at];
    if (report === undefined) throw new Error('a report is missing');
    expect(report.terminal_id).toBe(phoneBcd.replace(/^0+(?=.)/, ''));
    expect(report.place?.lat).toBeCloseTo(wanted.lat, 6);
    expect(report.place?.lon).toBeCloseTo(wanted.lon, 6);
    expect(report.speed_kmh).toBeCloseTo(wanted.speed_kmh, 3);
    // 65535 and the like say that there is none.
    expect(report.course_deg).toBe(wanted.course_deg > 360 ? null : wanted.course_deg % 360);
    expect(report.ignition).toBe(wanted.acc);
    expect(report.time_ms).toBe(wanted.time === null ? null : Date.parse(wanted.time));
    // A position without a moment would be taken for the present one.
    expect(report.valid).toBe(wanted.valid && wanted.time !== null);
    // A WORD in the standard; below the sea it is written as a negative number.
    expect(report.altitude_m).toBe(wanted.alt_m > 32_767 ? wanted.alt_m - 65_536 : wanted.alt_m);
    expect(report.attributes['status']).toBe(Number.parseInt(wanted.status, 16));
    expect(report.alarms.includes('sos')).toBe(Number.parseInt(wanted.alarm, 16) % 2 === 1);
    if (wanted.mileage_km !== undefined) expect(report.odometer_m).toBeCloseTo(wanted.mileage_km * 1_000, 3);
    if (wanted.rssi !== undefined) expect(report.attributes['signal']).toBe(wanted.rssi);
    if (wanted.sats !== undefined) expect(report.satellites).toBe(wanted.sats);
    // Of items that come twice the last one holds.
    const items = Object.entries(Object.fromEntries(wanted.extra));
    for (const [id, value] of items) expectItem(report, id, value);
  }
}

function expectItem(report: TerminalReport, id: string, value: string): void {
  if (inParts.has(id) || value === '') return;
  const raw = report.attributes[`item_${id}`];
  if (raw !== undefined) expect(raw).toBe(value);
  else expect([id, published[id]?.(report)]).toEqual([id, value]);
}
