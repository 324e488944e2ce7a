import { expect } from 'vitest';
import type { TerminalReport } from '../../../../../server/telemetry/terminalReport.ts';
import type { WialonVector } from './wialonData.ts';

/** The reports are those that the collectors of a vector state. */
export function expectStated(reports: readonly TerminalReport[], { expect: stated }: WialonVector): void {
  const { positions = [] } = stated;
  expect(reports).toHaveLength(positions.length);
  for (const [at, wanted] of positions.entries()) {
    const report = reports[at];
    if (report === undefined) throw new Error('a report is missing');
    expect(report.time_ms).toBe(wanted.time === null ? null : Date.parse(wanted.time));
    if (wanted.lat === null) expect(report.place).toBeNull();
    else {
      expect(report.place?.lat).toBeCloseTo(wanted.lat, 7);
      expect(report.place?.lon).toBeCloseTo(wanted.lon ?? Number.NaN, 7);
    }
    expect(report.speed_kmh).toBe(wanted.speed_kmh ?? null);
    expect(report.course_deg).toBe(wanted.course_deg ?? null);
    expect(report.altitude_m).toBe(wanted.alt_m ?? null);
    expect(report.satellites).toBe(wanted.sats ?? null);
    expect(report.hdop).toBe(wanted.hdop ?? null);
    expect(report.attributes).toEqual({
      ...(wanted.inputs == null ? {} : { inputs: wanted.inputs }),
      ...(wanted.outputs == null ? {} : { outputs: wanted.outputs }),
      ...Object.fromEntries((wanted.adc ?? []).map((value, index) => [`adc${index + 1}`, value])),
      ...(wanted.ibutton == null ? {} : { ibutton: wanted.ibutton }),
      ...wanted.params,
    });
    expect(report).toMatchObject({ valid: wanted.sats !== 0, alarms: [], ignition: null });
  }
}
