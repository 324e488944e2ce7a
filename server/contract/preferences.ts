import { z } from 'zod';
import { id, shortText, timeZone } from './fields.ts';
import { languages } from './languages.ts';
import { route } from './route.ts';
import { builtInSounds, ownSounds, severity } from './rules.ts';

const tag = 'Users';

/** The severities that are heard. */
export const alarmSeverities = ['alarm', 'warning'] as const;
export const alarmSoundNames = [...builtInSounds, ...ownSounds, 'none'] as const;
export const soundRepeats = ['none', 'seen', 'acknowledged'] as const;

const severitySound = z.strictObject({
  sound: z.enum(alarmSoundNames),
  repeat: z
    .enum(soundRepeats)
    .meta({ description: 'until it was selected, or until somebody acknowledges it' }),
  every_s: z.int().min(5).max(600),
});

const alarmSounds = z.strictObject({
  volume: z.number().min(0).max(1),
  alarm: severitySound,
  warning: severitySound,
});
export type AlarmSounds = z.infer<typeof alarmSounds>;
export type BuiltInSound = (typeof builtInSounds)[number];
export type OwnSound = (typeof ownSounds)[number];

export const queueGroupings = ['none', 'rule', 'vehicle', 'place'] as const;
export type QueueGrouping = (typeof queueGroupings)[number];

const maxQueueViews = 20;
const maxQueueViewsChars = 12_000;

/** Rows of the queue that are shown: of each list one at least, where it is not empty. */
export const queueFilter = z.strictObject({
  severities: z.array(severity).max(3),
  rule_ids: z.array(id).max(50),
  vehicle_ids: z.array(id).max(100),
});
export type QueueFilter = z.infer<typeof queueFilter>;

const savedQueueView = z.strictObject({
  name: shortText,
  list: z.enum(['open', 'quiet', 'acknowledged']),
  group_by: z.enum(queueGroupings),
  folded: z.array(z.string().max(120)).max(200).meta({
    description: 'groups of which only the head is shown: IDs of rules or vehicles, or names of places',
  }),
  filter: queueFilter.optional().meta({ description: 'left out: all rows are shown' }),
});
export type SavedQueueView = z.infer<typeof savedQueueView>;

/** What the console points at for who is new to it, in this order. */
export const hintNames = ['search', 'queue', 'picture', 'history', 'shift', 'keys'] as const;
export type HintName = (typeof hintNames)[number];

const maxPreferencesChars = 32 * 1_024;

const shortcut = z.string().min(1).max(24);

/** What a user sets for all workstations. A field that is left out has its default, which a later version may change. */
export const preferenceFields = {
  shortcuts: z
    .record(shortcut, shortcut)
    .refine((value) => Object.keys(value).length <= 200, 'has more than 200 keys')
    .optional()
    .meta({
      description:
        'what was changed of the keys: the key that an action has from the start, and the one that it has now',
    }),
  language: z
    .enum(languages)
    .optional()
    .meta({ description: 'of the console, reports and emails; left out: that of the computer' }),
  distance_unit: z
    .enum(['km', 'mi'])
    .optional()
    .meta({ description: 'of distances, speeds (km/h or mph), and altitudes (m or ft); left out: km' }),
  volume_unit: z.enum(['l', 'gal']).optional().meta({ description: 'gal: of the US; left out: l' }),
  hour_cycle: z.enum(['h23', 'h12']).optional().meta({ description: 'left out: h23' }),
  time_zone: timeZone.optional().meta({ description: 'left out: that of the depot' }),
  first_day: z
    .enum(['monday', 'saturday', 'sunday'])
    .optional()
    .meta({ description: 'of a week; left out: monday' }),
  queue_views: z
    .array(savedQueueView)
    .max(maxQueueViews)
    .refine(
      (views) => new Set(views.map(({ name }) => name.toLowerCase())).size === views.length,
      'has two views of the same name',
    )
    .refine(
      (views) => JSON.stringify(views).length <= maxQueueViewsChars,
      `is longer than ${maxQueueViewsChars} characters as JSON`,
    )
    .optional()
    .meta({
      description: 'saved views of the queue: which list it shows, how it is grouped, what is folded',
    }),
  hints_seen: z.array(z.enum(hintNames)).max(hintNames.length).optional().meta({
    description:
      'hints that are not shown again; left out: none is shown. A new depot has none for its first dealer',
  }),
  sounds: alarmSounds.optional().meta({ description: 'of the console, by severity' }),
};

/** Fields of later versions are kept as they are. */
const fields = z.looseObject(preferenceFields).meta({ id: 'Preferences' });
export type Preferences = z.infer<z.ZodObject<typeof preferenceFields>>;

const userPreferences = z.object({ version: z.int(), preferences: fields }).meta({ id: 'UserPreferences' });
export type UserPreferences = z.infer<typeof userPreferences>;

/** The same as it is kept: a value that this version does not know is left out, and the rest holds. */
export const keptPreferences = z.object({
  version: z.int(),
  preferences: z.looseObject(
    Object.fromEntries(
      Object.entries(preferenceFields).map(([key, field]) => [key, (field as z.ZodType).catch(undefined)]),
    ) as unknown as typeof preferenceFields,
  ),
});

const path = '/api/v1/users/me/preferences';

export const preferenceRoutes = {
  get: route({
    id: 'getPreferences',
    tag,
    method: 'GET',
    path,
    summary: 'Get what the caller has set for all workstations: language, units, time zone',
    access: 'user',
    reply: userPreferences,
  }),
  put: route({
    id: 'putPreferences',
    tag,
    method: 'PUT',
    path,
    summary: 'Replace the preferences of the caller; fields that this version does not know are kept',
    access: 'user',
    versioned: true,
    bodyLimit: 128 * 1_024,
    body: z
      .strictObject({
        preferences: fields.refine(
          (value) => JSON.stringify(value).length <= maxPreferencesChars,
          `is longer than ${maxPreferencesChars} characters as JSON`,
        ),
      })
      .meta({ id: 'NewPreferences' }),
    reply: userPreferences,
    errors: ['version_conflict', 'forbidden'],
  }),
};
