import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeOsmandJson } from '../../../../server/telemetry/protocols/osmand/osmandJson.ts';
import { decodeOsmandParameters } from '../../../../server/telemetry/protocols/osmand/osmandParameters.ts';
import { Unreadable } from '../../../../server/telemetry/protocols/osmand/osmandValues.ts';
import type { TerminalReport } from '../../../../server/telemetry/terminalReport.ts';

describe('whatever is sent', () => {
  const keys = [
    ...['id', 'deviceid', 'lat', 'lon', 'location', 'timestamp', 'valid', 'speed', 'bearing', 'heading'],
    ...['altitude', 'accuracy', 'hdop', 'sat', 'batt', 'ignition', 'odometer', 'alarm', 'sos', 'cell'],
    ...['__proto__', 'constructor', 'toString'],
  ];
  const value = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.double().map(String),
    fc.integer().map(String),
    fc.constantFrom('true', 'false', '1e308', '-1e308', '9'.repeat(400), '1,2', '2026-11-21 08:00:00', ''),
  );
  const pairs = fc.array(
    fc.tuple(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...keys) }, fc.string()), value),
    { maxLength: 25 },
  );

  /** The reports, or none when the decoder says that it cannot read this; anything else it throws is a fault. */
  function reportsOf(decodeIt: () => TerminalReport[]): TerminalReport[] {
    try {
      return decodeIt();
    } catch (error) {
      if (error instanceof Unreadable) return [];
      throw error;
    }
  }

  function expectStorable(report: TerminalReport): void {
    const numbers = [
      report.time_ms ?? 0,
      ...Object.values(report.place ?? {}),
      ...['altitude_m', 'speed_kmh', 'course_deg', 'accuracy_m', 'hdop', 'odometer_m'].map(
        (key) => (report as unknown as Record<string, number | null>)[key] ?? 0,
      ),
    ];
    expect(numbers.every(Number.isFinite)).toBe(true);
    expect(report.terminal_id).not.toBe('');
    expect(
      report.satellites === null || (Number.isInteger(report.satellites) && report.satellites <= 255),
    ).toBe(true);
    expect(report.course_deg === null || (report.course_deg >= 0 && report.course_deg <= 360)).toBe(true);
    expect(report.battery_pct === null || (report.battery_pct >= 0 && report.battery_pct <= 100)).toBe(true);
    expect(report.alarms.length).toBeLessThanOrEqual(32);
    for (const alarm of report.alarms) expect(alarm).toMatch(/^[a-z0-9_]{1,40}$/);
    for (const [key, kept] of Object.entries(report.attributes)) {
      expect(key.length).toBeGreaterThan(0);
      expect(key.length).toBeLessThanOrEqual(64);
      if (typeof kept === 'number') expect(Number.isFinite(kept)).toBe(true);
      if (typeof kept === 'string') expect(kept.length).toBeLessThanOrEqual(2_000);
    }
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  }

  test('parameters never crash the decoder, and what it makes of them can be stored', () => {
    fc.assert(
      fc.property(pairs, fc.boolean(), fc.constantFrom('kn', 'kmh', 'ms'), (list, named, unit) => {
        const parameters = new URLSearchParams(named ? [['id', 'x'], ...list] : list);
        for (const it of reportsOf(() => [decodeOsmandParameters(parameters, unit)])) expectStorable(it);
      }),
      { numRuns: 3_000 },
    );
  });

  const anything = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  const shaped = fc.record(
    {
      device_id: anything,
      timestamp: anything,
      location: fc.oneof(
        anything,
        fc.record(
          {
            timestamp: anything,
            coords: fc.oneof(
              anything,
              fc.record(
                {
                  latitude: anything,
                  longitude: anything,
                  speed: anything,
                  heading: anything,
                  accuracy: anything,
                  altitude: anything,
                },
                { requiredKeys: [] },
              ),
            ),
            odometer: anything,
            event: anything,
            alarm: anything,
            battery: fc.oneof(anything, fc.record({ level: anything, is_charging: anything })),
            extras: fc.oneof(anything, fc.dictionary(fc.string(), anything)),
          },
          { requiredKeys: [] },
        ),
      ),
    },
    { requiredKeys: [] },
  );

  test('JSON of any form never crashes the decoder, and what it makes of it can be stored', () => {
    const text = fc.oneof(
      { weight: 8, arbitrary: shaped.map((it) => JSON.stringify(it)) },
      fc.json(),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(text, (body) => {
        for (const it of reportsOf(() => decodeOsmandJson(body))) expectStorable(it);
      }),
      { numRuns: 3_000 },
    );
  });
});
