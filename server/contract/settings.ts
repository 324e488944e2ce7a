import { z } from 'zod';
import { causes } from './causes.ts';
import { checklists, closeReasons } from './incidentSettings.ts';
import { id, mergePatchOf, shortText, time, timeZone, version } from './fields.ts';
import { listenerStatus } from './intake.ts';
import { route } from './route.ts';
import { timeOfDay } from './schedule.ts';

const tag = 'Service';
const days = z.int().min(1).max(3_650);
/** A petabyte. */
const maxBytes = 1_000_000_000_000_000;

/** Limits of one protocol's intake that hold until the depot sets others. */
export const standardIntake = { connections: 10_000, connectionsPerAddress: 2_000, idleS: 600 } as const;

/** The depot's settings with the numbers that hold until somebody changes them. */
const fields = {
  depot_name: shortText.default('Depot'),
  timezone: timeZone.default('UTC'),
  offline_s: z.number().min(10).max(86_400).default(600),
  settling_s: z.number().min(0).max(3_600).default(60),
  moving_speed_kmh: z.number().min(0).max(100).default(5),
  idle_speed_kmh: z.number().min(0).max(100).default(3),
  idle_s: z.number().min(0).max(86_400).default(300),
  late_after_s: z.number().min(0).max(31_536_000).default(900),
  max_future_s: z.number().min(0).max(86_400).default(600),
  overspeed_tolerance_kmh: z.number().min(0).max(100).default(3),
  overspeed_min_duration_s: z.number().min(0).max(3_600).default(10),
  overspeed_clear_s: z.number().min(0).max(3_600).default(10),
  overspeed_gap_s: z.number().min(10).max(86_400).default(300),
  crossing_max_gap_s: z.number().min(0).max(86_400).default(300),
  dwell_s: z.number().min(1).max(2_592_000).default(1_200),
  silent_s: z.number().min(1).max(2_592_000).default(300),
  trip_radius_m: z.number().min(10).max(10_000).default(200),
  trip_speed_kmh: z.number().min(0).max(100).default(5),
  trip_stop_s: z.number().min(10).max(86_400).default(180),
  trip_ignition_off_s: z.number().min(0).max(86_400).default(60),
  trip_gap_s: z.number().min(60).max(604_800).default(3_600),
  trip_min_m: z.number().min(0).max(100_000).default(100),
  low_battery_pct: z.number().min(0).max(100).default(20),
  low_battery_clear_pct: z.number().min(0).max(100).default(30),
  harsh_acceleration_ms2: z.number().min(0.5).max(50).default(3),
  harsh_braking_ms2: z.number().min(0.5).max(50).default(3.5),
  harsh_cornering_ms2: z.number().min(0.5).max(50).default(4),
  harsh_gap_s: z.number().min(0.1).max(60).default(2),
  video_before_s: z.number().min(0).max(300).default(15),
  video_after_s: z.number().min(0).max(120).default(15),
  video_max_s: z.number().min(1).max(3_600).default(600),
  video_max_downloads: z.int().min(1).max(32).default(4),
  /** What a camera at an address may send for one video, and how long it may take for all of it. */
  camera_max_bytes: z.int().min(1_000_000).max(1_000_000_000_000).default(4_000_000_000),
  camera_timeout_s: z.number().min(10).max(86_400).default(7_200),
  video_min_free_pct: z.number().min(0).max(90).default(10),
  video_min_free_bytes: z.int().min(0).max(maxBytes).default(2_000_000_000),
  positions_retention_days: days.default(365),
  events_retention_days: days.default(730),
  audit_retention_days: days.default(365),
  quiet_hours: z.int().min(1).max(8_760).default(72).meta({
    description: 'quiet notifications that nobody acknowledges are closed after this long',
  }),
  video_retention_days: days.default(30),
  /** All videos together; 0: as many as the disk's reserve lets. Important ones count, and are never removed. */
  video_quota_bytes: z.int().min(0).max(maxBytes).default(0),
  online_maps_cache_bytes: z.int().min(0).max(maxBytes).default(1_000_000_000).meta({
    description:
      'cached tiles of all online maps together; those drawn least recently go first, also when the disk has only its reserve left. 0: none are kept',
  }),
  sos_opens_incident: z.boolean().default(true).meta({
    description: 'whether an SOS opens an incident by itself, also one for which no rule notifies',
  }),
  incident_close_reasons: closeReasons,
  incident_checklists: checklists,
  session_days: z.int().min(1).max(365).default(30),
  jwt_ttl_s: z.int().min(1).max(86_400).default(1_800),
  osmand_speed_unit: z.enum(['kn', 'kmh', 'ms']).default('kn'),
  intake_connections: z.int().min(10).max(100_000).default(standardIntake.connections).meta({
    description:
      'how many connections one protocol accepts. At the limit a new connection closes the oldest one without a known terminal; those of known terminals stay, also when the limit is lowered. Video uses separate connections',
  }),
  intake_connections_per_address: z
    .int()
    .min(1)
    .max(100_000)
    .default(standardIntake.connectionsPerAddress)
    .meta({
      description:
        'how many of them may come from one address; terminals of one mobile network often share one',
    }),
  intake_idle_s: z.int().min(60).max(86_400).default(standardIntake.idleS).meta({
    description:
      'a connection without a message for this long is closed; a JT/T 808 connection after 360 s at the latest, because its terminals send heartbeats; an OsmAnd connection always after 65 s, because its clients open another when they need it',
  }),
  intake_open: z.boolean().default(false).meta({
    description:
      'whether terminals, and all other devices on the network, can reach the intake; otherwise only this machine can. A change closes the connections of all terminals, which reconnect; running video downloads restart',
  }),
  backup_daily: z.boolean().default(false),
  backup_time: timeOfDay.default('03:00').meta({ description: 'in the time zone of the depot' }),
  backup_keep: z.int().min(1).max(365).default(7).meta({
    description: 'how many backups stay in the folder; each new one there deletes the oldest beyond',
  }),
  /** Whether it can be used is looked at when it is set: it may not lie in the data folder. */
  backup_folder: z.string().max(1_000).default('').meta({
    description:
      'an absolute path on the server, outside its data folder; dealers read it from `GET /backups`',
  }),
  backup_clips: z.boolean().default(false),
};

/** Paths of the host's machine are for dealers. */
const { backup_folder: _, ...shownFields } = fields;

/** The thresholds by which trips and stops are found. */
export const tripThresholds = [
  'trip_radius_m',
  'trip_speed_kmh',
  'trip_stop_s',
  'trip_ignition_off_s',
  'trip_gap_s',
  'trip_min_m',
] as const satisfies readonly (keyof typeof fields)[];

export const settingsFields = z.strictObject(fields);
export type SettingsFields = z.infer<typeof settingsFields>;
export type ShownSettings = Omit<SettingsFields, 'backup_folder'>;
const settingsPatch = mergePatchOf(fields).meta({ id: 'SettingsPatch' });

export const settings = z
  .object({
    ...shownFields,
    instance_id: z.string(),
    version,
    updated_at: time,
    maps_version: z.int().meta({ description: 'rises when other map files are drawn than before' }),
    overridden: z.array(z.string()).meta({ description: 'settings overridden by a command-line option' }),
  })
  .meta({ id: 'Settings' });
export type Settings = z.infer<typeof settings>;

export const status = z
  .object({
    version: z.string(),
    started_at: time,
    intake: z.object({
      osmand: listenerStatus.nullable(),
      teltonika: listenerStatus.nullable(),
      wialon: listenerStatus.nullable(),
      jt808: listenerStatus.nullable(),
      jt1078: listenerStatus.nullable(),
    }),
    intake_error: z
      .string()
      .nullable()
      .meta({ description: 'why the listeners are not bound to the configured address; null: they are' }),
    intake_error_causes: causes,
    addresses: z.array(z.string()).meta({ description: 'where terminals can reach this machine' }),
    intake_open: z.boolean().meta({ description: 'whether other machines can reach the listeners' }),
    terminal_addresses: z.array(z.string()).meta({
      description:
        'what to enter in terminals as the host: the addresses of this machine at which the listeners are reached, or will be once they are opened to the network',
    }),
    insecure_lan: z.boolean(),
    store: z.object({
      recoveries: z.array(
        z.object({
          document: z.string(),
          quarantined_as: z.array(z.string()),
          restored_from: z.enum(['bak', 'initial']),
          at: time,
        }),
      ),
      positions_stored: z.int(),
      commits: z.int(),
    }),
    disk: z.object({ free_bytes: z.int(), total_bytes: z.int(), reserve_bytes: z.int() }),
    streams: z.int(),
    geofences_not_monitored: z
      .array(z.object({ geozone_id: id, name: z.string(), reason: z.string(), causes }))
      .meta({ description: 'stored geofences that are not monitored, and why' }),
    users_blocked_until_confirmed: z.boolean(),
  })
  .meta({ id: 'Status' });
export type Status = z.infer<typeof status>;

export const serviceRoutes = {
  settings: route({
    id: 'getSettings',
    tag,
    method: 'GET',
    path: '/api/v1/settings',
    summary: 'Get the depot and its thresholds',
    access: 'user',
    reply: settings,
  }),
  patchSettings: route({
    id: 'patchSettings',
    tag,
    method: 'PATCH',
    path: '/api/v1/settings',
    summary: 'Change settings',
    access: 'dealer',
    versioned: true,
    body: settingsPatch,
    reply: settings,
    errors: ['version_conflict', 'in_use', 'unavailable'],
  }),
  status: route({
    id: 'getStatus',
    tag,
    method: 'GET',
    path: '/api/v1/status',
    summary: 'Get the status of intake, store and disk',
    access: 'dealer',
    reply: status,
  }),
  confirmRecoveries: route({
    id: 'confirmRecoveries',
    tag,
    method: 'POST',
    path: '/api/v1/status/recoveries/confirm',
    access: 'dealer',
    summary: 'Confirm restored documents',
    body: z.strictObject({ documents: z.array(z.string().max(200)).min(1).max(100) }),
    reply: status,
  }),
};
