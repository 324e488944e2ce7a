import { describe, expect, it } from 'vitest';
import { reportKinds } from '../../../server/contract/reportRows.ts';
import { reportRoutes } from '../../../server/contract/reports.ts';
import { createDepotTime } from '../../../renderer/format/depotTime.ts';
import {
  askedOf,
  isNamedBy,
  parametersOf,
  readFilter,
  thresholdsOf,
  writeFilter,
  type ReportFilter,
} from '../../../renderer/reports/reportQuery.ts';

const utc = createDepotTime('UTC');
const now = Date.parse('2026-11-21T12:00:00Z');
const day = 86_400_000;

describe('the address of a report', () => {
  const filter: ReportFilter = {
    kind: 'geofence-visits',
    period: { from: now - 7 * day, to: now },
    vehicleIds: ['v1', 'v2'],
    groupId: null,
    driverId: 'd1',
    geozoneId: 'g1',
    parameters: { min_duration_s: '60', trip_stop_s: '300' },
  };

  it('the address of a report says all that was asked', () => {
    const written = Object.fromEntries(
      Object.entries(writeFilter(filter)).filter((it): it is [string, string] => it[1] !== null),
    );
    expect(readFilter(written, 0, utc)).toEqual(filter);
    expect(isNamedBy(filter, { ...written, row: '1' })).toBe(true);
    expect(isNamedBy(filter, { ...written, kind: 'stops' })).toBe(false);
    expect(isNamedBy({ ...filter, driverId: null }, written)).toBe(false);
  });

  it('the address of a report without anything in it means the trips of today', () => {
    expect(readFilter({}, now, utc)).toEqual({
      kind: 'trips',
      period: { name: 'today', from: Date.parse('2026-11-21T00:00:00Z'), to: now },
      vehicleIds: [],
      groupId: null,
      driverId: null,
      geozoneId: null,
      parameters: {},
    });
    expect(readFilter({ kind: 'fuel', from: 'x', to: '2026' }, now, utc).kind).toBe('trips');
  });

  it('the address of a report that was sent before kinds were renamed still opens it', () => {
    expect(readFilter({ kind: 'visits' }, now, utc).kind).toBe('geofence-visits');
  });

  it('the address of a report asks the server for no geofence where the kind knows none', () => {
    expect(askedOf(filter)).toEqual({
      from: '2026-11-14T12:00:00.000Z',
      to: '2026-11-21T12:00:00.000Z',
      vehicle: 'v1,v2',
      driver_id: 'd1',
      geozone_id: 'g1',
      min_duration_s: '60',
    });
    const stops = askedOf({ ...filter, kind: 'stops' });
    expect(stops).toHaveProperty('driver_id', 'd1');
    expect(askedOf({ ...filter, kind: 'summary' })).toHaveProperty('driver_id', 'd1');
    expect(stops).not.toHaveProperty('geozone_id');
    expect(stops).not.toHaveProperty('min_duration_s');
    expect(stops).toHaveProperty('trip_stop_s', '300');
    // An empty field means that the settings hold.
    expect(askedOf({ ...filter, parameters: { min_duration_s: ' ' } })).not.toHaveProperty('min_duration_s');
  });

  it.each(reportKinds)(
    'a report of the kind %s takes every parameter and threshold that its form has',
    (kind) => {
      const names = [...parametersOf(kind), ...thresholdsOf(kind)];
      const { shape } = reportRoutes[kind].query;
      expect(names.filter((name) => !(name in shape))).toEqual([]);
      const thresholds = Object.keys(shape).filter(
        (name) => name.startsWith('trip_') || name.startsWith('idle_'),
      );
      expect(names).toEqual(expect.arrayContaining(thresholds));
    },
  );
});
