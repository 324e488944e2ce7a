import { z } from 'zod';
import {
  attributes,
  color,
  id,
  listQuery,
  mergePatchOf,
  newAttributes,
  page,
  shortText,
  speedKmh,
  stamps,
  terminalId,
  time,
  unroundedText,
} from './fields.ts';
import { bulkResult, bulkVehicleIds, maxBulk } from './bulk.ts';
import { currentDriver } from './drivers.ts';
import { position } from './positions.ts';
import { periodError } from './preview.ts';
import { route } from './route.ts';
import { maxColumnName } from './csv.ts';
import { vehicleColumns } from './vehicleColumns.ts';
import { fieldFault } from './problem.ts';

const tag = 'Vehicles';

export const vehicleType = z.enum(['car', 'van', 'truck', 'bus', 'trailer', 'machine']);

/** What a vehicle does, by its last message; the numbers are settings. */
export const vehicleStatus = z.enum(['moving', 'idle', 'stopped', 'offline', 'never']);
export type VehicleStatus = z.infer<typeof vehicleStatus>;

const fields = {
  terminal_id: terminalId,
  name: shortText,
  plate: unroundedText(20).nullable().default(null),
  type: vehicleType.nullable().default(null),
  color: color.nullable().default(null),
  driver: z.string().trim().max(120).nullable().default(null),
  phone: unroundedText(40).nullable().default(null),
  vin: unroundedText(40).nullable().default(null),
  speed_limit_kmh: speedKmh.nullable().default(null),
  clock_offset_s: z.int().min(-86_400).max(86_400).default(0),
  group_ids: z.array(id).max(1_000).default([]),
  attributes: newAttributes.default({}),
};

export const newVehicle = z.strictObject(fields).meta({ id: 'NewVehicle' });
export type NewVehicle = z.infer<typeof newVehicle>;
export const vehiclePatch = mergePatchOf(fields).meta({ id: 'VehiclePatch' });
export type VehiclePatch = z.infer<typeof vehiclePatch>;

export const vehicle = z
  .object({
    vehicle_id: id,
    terminal_id: z.string(),
    name: z.string(),
    plate: z.string().nullable(),
    type: vehicleType.nullable(),
    color: z.string().nullable(),
    driver: z.string().nullable(),
    phone: z.string().nullable(),
    vin: z.string().nullable(),
    speed_limit_kmh: z.number().nullable(),
    clock_offset_s: z.int(),
    group_ids: z.array(id),
    attributes,
    status: vehicleStatus,
    overdue: z.boolean().meta({
      description:
        'silent for more than three of its usual intervals: the median of its last 20 gaps with the ignition as it is; for a minute at least',
    }),
    position: position.nullable(),
    current_driver: currentDriver.nullable().meta({
      description:
        'by the card that the terminal read, else by an assignment; `driver` is a text of the profile',
    }),
    archived_at: time.nullable().meta({ description: 'set after a deletion; its data is kept for dealers' }),
    ...stamps,
  })
  .meta({ id: 'Vehicle' });
export type Vehicle = z.infer<typeof vehicle>;

/** The UUID or the terminal ID, everywhere. */
export const vehicleParams = z.object({ vehicle: z.string().min(1).max(64) });

const dataQuery = z.strictObject({ from: time, to: time }).check(periodError(366));

export const vehicleData = z
  .object({
    ...{ positions: z.int(), events: z.int(), notifications: z.int(), clips: z.int() },
    snapshots: z.int().meta({ description: 'of incidents, on which it can be seen' }),
  })
  .meta({ id: 'VehicleData' });
export type VehicleData = z.infer<typeof vehicleData>;

export const importResult = z.object({
  row: z.int(),
  status: z.enum(['created', 'exists', 'invalid']),
  vehicle_id: id.nullable(),
  errors: z.array(fieldFault),
});
export type ImportResult = z.infer<typeof importResult>;

/** Of the terminal's clock. */
const vehicleClock = z.object({
  clock_offset_s: z.int().meta({ description: 'the present setting of the vehicle' }),
  suggested_clock_offset_s: z.int().nullable().meta({
    description:
      'how far the clock is ahead in recent messages, in whole quarters of an hour; null: the vehicle is already set to it, or there were too few messages',
  }),
});

const notMapping = 'takes a field, a colon and a column, once for each field';
/** A colon stands in no name of a field. */
const columnOfField = z
  .string()
  .max(16 + maxColumnName)
  .regex(new RegExp(`^(${vehicleColumns.join('|')}):.*\\S.*$`), notMapping);

export const vehicleRoutes = {
  list: route({
    id: 'listVehicles',
    tag,
    method: 'GET',
    path: '/api/v1/vehicles',
    summary: 'Visible vehicles',
    access: { right: 'vehicles', level: 'read' },
    query: z.strictObject({
      ...listQuery,
      group_id: id.optional(),
      q: z.string().max(100).optional().meta({
        description: 'words of name, plate, terminal ID, VIN, driver or phone; of who drives now, too',
      }),
      status: vehicleStatus.optional(),
      archived: z.enum(['true', 'false']).optional().meta({
        description: '`true`: those that are archived, in place of those in service; for dealers',
      }),
    }),
    reply: page(vehicle),
    errors: ['not_found'],
  }),
  create: route({
    id: 'createVehicle',
    tag,
    method: 'POST',
    path: '/api/v1/vehicles',
    summary: 'Add a vehicle',
    access: { right: 'vehicles', level: 'write' },
    idempotent: true,
    body: newVehicle,
    reply: vehicle,
    status: 201,
    errors: ['already_exists', 'quota_exceeded'],
  }),
  import: route({
    id: 'importVehicles',
    tag,
    method: 'POST',
    path: '/api/v1/vehicles/import',
    access: { right: 'vehicles', level: 'write' },
    summary: 'Import up to 5,000 vehicles from a JSON array or CSV; one result per row',
    bodyLimit: 8 * 1024 * 1024,
    alsoTakes: ['text/csv'],
    query: z.strictObject({
      dry_run: z.enum(['0', '1']).optional(),
      mapping: z
        .union([columnOfField, z.array(columnOfField).max(vehicleColumns.length)], notMapping)
        .optional()
        .meta({
          description:
            'of CSV: a field and the column from which it is read, `terminal_id:IMEI`, as often as needed. Columns with the names of fields need none; the others are skipped. Without it a column with another name is an error',
        }),
    }),
    body: z.array(z.unknown()).min(1).max(5_000).meta({
      description:
        'each row as in NewVehicle; or text/csv with a header line: commas, semicolons or tabs, decimal points or commas, in the stated charset, else UTF-8, UTF-16 or Windows-1252 by its bytes',
    }),
    reply: z.object({ created: z.int(), exists: z.int(), invalid: z.int(), results: z.array(importResult) }),
    errors: ['quota_exceeded'],
  }),
  get: route({
    id: 'getVehicle',
    tag,
    method: 'GET',
    path: '/api/v1/vehicles/{vehicle}',
    summary: 'One vehicle',
    access: { right: 'vehicles', level: 'read' },
    params: vehicleParams,
    reply: vehicle,
    errors: ['not_found'],
  }),
  patch: route({
    id: 'patchVehicle',
    tag,
    method: 'PATCH',
    path: '/api/v1/vehicles/{vehicle}',
    summary: 'Change a vehicle',
    access: { right: 'vehicles', level: 'write' },
    versioned: true,
    params: vehicleParams,
    body: vehiclePatch,
    reply: vehicle,
    errors: ['not_found', 'already_exists', 'version_conflict', 'quota_exceeded'],
  }),
  changeGroups: route({
    id: 'changeVehicleGroups',
    tag,
    method: 'POST',
    path: '/api/v1/vehicles/groups',
    summary: `Add up to ${maxBulk} vehicles to a group, or remove them from it`,
    access: { right: 'vehicles', level: 'write' },
    body: z
      .strictObject({ action: z.enum(['add', 'remove']), group_id: id, vehicle_ids: bulkVehicleIds })
      .meta({ id: 'VehicleGroupsChange' }),
    reply: bulkResult,
    errors: ['not_found', 'quota_exceeded'],
  }),
  archiveMany: route({
    id: 'archiveVehicles',
    tag,
    method: 'POST',
    path: '/api/v1/vehicles/archive',
    summary: `Archive up to ${maxBulk} vehicles whose incidents are closed; their terminal IDs are free again`,
    access: { right: 'vehicles', level: 'write' },
    body: z.strictObject({ vehicle_ids: bulkVehicleIds }).meta({ id: 'VehiclesArchive' }),
    reply: bulkResult,
    errors: ['in_use'],
  }),
  restoreMany: route({
    id: 'restoreVehicles',
    tag,
    method: 'POST',
    path: '/api/v1/vehicles/restore',
    summary: `Put up to ${maxBulk} archived vehicles back into service, in the groups in which they are`,
    access: 'dealer',
    body: z.strictObject({ vehicle_ids: bulkVehicleIds }).meta({ id: 'VehiclesRestore' }),
    reply: bulkResult,
    errors: ['already_exists'],
  }),
  clock: route({
    id: 'getVehicleClock',
    tag,
    method: 'GET',
    path: '/api/v1/vehicles/{vehicle}/clock',
    summary: 'Get the suggested clock offset of its terminal',
    access: { right: 'vehicles', level: 'write' },
    params: vehicleParams,
    reply: vehicleClock,
    errors: ['not_found'],
  }),
  data: route({
    id: 'countVehicleData',
    tag,
    method: 'GET',
    path: '/api/v1/vehicles/{vehicle}/data',
    summary: 'Count what is kept of a vehicle in a period',
    access: 'dealer',
    params: vehicleParams,
    query: dataQuery,
    reply: vehicleData,
    errors: ['not_found'],
  }),
  deleteData: route({
    id: 'deleteVehicleData',
    tag,
    method: 'DELETE',
    path: '/api/v1/vehicles/{vehicle}/data',
    summary:
      'Delete positions, events, notifications (by their last event) and clips (that overlap it) of a vehicle in a period; incidents lose what they have of it, and the snapshots that show it, not what people wrote. Its last known position stays until the next message',
    access: 'dealer',
    params: vehicleParams,
    query: dataQuery,
    reply: vehicleData,
    errors: ['not_found'],
  }),
  remove: route({
    id: 'deleteVehicle',
    tag,
    method: 'DELETE',
    path: '/api/v1/vehicles/{vehicle}',
    summary:
      'Archive a vehicle whose incidents are closed, or with `purge=true` delete its data; the terminal ID is free again',
    access: { right: 'vehicles', level: 'write' },
    versioned: true,
    params: vehicleParams,
    query: z.strictObject({ purge: z.enum(['true', 'false']).optional() }),
    errors: ['not_found', 'version_conflict', 'in_use'],
  }),
};
