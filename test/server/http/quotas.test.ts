import { describe, expect, it } from 'vitest';
import { apiTokenMeasures, type ApiTokenRecord } from '../../../server/auth/apiTokens.ts';
import { quotas, type QuotaName } from '../../../server/contract/quotas.ts';
import {
  assignmentMeasures,
  driverMeasures,
  type AssignmentRecord,
  type DriverRecord,
} from '../../../server/drivers/driverRecord.ts';
import { createQuotaCheck } from '../../../server/http/quotas.ts';
import { geofenceMeasures, type GeofenceRecord } from '../../../server/geofences/geofenceRecord.ts';
import { groupMeasures, type GroupRecord } from '../../../server/groups/groups.ts';
import { ruleMeasures, type RuleRecord } from '../../../server/notifications/ruleRecord.ts';
import { scheduleMeasures, type ScheduleRecord } from '../../../server/reports/schedules/scheduleRecord.ts';
import { userMeasures, type UserRecord } from '../../../server/users/userRecord.ts';
import { shareMeasures, type ShareRecord } from '../../../server/shares/shares.ts';
import { vehicleMeasures, type VehicleRecord } from '../../../server/vehicles/vehicleRecord.ts';
import { profileMeasures, type ProfileRecord } from '../../../server/video/profileRecord.ts';

// The records are cut down to what is counted: what they are otherwise does not matter here.
const vehicle = (more: Partial<VehicleRecord> = {}) =>
  ({ group_ids: [], attributes: {}, owner_id: null, ...more }) as unknown as VehicleRecord;
const geofence = (corners: number, owner_id: string | null = null, groups = 0) =>
  ({
    geometry: { type: 'Polygon', coordinates: [Array.from({ length: corners }, () => [0, 0])] },
    group_ids: Array.from({ length: groups }, () => 'g'),
    owner_id,
  }) as unknown as GeofenceRecord;
const rule = (names: number, owner_id: string | null = null) =>
  ({
    scope: { vehicle_ids: Array.from({ length: names }, () => 'v'), group_ids: [] },
    geozone_ids: [],
    owner_id,
  }) as unknown as RuleRecord;
const user = (groups = 0) =>
  ({ group_ids: Array.from({ length: groups }, () => 'g') }) as unknown as UserRecord;
const driver = (owner_id: string | null = null, groups = 0) =>
  ({ group_ids: Array.from({ length: groups }, () => 'g'), owner_id }) as unknown as DriverRecord;
const assignment = (owner_id: string | null = null) => ({ owner_id }) as unknown as AssignmentRecord;
const schedule = (owner_id: string) => ({ owner_id }) as unknown as ScheduleRecord;
const token = (user_id: string) => ({ user_id }) as unknown as ApiTokenRecord;
const shared = (user_id: string, vehicle_id: string) => ({ user_id, vehicle_id }) as unknown as ShareRecord;
const many = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);
const text = 'x'.repeat(1024 * 1024 - 8);

/** Of each quota that a document is held to: as much as is allowed, and one more. */
const full: Partial<Record<QuotaName, () => (more: number) => void>> = {
  users: () => grows(userMeasures, many(2_000, user()), user()),
  user_groups: () => grows(userMeasures, many(200, user(1_000)), user(1)),
  api_tokens: () => {
    const tokens = many(5_000, '').map((_, at) => token(`user ${at}`));
    return grows(apiTokenMeasures, tokens, token('anna'));
  },
  api_tokens_of_user: () =>
    grows(apiTokenMeasures, [...many(20, token('anna')), token('boris')], token('anna')),
  groups: () => grows(groupMeasures, many(5_000, {} as GroupRecord), {} as GroupRecord),
  vehicles: () => grows(vehicleMeasures, many(50_000, vehicle()), vehicle()),
  vehicles_of_user: () => {
    const own = vehicle({ owner_id: 'anna' });
    return grows(
      vehicleMeasures,
      [...many(10_000, own), ...many(1_000, vehicle({ owner_id: 'boris' }))],
      own,
    );
  },
  vehicle_groups: () => {
    const shared = vehicle({ group_ids: many(1_000, 'g') });
    return grows(vehicleMeasures, many(500, shared), vehicle({ group_ids: ['g'] }));
  },
  vehicle_attributes: () =>
    grows(vehicleMeasures, many(32, vehicle({ attributes: { a: text } })), vehicle({ attributes: { a: 1 } })),
  vehicle_attributes_of_user: () => {
    const own = vehicle({ attributes: { a: text }, owner_id: 'anna' });
    return grows(vehicleMeasures, many(8, own), vehicle({ attributes: { a: 1 }, owner_id: 'anna' }));
  },
  drivers: () => grows(driverMeasures, many(20_000, driver()), driver()),
  drivers_of_user: () =>
    grows(driverMeasures, [...many(5_000, driver('anna')), driver('boris')], driver('anna')),
  driver_groups: () => grows(driverMeasures, many(200, driver(null, 1_000)), driver(null, 1)),
  assignments: () => grows(assignmentMeasures, many(50_000, assignment()), assignment()),
  assignments_of_user: () => {
    const own = assignment('anna');
    return grows(assignmentMeasures, [...many(10_000, own), assignment('boris')], own);
  },
  report_schedules: () => {
    const schedules = many(500, '').map((_, at) => schedule(`user ${at}`));
    return grows(scheduleMeasures, schedules, schedule('anna'));
  },
  report_schedules_of_user: () => {
    const own = schedule('anna');
    return grows(scheduleMeasures, [...many(50, own), schedule('boris')], own);
  },
  shares: () =>
    grows(
      shareMeasures,
      many(2_000, '').map((_, at) => shared(`user ${at}`, `vehicle ${at}`)),
      shared('anna', 'van'),
    ),
  shares_of_user: () => {
    const own = many(200, '').map((_, at) => shared('anna', `vehicle ${at}`));
    return grows(shareMeasures, [...own, shared('boris', 'van')], shared('anna', 'van'));
  },
  shares_of_vehicle: () => {
    const own = many(20, '').map((_, at) => shared(`user ${at}`, 'van'));
    return grows(shareMeasures, [...own, shared('boris', 'lorry')], shared('anna', 'van'));
  },
  geofences: () => grows(geofenceMeasures, many(20_000, geofence(4)), geofence(4)),
  geofences_of_user: () =>
    grows(geofenceMeasures, [...many(1_000, geofence(4, 'anna')), geofence(4, 'boris')], geofence(4, 'anna')),
  corners: () => grows(geofenceMeasures, many(50, geofence(20_000)), geofence(4)),
  corners_of_user: () => grows(geofenceMeasures, many(5, geofence(20_000, 'anna')), geofence(4, 'anna')),
  geofence_groups: () => grows(geofenceMeasures, many(200, geofence(4, null, 1_000)), geofence(4, null, 1)),
  rules: () => grows(ruleMeasures, many(2_000, rule(0)), rule(0)),
  rules_of_user: () => grows(ruleMeasures, [...many(200, rule(0, 'anna')), rule(0)], rule(0, 'anna')),
  rule_names: () => grows(ruleMeasures, many(100, rule(10_000)), rule(1)),
  rule_names_of_user: () => grows(ruleMeasures, many(10, rule(10_000, 'anna')), rule(1, 'anna')),
  profiles: () => grows(profileMeasures, many(50_000, {} as ProfileRecord), {} as ProfileRecord),
};

/** Adds one to those that are there, or none of them. */
function grows<T>(measures: Parameters<typeof createQuotaCheck<T>>[0], there: T[], item: T) {
  const check = createQuotaCheck(measures);
  return (more: number) =>
    check(there.slice(0, there.length - 1 + more), [
      { before: null, after: more === 1 ? item : (there.at(-1) ?? item) },
    ]);
}

/** They are counted where they are added: see the tests of snoozes, of terminal commands, of maps, of report jobs and of incidents. */
const elsewhere = [
  'incidents',
  'incidents_of_user',
  'maps',
  'map_uploads',
  'map_regions',
  'report_jobs',
  'report_jobs_of_user',
  'snapshots',
  'snapshots_of_user',
  'snapshot_bytes',
  'snapshot_bytes_of_user',
  'snoozes',
  'snoozes_of_user',
  'waiting_commands',
  'waiting_commands_of_user',
];

describe('a quota', () => {
  it.each(Object.entries(quotas).filter(([name]) => !elsewhere.includes(name)))(
    'a quota of %s lets in as many as it says, and refuses one more by its name',
    (name, { of }) => {
      const attempt = full[name as QuotaName]?.();
      if (attempt === undefined) throw new Error(`nothing is held to ${name}`);
      expect(() => attempt(0)).not.toThrow();
      expect(() => attempt(1)).toThrow(of);
    },
  );

  it('a quota that an earlier version has left behind lets what is there change and shrink, and not grow', () => {
    const check = createQuotaCheck(geofenceMeasures);
    const there = many(60, geofence(20_000));
    const change = (corners: number) => () =>
      check(there, [{ before: geofence(20_000), after: geofence(corners) }]);
    expect(change(20_000)).not.toThrow();
    expect(change(4)).not.toThrow();
    expect(change(20_001)).toThrow('corners of geofences');
  });
});
