import { z } from 'zod';
import { id, time } from './fields.ts';
import { refusalCode, shownMeasured } from './positions.ts';
import { route } from './route.ts';

const tag = 'Service';

/** The doors by which terminals come in; `jt1078` is where they bring their video. */
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
  refused: z.int(),
  unknown: z.int(),
  last_message_at: time.nullable(),
};

/** A door as the status tells of it. */
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

const intakeListener = z
  .object({
    name: listenerName,
    protocol: z.string().meta({
      description: 'what the listener understands, in words',
      examples: ['Teltonika Codec 8, 8 Extended and 16'],
    }),
    ...listenerStatus.shape,
    transports: z.array(transport),
    open: z.boolean().meta({ description: 'whether other machines can reach it' }),
    error: z.string().nullable().meta({
      description: 'why the listener cannot accept connections right now; null: it listens',
    }),
    rejections: z.record(rejectReason, z.int()).nullable().meta({
      description: 'connections ended and messages left alone, by reason, since the start',
    }),
  })
  .meta({ id: 'IntakeListener' });
export type IntakeListener = z.infer<typeof intakeListener>;

/** A vehicle whose terminal's clock is off by a zone's offset that is not what it is set to. */
const clockSuggestion = z.object({
  vehicle_id: id,
  terminal_id: z.string(),
  clock_offset_s: z.int().meta({ description: 'what the vehicle is set to' }),
  suggested_clock_offset_s: z.int().meta({ description: 'what it should be set to' }),
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
        'why the listeners could not be opened, or closed, to the network the last time; null: they could',
    }),
    addresses: z.array(z.string()).meta({
      description:
        'what to enter in a terminal as the host: the addresses of this machine on the network when open, else the one of this machine alone',
    }),
    media_address: z.object({ host: z.string(), port: z.int() }).nullable().meta({
      description:
        'where terminals are told to bring their video, when that is not where they reach this machine',
    }),
    listeners: z.array(intakeListener),
    clock_offsets: z.array(clockSuggestion).meta({
      description: 'vehicles whose terminal has its clock off by a zone that they are not set to',
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

const outcome = z.enum(['stored', 'duplicate', 'merged', 'refused', 'unknown', 'failed']);

/** Why reports were refused for good, or could not be stored for now. */
const outcomeCode = z.enum([...refusalCode.options, 'disk_full', 'unavailable']);

export const intakeMessage = z
  .object({
    listener: listenerName,
    sequence: z.int().meta({ description: 'counts the messages of its listener since the start' }),
    at: time,
    transport,
    address: z.string().nullable(),
    terminal_id: z.string().nullable().meta({ description: 'null: nobody had said who it is' }),
    hex: z.string().meta({
      description: 'its first bytes, two digits each; what can be a password is overwritten by 2a',
    }),
    masked: z.boolean().meta({ description: 'whether bytes were overwritten' }),
    size_bytes: z.int().meta({ description: 'of the whole message, in bytes' }),
    summary: z.string().nullable().meta({ description: 'what it was, in words' }),
    undecodable: z.boolean().meta({
      description:
        'whether it, or a part of it, could not be read; else one that bears nothing to store is as it should be: a login, a sign of life',
    }),
    report_count: z.int().meta({ description: 'how many reports were read from it' }),
    reports: z.array(decodedReport).meta({ description: 'the first of them' }),
    outcomes: z.partialRecord(outcome, z.int()).meta({ description: 'what became of them' }),
    codes: z.partialRecord(outcomeCode, z.int()).meta({
      description: 'why reports of it were refused or could not be stored, and how many for that',
    }),
    response_hex: z.string().nullable().meta({
      description: 'the first bytes of what the terminal was answered; null: nothing so far',
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
    summary: 'Listeners, addresses to enter in terminals, rejections',
    access: 'dealer',
    reply: intakeState,
  }),
  messages: route({
    id: 'listIntakeMessages',
    tag,
    method: 'GET',
    path: '/api/v1/intake/messages',
    summary: 'The last messages of terminals as they came, newest first, and what was made of them',
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
