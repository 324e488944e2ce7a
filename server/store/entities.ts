import { terminalKey } from '../contract/sameKeys.ts';
import type { z } from 'zod';
import type { Stamped } from './entity.ts';
import { defineEntity } from './entity.ts';
import type { Reference } from './telemetry/entityTables.ts';

// What stands beside the records. Their forms are the domains' own, and are passed in.

interface UserFields extends Stamped {
  user_id: string;
  login: string;
  role: string;
  blocked: boolean;
  group_ids: string[];
  password_hash: string;
  map_views?: unknown;
  report_layouts?: unknown;
  preferences?: unknown;
}

/** @param loginKey by which two logins are one */
export const users = <T extends UserFields>(record: z.ZodType<T>, loginKey: (login: string) => string) =>
  defineEntity<T, 'user'>({
    kind: 'user',
    id: 'user_id',
    record,
    keys: {
      login_key: ({ login }) => loginKey(login),
      active_dealer: ({ role, blocked }) => Number(role === 'dealer' && !blocked),
    },
    membersOf: ({ group_ids }) => group_ids,
    secret: ['password_hash', 'map_views', 'report_layouts', 'preferences'],
    taken: 'The login is taken.',
  });

interface GroupFields extends Stamped {
  group_id: string;
  name: string;
}

export const groups = <T extends GroupFields>(record: z.ZodType<T>) =>
  defineEntity<T, 'group'>({
    kind: 'group',
    id: 'group_id',
    record,
    keys: { name_key: ({ name }) => name.toLowerCase() },
    taken: 'There is a group of this name already.',
  });

interface VehicleFields extends Stamped {
  vehicle_id: string;
  terminal_id: string;
  group_ids: string[];
  archived_at: string | null;
}

export const vehicles = <T extends VehicleFields>(record: z.ZodType<T>) =>
  defineEntity<T, 'vehicle'>({
    kind: 'vehicle',
    id: 'vehicle_id',
    record,
    // The terminal of an archived vehicle may serve another one.
    keys: { terminal_key: (it) => (it.archived_at === null ? terminalKey(it.terminal_id) : null) },
    membersOf: ({ group_ids }) => group_ids,
    vehicleOf: ({ vehicle_id }) => vehicle_id,
    taken: 'The terminal ID belongs to a vehicle already.',
  });

interface DriverFields extends Stamped {
  driver_id: string;
  external_id: string | null;
  group_ids: string[];
  archived_at: string | null;
}

export const drivers = <T extends DriverFields>(record: z.ZodType<T>) =>
  defineEntity<T, 'driver'>({
    kind: 'driver',
    id: 'driver_id',
    record,
    // A driver who comes back may be added anew.
    keys: { external_key: (it) => (it.archived_at === null ? it.external_id : null) },
    references: ({ group_ids }) => named('group', group_ids),
    taken: 'A driver has this external ID already.',
  });

interface AssignmentFields extends Stamped {
  assignment_id: string;
  driver_id: string;
  vehicle_id: string;
}

export const assignments = <T extends AssignmentFields>(record: z.ZodType<T>) =>
  defineEntity<T, 'assignment'>({
    kind: 'assignment',
    id: 'assignment_id',
    record,
    keys: {},
    references: ({ driver_id, vehicle_id }) => [
      ...named('driver', [driver_id]),
      ...named('vehicle', [vehicle_id]),
    ],
    vehicleOf: ({ vehicle_id }) => vehicle_id,
    taken: 'The assignment is there already.',
  });

interface GeofenceFields extends Stamped {
  geozone_id: string;
  group_ids: string[];
}

export const geofences = <T extends GeofenceFields>(record: z.ZodType<T>) =>
  defineEntity<T, 'geofence'>({
    kind: 'geofence',
    id: 'geozone_id',
    record,
    keys: {},
    references: ({ group_ids }) => named('group', group_ids),
    taken: 'The geofence is there already.',
  });

interface RuleFields extends Stamped {
  rule_id: string;
  scope: { all: true } | { vehicle_ids: string[]; group_ids: string[] };
  geozone_ids: string[];
}

export const rules = <T extends RuleFields>(record: z.ZodType<T>) =>
  defineEntity<T, 'rule'>({
    kind: 'rule',
    id: 'rule_id',
    record,
    keys: {},
    references: ({ scope, geozone_ids }) => [
      ...('all' in scope ? [] : [...named('vehicle', scope.vehicle_ids), ...named('group', scope.group_ids)]),
      ...named('geofence', geozone_ids),
    ],
    taken: 'The rule is there already.',
  });

interface ProfileFields extends Stamped {
  profile_id: string;
  vehicle_id: string;
  secret_id: string | null;
}

export const profiles = <T extends ProfileFields>(record: z.ZodType<T>) =>
  defineEntity<T, 'profile'>({
    kind: 'profile',
    id: 'profile_id',
    record,
    keys: { vehicle_id: (it) => it.vehicle_id },
    references: ({ vehicle_id }) => named('vehicle', [vehicle_id]),
    secret: ['secret_id'],
    vehicleOf: ({ vehicle_id }) => vehicle_id,
    taken: 'The vehicle has a video profile already.',
  });

interface RecipientFields extends Stamped {
  recipient_id: string;
  kind: string;
  address: string;
}

export const recipients = <T extends RecipientFields>(record: z.ZodType<T>) =>
  defineEntity<T, 'recipient'>({
    kind: 'recipient',
    id: 'recipient_id',
    record,
    keys: { place_key: ({ kind, address }) => `${kind} ${address}` },
    taken: 'The recipient is there already.',
  });

interface ReportScheduleFields extends Stamped {
  schedule_id: string;
}

export const reportSchedules = <T extends ReportScheduleFields>(record: z.ZodType<T>) =>
  defineEntity<T, 'report_schedule'>({
    kind: 'report_schedule',
    id: 'schedule_id',
    record,
    keys: {},
    taken: 'The scheduled report is there already.',
  });

interface ShiftFields extends Stamped {
  shift_id: string;
}

export const shifts = <T extends ShiftFields>(record: z.ZodType<T>) =>
  defineEntity<T, 'shift'>({
    kind: 'shift',
    id: 'shift_id',
    record,
    keys: {},
    taken: 'The shift is there already.',
  });

interface ApiTokenFields extends Stamped {
  token_id: string;
  jwt_hash: string;
}

export const apiTokens = <T extends ApiTokenFields>(record: z.ZodType<T>) =>
  defineEntity<T, 'api_token'>({
    kind: 'api_token',
    id: 'token_id',
    record,
    keys: {},
    secret: ['jwt_hash'],
    taken: 'The API token is there already.',
  });

interface ShareFields extends Stamped {
  share_id: string;
  vehicle_id: string;
  link_hash: string;
}

/** Ends with its vehicle: nothing is kept back by it, so that it names none. */
export const shares = <T extends ShareFields>(record: z.ZodType<T>) =>
  defineEntity<T, 'share'>({
    kind: 'share',
    id: 'share_id',
    record,
    keys: {},
    secret: ['link_hash'],
    vehicleOf: ({ vehicle_id }) => vehicle_id,
    taken: 'The share is there already.',
  });

function named(kind: Reference['kind'], ids: readonly string[]): Reference[] {
  return ids.map((id) => ({ kind, id }));
}
