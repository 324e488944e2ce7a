import { z } from 'zod';
import { bulkResult, bulkVehicleIds, maxBulk } from './bulk.ts';
import { stating } from './conditions.ts';
import { id, listQuery, page, time } from './fields.ts';
import { listenerName } from './intake.ts';
import { route } from './route.ts';

const tag = 'Vehicles';

/** `text`: a line in the terminal's own language; `position`: it is asked where it is now. */
export const commandKind = z.enum(['text', 'position']);
export type CommandKind = z.infer<typeof commandKind>;

/**
 * `queued`: the terminal is off line, or has others to answer first; `sent`: on its way, the answer is waited for. All
 * others are final.
 */
export const commandStatus = z.enum(['queued', 'sent', 'responded', 'failed', 'cancelled', 'expired']);
export type CommandStatus = z.infer<typeof commandStatus>;

/** `no_response`: it was sent, but it is not known whether it was executed. It is not sent again automatically. */
export const commandFault = z.enum(['terminal_refused', 'no_response', 'not_supported']);
export type CommandFault = z.infer<typeof commandFault>;

/** The terminals' own limit is lower at times; they say so. */
export const maxCommand = 500;
const maxCommandWaitS = 7 * 86_400;

export const terminalCommand = z
  .object({
    command_id: id,
    vehicle_id: id,
    terminal_id: z.string(),
    kind: commandKind,
    text: z.string().nullable(),
    status: commandStatus,
    protocol: listenerName.nullable().meta({ description: 'the protocol over which it was sent' }),
    response: z.string().nullable().meta({ description: 'the response of the terminal' }),
    error: z.object({ code: commandFault, detail: z.string() }).nullable(),
    created_by: id,
    created_at: time,
    sent_at: time.nullable(),
    ended_at: time.nullable(),
    expires_at: time.meta({ description: 'it is not sent after this time' }),
  })
  .meta({ id: 'TerminalCommand' });
export type TerminalCommand = z.infer<typeof terminalCommand>;

const newCommandFields = {
  kind: commandKind,
  text: z.string().trim().min(1).max(maxCommand).meta({ pattern: '\\S' }).nullable().default(null),
  expires_in_s: z.int().min(10).max(maxCommandWaitS).default(86_400),
};
const textError = { message: 'is given for a command of kind text, and for no other', path: ['text'] };
const hasItsText = (it: { kind: CommandKind; text: string | null }) =>
  (it.kind === 'text') === (it.text !== null);
const textConditions = {
  oneOf: [
    { properties: { kind: { const: 'text' }, text: { type: 'string' } }, required: ['text'] },
    { properties: { kind: { const: 'position' }, text: { type: 'null' } } },
  ],
};

export const newTerminalCommand = stating(
  z.strictObject(newCommandFields).refine(hasItsText, textError),
  textConditions,
).meta({ id: 'NewTerminalCommand' });
export type NewTerminalCommand = z.output<typeof newTerminalCommand>;

const newBulkCommand = stating(
  z.strictObject({ ...newCommandFields, vehicle_ids: bulkVehicleIds }).refine(hasItsText, textError),
  textConditions,
).meta({ id: 'NewBulkCommand' });

const bulkCommandResult = bulkResult
  .extend({
    waiting: z.array(id).meta({
      description: 'those of `done` whose terminals are off line, or speak a protocol without commands',
    }),
  })
  .meta({ id: 'BulkCommandResult' });
export type BulkCommandResult = z.infer<typeof bulkCommandResult>;

/** How a vehicle's terminal can be reached now. */
export const terminalConnection = z
  .object({
    protocol: listenerName
      .nullable()
      .meta({ description: 'of the connection that accepts commands; null: none now' }),
    kinds: z.array(commandKind).meta({ description: 'what it accepts over that connection' }),
  })
  .meta({ id: 'TerminalConnection' });
export type TerminalConnection = z.infer<typeof terminalConnection>;

const vehicleParams = z.object({ vehicle: z.string().min(1).max(64) });
const access = { right: 'vehicles', level: 'write' } as const;

export const terminalCommandRoutes = {
  reach: route({
    id: 'getTerminalConnection',
    tag,
    method: 'GET',
    path: '/api/v1/vehicles/{vehicle}/terminal',
    summary: 'Check whether its terminal accepts commands now, and which',
    access,
    params: vehicleParams,
    reply: terminalConnection,
    errors: ['not_found'],
  }),
  list: route({
    id: 'listTerminalCommands',
    tag,
    method: 'GET',
    path: '/api/v1/vehicles/{vehicle}/commands',
    summary: 'List the commands sent to its terminal, newest first',
    access,
    params: vehicleParams,
    query: z.strictObject(listQuery),
    reply: page(terminalCommand),
    errors: ['not_found'],
  }),
  send: route({
    id: 'sendTerminalCommand',
    tag,
    method: 'POST',
    path: '/api/v1/vehicles/{vehicle}/commands',
    summary: 'Send a command, queued while the terminal is offline',
    access,
    idempotent: true,
    params: vehicleParams,
    body: newTerminalCommand,
    reply: terminalCommand,
    status: 201,
    errors: ['not_found', 'in_use', 'quota_exceeded'],
  }),
  sendMany: route({
    id: 'sendTerminalCommands',
    tag,
    method: 'POST',
    path: '/api/v1/vehicles/commands',
    summary: `Send a command to up to ${maxBulk} vehicles; with \`dry_run=1\`, only check who would get it`,
    access,
    idempotent: true,
    query: z.strictObject({ dry_run: z.enum(['0', '1']).optional() }),
    body: newBulkCommand,
    reply: bulkCommandResult,
    errors: ['in_use'],
  }),
  get: route({
    id: 'getTerminalCommand',
    tag,
    method: 'GET',
    path: '/api/v1/vehicles/{vehicle}/commands/{command_id}',
    summary: 'Get a command, with the response if there is one',
    access,
    params: vehicleParams.extend({ command_id: id }),
    reply: terminalCommand,
    errors: ['not_found'],
  }),
  cancel: route({
    id: 'cancelTerminalCommand',
    tag,
    method: 'DELETE',
    path: '/api/v1/vehicles/{vehicle}/commands/{command_id}',
    summary: 'Cancel a waiting command; a sent one cannot be cancelled',
    access,
    params: vehicleParams.extend({ command_id: id }),
    reply: terminalCommand,
    errors: ['not_found', 'in_use'],
  }),
};
