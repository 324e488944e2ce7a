import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { localDays } from '../../../server/reports/localDays.ts';
import { day, driveFrom, hour, minute, reportOn } from './drives.ts';

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'Africa/Cairo',
  'Pacific/Kiritimati',
];

describe('the days of a period', () => {
  test('the days of a period are 23 and 25 hours long where the clocks change', () => {
    const hours = (timeZone: string, date: string) => {
      const noon = Date.parse(`${date}T12:00:00Z`);
      const [found] = localDays(timeZone, { from_ms: noon, to_ms: noon + 1 });
      return [found?.date, ((found?.to_ms ?? 0) - (found?.from_ms ?? 0)) / hour];
    };
    expect(hours('Europe/Berlin', '2026-03-29')).toEqual(['2026-03-29', 23]);
    expect(hours('Europe/Berlin', '2026-10-25')).toEqual(['2026-10-25', 25]);
    expect(hours('America/New_York', '2026-11-01')).toEqual(['2026-11-01', 25]);
    expect(hours('UTC', '2026-10-25')).toEqual(['2026-10-25', 24]);
    // Its day began at 01:00: there was no 00:00.
    expect(hours('America/Sao_Paulo', '2018-11-04')).toEqual(['2018-11-04', 23]);
    expect(hours('Africa/Cairo', '2026-04-24')).toEqual(['2026-04-24', 23]);
  });

  test('the days of a period leave no moment out and none twice, and bear the date of their clock', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 2e9 }),
        fc.integer({ min: 1, max: 40 * 86_400 }),
        (timeZone, at, length) => {
          const period = { from_ms: at * 1_000, to_ms: (at + length) * 1_000 };
          const days = localDays(timeZone, period);
          expect(days[0]?.from_ms).toBeLessThanOrEqual(period.from_ms);
          expect(days.at(-1)?.to_ms).toBeGreaterThanOrEqual(period.to_ms);
          for (const [place, it] of days.entries()) {
            if (place > 0) expect(it.from_ms).toBe(days[place - 1]?.to_ms);
            for (const ms of [it.from_ms, it.to_ms - 1]) {
              expect(new Date(ms).toLocaleDateString('sv-SE', { timeZone })).toBe(it.date);
            }
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  test('the days of a period of a calendar that leaves one out are the others', () => {
    const from_ms = Date.parse('2011-12-29T12:00:00Z');
    const days = localDays('Pacific/Apia', { from_ms, to_ms: from_ms + 2 * day });
    expect(days.map((it) => it.date)).toEqual(['2011-12-29', '2011-12-31', '2012-01-01']);
  });
});

describe('a summary', () => {
  test('a summary has each day of the period as long as it is, whatever the clocks did', () => {
    // The night in which Berlin's clocks go back.
    const start = Date.parse('2026-10-24T20:00:00Z');
    const drive = driveFrom(start)
      .stand(hour)
      .go(36, 8 * hour)
      .stand(hour);
    const period = { from_ms: Date.parse('2026-10-23T22:00:00Z'), to_ms: Date.parse('2026-10-26T23:00:00Z') };
    const [row] = reportOn('summary', drive.rows, { period, tz: 'Europe/Berlin' }).rows;
    const lengths = row?.days.map((it) => [it.date, it.driving_s + it.stopped_s + it.gap_s]);
    expect(lengths).toEqual([
      ['2026-10-24', 24 * 3_600],
      ['2026-10-25', 25 * 3_600],
      ['2026-10-26', 24 * 3_600],
    ]);
    // Midnight is at 22:00 UTC: an hour of it lies before.
    expect(row?.days.map((it) => it.driving_s)).toEqual([3_600, 7 * 3_600 + 10, 0]);
    expect(row).toMatchObject({
      trips: 1,
      stops: 2,
      max_speed_kmh: 36,
      first_time: '2026-10-24T20:00:00.000Z',
    });
  });

  test('a summary counts nothing that has not happened yet', () => {
    const start = Date.parse('2026-11-20T00:00:00Z');
    const drive = driveFrom(start).stand(6 * hour);
    const period = { from_ms: start, to_ms: start + 3 * day };
    const [row] = reportOn('summary', drive.rows, { period, now_ms: start + 8 * hour }).rows;
    expect(row?.days).toMatchObject([{ date: '2026-11-20', stopped_s: 6 * 3_600, gap_s: 2 * 3_600 }]);
    const later = { from_ms: start + 10 * day, to_ms: start + 11 * day };
    expect(reportOn('summary', drive.rows, { period: later, now_ms: start + 8 * hour }).rows).toMatchObject([
      { days: [], gap_s: 0, positions: 0, first_time: null },
    ]);
  });

  test('a summary of a vehicle without a position is a gap, and is reported all the same', () => {
    const start = Date.parse('2026-11-20T00:00:00Z');
    const { rows } = reportOn('summary', [], { period: { from_ms: start, to_ms: start + day } });
    expect(rows).toMatchObject([
      { gap_s: 86_400, driving_s: 0, positions: 0, max_speed_kmh: null, odometer_m: null, first_time: null },
    ]);
  });

  test('a summary has the distance by the odometer from the first to the last position that bears one', () => {
    const drive = driveFrom(Date.parse('2026-11-20T08:00:00Z'))
      .stand(10 * minute)
      .go(36, 10 * minute);
    drive.stand(10 * minute);
    const rows = drive.rows.map((row, at) => (at === 0 || at > 170 ? { ...row, odometer_m: null } : row));
    expect(reportOn('summary', rows).rows[0]?.odometer_m).toBeCloseTo(6_000, 0);
    const none = drive.rows.map((row) => ({ ...row, odometer_m: null }));
    expect(reportOn('summary', none).rows[0]?.odometer_m).toBeNull();
  });

  test('a summary does not count what is never drawn', () => {
    const drive = driveFrom(Date.parse('2026-11-20T08:00:00Z'))
      .stand(10 * minute)
      .go(36, 10 * minute);
    drive.stand(10 * minute);
    const clean = reportOn('summary', drive.rows).rows;
    const dark = drive.rows.map((row) => ({
      ...row,
      time_ms: row.time_ms + 5_000,
      lat: 0,
      lon: 0,
      valid: false,
    }));
    expect(
      reportOn('summary', [...drive.rows, ...dark], {
        period: { from_ms: drive.rows[0]?.time_ms ?? 0, to_ms: (drive.rows.at(-1)?.time_ms ?? 0) + 6 * hour },
      }).rows,
    ).toEqual(clean);
  });
});
