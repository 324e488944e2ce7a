import { describe, expect, it } from 'vitest';
import { createDepotTime } from '../../../renderer/format/depotTime.ts';
import {
  askedOf,
  readFilter,
  writeFilter,
  type ReportFilter,
} from '../../../renderer/reports/reportQuery.ts';
import { summaryRows } from '../../../renderer/reports/ReportTable.tsx';

const utc = createDepotTime('UTC');
const now = Date.parse('2026-11-21T12:00:00Z');
const day = 86_400_000;

describe('the address of a report', () => {
  const filter: ReportFilter = {
    kind: 'visits',
    period: { from: now - 7 * day, to: now },
    vehicleId: 'v1',
    groupId: null,
    geozoneId: 'g1',
  };

  it('the address of a report says all that was asked', () => {
    const written = Object.fromEntries(
      Object.entries(writeFilter(filter)).filter((it): it is [string, string] => it[1] !== null),
    );
    expect(readFilter(written, 0, utc)).toEqual(filter);
  });

  it('the address of a report without anything in it means the trips of today', () => {
    expect(readFilter({}, now, utc)).toEqual({
      kind: 'trips',
      period: { from: Date.parse('2026-11-21T00:00:00Z'), to: now },
      vehicleId: null,
      groupId: null,
      geozoneId: null,
    });
    expect(readFilter({ kind: 'fuel', from: 'x', to: '2026' }, now, utc).kind).toBe('trips');
  });

  it('the address of a report asks the server for no geofence where the kind knows none', () => {
    expect(askedOf(filter)).toEqual({
      from: '2026-11-14T12:00:00.000Z',
      to: '2026-11-21T12:00:00.000Z',
      vehicle: 'v1',
      geozone_id: 'g1',
    });
    expect(askedOf({ ...filter, kind: 'stops' })).not.toHaveProperty('geozone_id');
  });
});

describe('the rows of a summary', () => {
  const sums = {
    distance_m: 1_000,
    distance_by: 'track' as const,
    track_m: 1_000,
    driving_s: 60,
    stopped_s: 0,
    idle_s: 0,
    gap_s: 0,
    trips: 1,
    stops: 0,
    max_speed_kmh: null,
    positions: 9,
  };
  const vehicle = { vehicle_id: 'v1', odometer_m: null, first_time: null, last_time: null, ...sums };

  it('the rows of a summary are one for a vehicle on one day, and one more for each of several days', () => {
    const one = { date: '2026-11-20', ...sums };
    const two = { date: '2026-11-21', ...sums };
    expect(summaryRows([{ ...vehicle, days: [one] }]).map((row) => row.date)).toEqual(['2026-11-20']);
    expect(summaryRows([{ ...vehicle, days: [one, two] }]).map((row) => row.date)).toEqual([
      null,
      '2026-11-20',
      '2026-11-21',
    ]);
  });
});
