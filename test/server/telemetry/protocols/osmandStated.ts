import { expect } from 'vitest';
import type { Report } from '../../../../server/telemetry/report.ts';
import type { OsmandVector } from './osmandData.ts';

/** The report is the one that the collectors of a vector state. */
export function expectStated(report: Report, one: OsmandVector): void {
  const [wanted] = one.expect.positions;
  if (wanted === undefined) throw new Error('a vector without a position');
  expect(report.terminal_id).toBe(one.expect.device_id);
  expect(report.time_ms).toBe(wanted.time === null ? null : Date.parse(wanted.time));
  expect(report.place).toEqual(wanted.lat === null ? null : { lat: wanted.lat, lon: wanted.lon });
  expect(report.valid).toBe(wanted.valid);
  expect(report.altitude_m).toBe(wanted.alt_m ?? null);
  expect(report.accuracy_m).toBe(wanted.accuracy_m ?? null);
  expect(report.hdop).toBe(wanted.hdop ?? null);
  expect(report.speed_kmh).toBe(wanted.speed_kmh ?? null);
  expect(report.course_deg).toBe(wanted.course_deg ?? null);
  expect(report.battery_pct).toBe(wanted.battery_percent ?? null);
  const { ignition, ...other } = wanted.other ?? {};
  expect(report.ignition).toBe(ignition === undefined ? null : ignition === 'true');
  expect(report.attributes).toMatchObject({
    ...(wanted.charging === undefined ? {} : { charge: wanted.charging }),
    ...(wanted.moving === undefined ? {} : { is_moving: wanted.moving }),
    ...(wanted.event === undefined ? {} : { event: wanted.event }),
    ...(wanted.activity === undefined ? {} : { activity: wanted.activity }),
    ...(wanted.cells === undefined ? {} : { cell: wanted.cells.join(' ') }),
    ...(wanted.wifi === undefined ? {} : { wifi: wanted.wifi.join(' ') }),
    ...Object.fromEntries(Object.entries(other).map(([key, text]) => [key, Number(text)])),
  });
}
