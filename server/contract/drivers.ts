import { z } from 'zod';
import {
  id,
  listQuery,
  mergePatchOf,
  orderError,
  page,
  shortText,
  stamps,
  time,
  unroundedText,
} from './fields.ts';
import { periodError } from './preview.ts';
import { route } from './route.ts';

const tag = 'Drivers';

const anyLetter = /[\p{L}\p{N}]/u;
const text = unroundedText(64);
const cardNumber = text
  .refine((number) => anyLetter.test(number), 'names no card')
  .meta({
    ...text.meta(),
    pattern: anyLetter.source,
    description: 'of a card, key fob or iButton, as printed or as terminals send it',
  });

const card = z
  .strictObject({
    number: cardNumber,
    from: time.nullable().default(null).meta({ description: 'null: always had it' }),
    to: time.nullable().default(null).meta({ description: 'null: still has it' }),
  })
  .check(({ value: { from, to }, issues }) => {
    if (from === null || to === null || from < to) return;
    issues.push({
      ...{ code: 'custom', input: from, path: ['from'], message: 'is not before to' },
      params: { kind: 'order' },
    });
  })
  .meta({ id: 'DriverCard' });
export type DriverCard = z.infer<typeof card>;

const fields = {
  name: shortText,
  phone: unroundedText(40).nullable().default(null),
  licence_number: unroundedText(40).nullable().default(null),
  licence_expires: z.iso.date().max(10).nullable().default(null),
  external_id: unroundedText(64)
    .nullable()
    .default(null)
    .meta({ description: 'in another system, of payroll or dispatch; no two drivers have the same' }),
  note: z.string().trim().max(1_000).nullable().default(null),
  cards: z.array(card).max(10).default([]),
  group_ids: z.array(id).max(1_000).default([]),
};

export const newDriver = z.strictObject(fields).meta({ id: 'NewDriver' });
export type NewDriver = z.infer<typeof newDriver>;
export const driverPatch = mergePatchOf(fields).meta({ id: 'DriverPatch' });
export type DriverPatch = z.infer<typeof driverPatch>;

export const driver = z
  .object({
    driver_id: id,
    name: z.string(),
    phone: z.string().nullable(),
    licence_number: z.string().nullable(),
    licence_expires: z.string().nullable(),
    external_id: z.string().nullable(),
    note: z.string().nullable(),
    cards: z.array(z.object({ number: z.string(), from: time.nullable(), to: time.nullable() })),
    group_ids: z.array(id),
    archived_at: time.nullable().meta({ description: 'set after a deletion; who drove when keeps the name' }),
    ...stamps,
  })
  .meta({ id: 'Driver' });
export type Driver = z.infer<typeof driver>;

const ofAssignment = {
  driver_id: id,
  vehicle_id: id,
  from: time,
  to: time.nullable().default(null).meta({ description: 'null: until it is ended' }),
  note: z.string().trim().max(200).nullable().default(null),
};
export const newAssignment = z.strictObject(ofAssignment).meta({ id: 'NewAssignment' });
export type NewAssignment = z.infer<typeof newAssignment>;
const { driver_id: _, vehicle_id: __, ...changeable } = ofAssignment;
const assignmentPatch = mergePatchOf(changeable).meta({ id: 'AssignmentPatch' });
export type AssignmentPatch = z.infer<typeof assignmentPatch>;

export const assignment = z
  .object({
    assignment_id: id,
    driver_id: id,
    vehicle_id: id,
    from: time,
    to: time.nullable(),
    note: z.string().nullable(),
    ...stamps,
  })
  .meta({
    id: 'Assignment',
    description:
      'a driver assigned to a vehicle by hand. Assignments may overlap: of those of a vehicle the one that began last counts',
  });
export type Assignment = z.infer<typeof assignment>;

/** Who drives a vehicle now. */
export const currentDriver = z
  .object({
    driver_id: id.nullable().meta({ description: 'null: no driver has the card' }),
    name: z.string().nullable(),
    phone: z.string().nullable(),
    card: z.string().nullable().meta({ description: 'that the terminal read; null: assigned by hand' }),
    since: time,
  })
  .meta({ id: 'CurrentDriver' });
export type CurrentDriver = z.infer<typeof currentDriver>;

/** Who drove a vehicle at a moment. */
export const driverThen = currentDriver.omit({ since: true }).meta({ id: 'DriverThen' });
export type DriverThen = z.infer<typeof driverThen>;

/** From when to when somebody drove a vehicle. */
export const drive = z
  .object({
    vehicle_id: id,
    vehicle_name: z.string(),
    driver_id: id
      .nullable()
      .meta({ description: 'null: no driver has the card, or the caller does not see the driver' }),
    driver_name: z.string().nullable(),
    card: z.string().nullable().meta({ description: 'that the terminal read; null: assigned by hand' }),
    assignment_id: id.nullable(),
    from: time,
    to: time.nullable().meta({ description: 'null: goes on' }),
  })
  .meta({
    id: 'Drive',
    description:
      'a card that the terminal read counts until another one is read, it is taken out, the ignition is switched off, or for 12 hours; where none counts, the assignment that began last',
  });
export type Drive = z.infer<typeof drive>;

/** Of one call. */
const longestDriveDays = 92;
const drivesQuery = z.strictObject({ from: time, to: time }).check(periodError(longestDriveDays));
const drives = z.object({ items: z.array(drive) });

const params = z.object({ driver_id: id });
const assignmentParams = z.object({ assignment_id: id });
const path = '/api/v1/drivers';

export const driverRoutes = {
  list: route({
    id: 'listDrivers',
    tag,
    method: 'GET',
    path,
    summary: 'Visible drivers',
    access: { right: 'vehicles', level: 'read' },
    query: z.strictObject({
      ...listQuery,
      group_id: id.optional(),
      q: z
        .string()
        .max(100)
        .optional()
        .meta({ description: 'in name, phone, licence, external ID and cards' }),
    }),
    reply: page(driver),
    errors: ['not_found'],
  }),
  create: route({
    id: 'createDriver',
    tag,
    method: 'POST',
    path,
    summary: 'Add a driver',
    access: { right: 'vehicles', level: 'write' },
    idempotent: true,
    body: newDriver,
    reply: driver,
    status: 201,
    errors: ['already_exists', 'quota_exceeded'],
  }),
  get: route({
    id: 'getDriver',
    tag,
    method: 'GET',
    path: `${path}/{driver_id}`,
    summary: 'One driver',
    access: { right: 'vehicles', level: 'read' },
    params,
    reply: driver,
    errors: ['not_found'],
  }),
  patch: route({
    id: 'patchDriver',
    tag,
    method: 'PATCH',
    path: `${path}/{driver_id}`,
    summary: 'Change a driver',
    access: { right: 'vehicles', level: 'write' },
    versioned: true,
    params,
    body: driverPatch,
    reply: driver,
    errors: ['not_found', 'already_exists', 'version_conflict', 'quota_exceeded'],
  }),
  remove: route({
    id: 'deleteDriver',
    tag,
    method: 'DELETE',
    path: `${path}/{driver_id}`,
    summary:
      'Archive a driver and end the assignments, or with `purge=true` delete the record and all assignments',
    access: { right: 'vehicles', level: 'write' },
    versioned: true,
    params,
    query: z.strictObject({ purge: z.enum(['true', 'false']).optional() }),
    errors: ['not_found', 'version_conflict'],
  }),
};

/** Who drove when. */
export const driveRoutes = {
  ofDriver: route({
    id: 'listDriverDrives',
    tag,
    method: 'GET',
    path: `${path}/{driver_id}/drives`,
    summary: `When a driver drove which visible vehicle; at most ${longestDriveDays} days`,
    access: { right: 'vehicles', level: 'read' },
    params,
    query: drivesQuery,
    reply: drives,
    errors: ['not_found', 'queue_full'],
  }),
  ofVehicle: route({
    id: 'listVehicleDrives',
    tag,
    method: 'GET',
    path: '/api/v1/vehicles/{vehicle}/drives',
    summary: `Who drove a vehicle when; at most ${longestDriveDays} days`,
    access: { right: 'vehicles', level: 'read' },
    params: z.object({ vehicle: z.string().min(1).max(64) }),
    query: drivesQuery,
    reply: drives,
    errors: ['not_found', 'queue_full'],
  }),
};

const assignmentsPath = '/api/v1/assignments';

export const assignmentRoutes = {
  list: route({
    id: 'listAssignments',
    tag,
    method: 'GET',
    path: assignmentsPath,
    summary: 'Assignments of visible drivers to visible vehicles, those that began last first',
    access: { right: 'vehicles', level: 'read' },
    query: z
      .strictObject({
        ...listQuery,
        driver_id: id.optional(),
        vehicle: z.string().min(1).max(64).optional(),
        from: time.optional().meta({ description: 'those that end after it' }),
        to: time.optional().meta({ description: 'those that begin before it' }),
      })
      .check(orderError),
    reply: page(assignment),
    errors: ['not_found'],
  }),
  create: route({
    id: 'createAssignment',
    tag,
    method: 'POST',
    path: assignmentsPath,
    summary: 'Assign a driver to a vehicle',
    access: { right: 'vehicles', level: 'write' },
    idempotent: true,
    body: newAssignment,
    reply: assignment,
    status: 201,
    errors: ['not_found', 'quota_exceeded'],
  }),
  get: route({
    id: 'getAssignment',
    tag,
    method: 'GET',
    path: `${assignmentsPath}/{assignment_id}`,
    summary: 'One assignment',
    access: { right: 'vehicles', level: 'read' },
    params: assignmentParams,
    reply: assignment,
    errors: ['not_found'],
  }),
  patch: route({
    id: 'patchAssignment',
    tag,
    method: 'PATCH',
    path: `${assignmentsPath}/{assignment_id}`,
    summary: 'Change the period or the note of an assignment',
    access: { right: 'vehicles', level: 'write' },
    versioned: true,
    params: assignmentParams,
    body: assignmentPatch,
    reply: assignment,
    errors: ['not_found', 'version_conflict'],
  }),
  remove: route({
    id: 'deleteAssignment',
    tag,
    method: 'DELETE',
    path: `${assignmentsPath}/{assignment_id}`,
    summary: 'Delete an assignment, as if it had never been',
    access: { right: 'vehicles', level: 'write' },
    versioned: true,
    params: assignmentParams,
    errors: ['not_found', 'version_conflict'],
  }),
};
