import { z } from 'zod';
import { causes } from './causes.ts';
import { id, time } from './fields.ts';
import { rejectionCode, shownMeasured } from './positions.ts';
import { route } from './route.ts';

const tag = 'Service';

/** The listeners to which terminals connect; `jt1078` is where they send video. */
export const listenerName = z.enum(['osmand', 'teltonika', 'wialon', 'jt808', 'jt1078']);
export type ListenerName = z.infer<typeof listenerName>;

const transport = z.enum(['http', 'tcp', 'udp']);
export type Transport = z.infer<typeof transport>;

const countsOfListener = {
  connections: z.int(),
  messages: z.int(),
  stored: z.int(),
  duplicate: z.int(),
  merged: z.int(),
  rejected: z.int(),
  unknown: z.int(),
  last_message_at: time.nullable(),
};

/** A listener as the status shows it. */
export const listenerStatus = z.object({
  port: z.int(),
  host: z.string().meta({ description: 'the address of this machine that it listens on' }),
  ...countsOfListener,
});

/** Why a connection was ended, or a message left alone, by the host. */
export const rejectReason = z.enum([
  'undecodable',
  'protocol_mismatch',
  'unidentified',
  'incomplete',
  'idle',
  'slow_reader',
  'limit',
]);

/** What of one protocol came to the port of another. */
const wrongPort = z.object({
  protocol: z.enum([...listenerName.options, 'http', 'tls', 'ssh']).meta({
    description: 'as recognised by the first bytes',
  }),
  message: z.string().meta({
    description: 'in words, with the port to use',
    examples: ['Teltonika on the Wialon port: use 5027'],
  }),
  count: z.int().meta({ description: 'connections and datagrams' }),
  last_at: time,
  address: z.string().nullable().meta({ description: 'where the last one came from' }),
});

const intakeListener = z
  .object({
    name: listenerName,
    protocol: z.string().meta({
      description: 'the formats that the listener accepts, as text',
      examples: ['Teltonika Codec 8, 8 Extended and 16'],
    }),
    ...listenerStatus.shape,
    transports: z.array(transport),
    open: z.boolean().meta({ description: 'whether other machines can reach it' }),
    error: z.string().nullable().meta({
      description: 'why the listener cannot accept connections right now; null: it listens',
    }),
    error_causes: causes,
    wrong_port: z.array(wrongPort).meta({
      description: 'what came to this port of other protocols since the start, the latest first',
    }),
    rejections: z.record(rejectReason, z.int()).nullable().meta({
      description: 'rejected connections and messages by reason since the start',
    }),
  })
  .meta({ id: 'IntakeListener' });
export type IntakeListener = z.infer<typeof intakeListener>;

/** A vehicle whose terminal's clock is off by a zone's offset that is not what it is set to. */
const clockSuggestion = z.object({
  vehicle_id: id,
  terminal_id: z.string(),
  clock_offset_s: z.int().meta({ description: 'the present setting of the vehicle' }),
  suggested_clock_offset_s: z.int().meta({ description: 'the suggested setting' }),
});

export const intakeState = z
  .object({
    open: z.boolean().meta({ description: 'whether other machines can reach the listeners' }),
    overridden: z.boolean().meta({
      description:
        'a command-line option sets the addresses of the listeners; `intake_open` cannot be changed',
    }),
    error: z.string().nullable().meta({
      description:
        'why the last attempt to open or close the listeners to the network failed; null: it succeeded',
    }),
    error_causes: causes,
    addresses: z.array(z.string()).meta({
      description:
        'what to enter in a terminal as the host: the network addresses of this machine if open, else its loopback address',
    }),
    media_address: z.object({ host: z.string(), port: z.int() }).nullable().meta({
      description:
        'where terminals should send video, if that differs from the address at which they reach this machine',
    }),
    listeners: z.array(intakeListener),
    clock_offsets: z.array(clockSuggestion).meta({
      description: 'vehicles whose terminal clock is off by a time zone that is not set for the vehicle',
    }),
  })
  .meta({ id: 'Intake' });
export type IntakeState = z.infer<typeof intakeState>;

/** What a message was decoded to; what the terminal did not say is null. */
const decodedReport = z.object({
  terminal_id: z.string(),
  time: time.nullable().meta({ description: 'by the terminal’s own clock' }),
  lat: z.number().nullable(),
  lon: z.number().nullable(),
  ...shownMeasured,
});
export type DecodedReport = z.infer<typeof decodedReport>;

const outcome = z.enum(['stored', 'duplicate', 'merged', 'rejected', 'unknown', 'failed']);

/** Why reports were rejected for good, or could not be stored for now. */
const outcomeCode = z.enum([...rejectionCode.options, 'disk_full', 'unavailable']);

export const intakeMessage = z
  .object({
    listener: listenerName,
    sequence: z.int().meta({ description: 'counts the messages of its listener since the start' }),
    at: time,
    transport,
    address: z.string().nullable(),
    terminal_id: z.string().nullable().meta({ description: 'null: the terminal was not identified yet' }),
    hex: z.string().meta({
      description: 'its first bytes, two digits each; possible passwords are overwritten with 2a',
    }),
    masked: z.boolean().meta({ description: 'whether bytes were overwritten' }),
    size_bytes: z.int().meta({ description: 'of the whole message, in bytes' }),
    summary: z.string().nullable().meta({ description: 'a summary of the message' }),
    undecodable: z.boolean().meta({
      description:
        'whether it, or a part of it, could not be decoded; a valid message may contain nothing to store: a login, a heartbeat',
    }),
    report_count: z.int().meta({ description: 'number of reports decoded from it' }),
    reports: z.array(decodedReport).meta({ description: 'the first of them' }),
    outcomes: z.partialRecord(outcome, z.int()).meta({ description: 'the number of reports by outcome' }),
    codes: z.partialRecord(outcomeCode, z.int()).meta({
      description: 'why reports of it were rejected or not stored, with the number for each reason',
    }),
    response_hex: z.string().nullable().meta({
      description: 'the first bytes of the response to the terminal; null: none so far',
    }),
  })
  .meta({ id: 'IntakeMessage' });
export type IntakeMessage = z.infer<typeof intakeMessage>;

export const intakeRoutes = {
  state: route({
    id: 'getIntake',
    tag,
    method: 'GET',
    path: '/api/v1/intake',
    summary: 'Get listeners, addresses to enter in terminals, and rejections',
    access: 'dealer',
    reply: intakeState,
  }),
  messages: route({
    id: 'listIntakeMessages',
    tag,
    method: 'GET',
    path: '/api/v1/intake/messages',
    summary: 'List the last messages of terminals as received, newest first, with their outcomes',
    access: 'dealer',
    query: z.strictObject({
      listener: listenerName.optional(),
      terminal_id: z
        .string()
        .min(1)
        .max(64)
        .optional()
        .meta({ description: 'leading zeros and letter case do not matter' }),
      limit: z.coerce.number().int().min(1).max(250).default(50),
    }),
    reply: z.object({ messages: z.array(intakeMessage) }),
  }),
};
