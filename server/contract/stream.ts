import { z } from 'zod';
import { assignment, driver } from './drivers.ts';
import { event } from './events.ts';
import { id, oneOrMany, time } from './fields.ts';
import { health } from './health.ts';
import { geofence } from './geofences.ts';
import { groupEntry } from './groups.ts';
import { incident } from './incidents.ts';
import { notification, snooze } from './notifications.ts';
import { position, unknownTerminal } from './positions.ts';
import { route } from './route.ts';
import { rule } from './rules.ts';
import { settings } from './settings.ts';
import { shift } from './shifts.ts';
import { terminalCommand } from './terminalCommands.ts';
import { user } from './users.ts';
import { vehicle } from './vehicles.ts';
import { task } from './video.ts';
import { profile } from './videoProfiles.ts';

const gone = <K extends string>(key: K) =>
  z.object({ [key]: id, deleted: z.literal(true) } as Record<K, typeof id> & { deleted: z.ZodLiteral<true> });

/** The messages of the stream by their `event:` name, with what their `data:` holds. */
export const streamMessages = {
  /** First of all on a new stream: the newest position of every visible vehicle follows in `position` messages. */
  snapshot: z.object({
    server_time: time,
    vehicles: z.int(),
    overdue: z.array(id).meta({ description: 'the visible vehicles that are overdue' }),
    health,
  }),
  position: z.object({ positions: z.array(position) }),
  /** Positions of this time were stored late: tracks and reports of it have changed. Not replayed. */
  late_track: z.object({ vehicle_id: id, from: time, to: time }).meta({ description: 'both ends included' }),
  event,
  notification,
  incident: z.union([incident, gone('incident_id')]),
  task: z.union([task, gone('task_id')]),
  vehicle: z.union([vehicle, gone('vehicle_id')]),
  driver: z.union([driver, gone('driver_id')]),
  assignment: z.union([assignment, gone('assignment_id')]),
  geofence: z.union([geofence, gone('geozone_id')]),
  rule: z.union([rule, gone('rule_id')]),
  snooze: z.union([snooze, gone('snooze_id')]),
  shift: z.union([shift, gone('shift_id')]),
  command: z.union([terminalCommand, gone('command_id')]),
  group: z.union([groupEntry, gone('group_id')]),
  user: z.union([user, gone('user_id')]),
  profile: z.union([profile, gone('profile_id')]),
  settings,
  unknown_terminal: unknownTerminal,
  /** Vehicles that have become overdue, and those that no longer are. */
  overdue: z.object({ began: z.array(id), ended: z.array(id) }),
  /** Whenever it changes. */
  health,
  heartbeat: z.object({ server_time: time }),
  /** What was missed is no longer known: fetch the lists again. */
  reset: z.object({ reason: z.string() }),
} as const;

export type StreamTopic = keyof typeof streamMessages;
export type StreamMessage = {
  [T in StreamTopic]: { topic: T; data: z.infer<(typeof streamMessages)[T]> };
}[StreamTopic];

export const chosenTopics = z.enum([
  'position',
  'late_track',
  'event',
  'notification',
  'incident',
  'task',
  'vehicle',
  'driver',
  'assignment',
  'geofence',
  'rule',
  'snooze',
  'shift',
  'command',
  'group',
  'user',
  'profile',
  'settings',
  'unknown_terminal',
  'overdue',
  'health',
]);
export type ChosenTopic = z.infer<typeof chosenTopics>;

export const streamRoute = route({
  id: 'openStream',
  tag: 'Telemetry',
  method: 'GET',
  path: '/api/v1/stream',
  access: 'user',
  summary:
    'Server-sent events: a snapshot of positions, then all changes; `Last-Event-ID` replays what was missed',
  query: z.strictObject({
    topics: oneOrMany(chosenTopics).optional(),
    quiet: z
      .enum(['true', 'false'])
      .optional()
      .meta({ description: 'of notifications: only those of the quiet list, or only the others' }),
  }),
  bytes: { contentTypes: ['text/event-stream'] },
  errors: ['too_many_streams'],
});
