import { z } from 'zod';
import {
  id,
  listQuery,
  mergePatchOf,
  oneOrMany,
  page,
  shortText,
  stamps,
  terminalId,
  time,
} from './fields.ts';
import { route } from './route.ts';

const tag = 'Video';
const base = '/service/vsvc/api';

const profileKind = z.enum(['http', 'simulated']);

const channels = z
  .array(z.strictObject({ channel: z.int().min(1).max(255), name: shortText }))
  .min(1)
  .max(32)
  .refine((list) => new Set(list.map((it) => it.channel)).size === list.length, 'names a channel twice');

const placeholders = /\{(channel|from|to|from_unix|to_unix)\}/g;
const cameraUrl = z
  .string()
  .max(2_000)
  .regex(/^https?:\/\/[^/?#@\s]+([/?#]\S*)?$/, 'is not an http or https address without credentials in it')
  .refine((text) => !/[{}]/.test(text.replaceAll(placeholders, '')), 'has a placeholder that is not known');

export const httpConnection = z
  .strictObject({
    url: cameraUrl,
    auth: z.enum(['none', 'basic', 'digest', 'bearer']).optional(),
    username: z.string().max(200).optional(),
    password: z.string().max(2_000).optional(),
  })
  .meta({ id: 'HttpConnection' });

/** By kind: `http` needs its address, the simulated camera nothing. */
const connection = z.union([httpConnection, z.strictObject({})]);

const fields = {
  terminal_id: terminalId.optional(),
  vehicle_id: id.optional(),
  name: shortText.nullable().default(null),
  kind: profileKind,
  channels,
  connection: connection.default({}),
};

export const newProfile = z.strictObject(fields).meta({ id: 'NewVideoProfile' });
export type NewProfile = z.infer<typeof newProfile>;
export const profilePatch = mergePatchOf({ name: fields.name, channels, connection }).meta({
  id: 'VideoProfilePatch',
});
export type ProfilePatch = z.infer<typeof profilePatch>;

export const profile = z
  .object({
    profile_id: id,
    vehicle_id: id,
    terminal_id: z.string(),
    name: z.string().nullable(),
    kind: profileKind,
    channels: z.array(z.object({ channel: z.int(), name: z.string() })),
    connection: z.object({
      url: z.string().optional(),
      auth: z.enum(['none', 'basic', 'digest', 'bearer']).optional(),
      username: z.string().optional(),
      has_password: z.boolean().optional(),
    }),
    ...stamps,
  })
  .meta({ id: 'VideoProfile' });
export type Profile = z.infer<typeof profile>;

export const taskStatus = z.enum([
  'queued',
  'waiting',
  'downloading',
  'processing',
  'done',
  'failed',
  'cancelled',
  'expired',
]);
export type TaskStatus = z.infer<typeof taskStatus>;

export const taskErrorCode = z.enum([
  'terminal_offline',
  'terminal_refused',
  'no_recording',
  'bad_media',
  'disk_full',
  'file_missing',
  'interrupted',
  'internal',
]);
export type TaskErrorCode = z.infer<typeof taskErrorCode>;

/** The rules between the fields (order, length, future) need the clock and the settings: the video domain holds them. */
const taskFields = { channel: z.int().min(1).max(255), from: time, to: time };

export const newTask = z
  .strictObject({ profile_id: id, ...taskFields, event_id: id.nullable().default(null) })
  .meta({ id: 'NewVideoTask' });
export type NewTask = z.infer<typeof newTask>;
export const taskPatch = mergePatchOf(taskFields).meta({ id: 'VideoTaskPatch' });
export type TaskPatch = z.infer<typeof taskPatch>;

export const task = z
  .object({
    task_id: id,
    profile_id: id,
    vehicle_id: id,
    terminal_id: z.string(),
    channel: z.int(),
    from: time,
    to: time,
    event_id: id.nullable(),
    status: taskStatus,
    progress: z.number().min(0).max(1),
    attempts: z.int(),
    error: z.object({ code: taskErrorCode, detail: z.string() }).nullable(),
    file: z
      .object({
        size_bytes: z.int(),
        duration_s: z.number(),
        content_type: z.string(),
        sha256: z.string(),
        width: z.int(),
        height: z.int(),
      })
      .nullable(),
    created_by: id,
    done_at: time.nullable(),
    expires_at: time.nullable(),
    ...stamps,
  })
  .meta({ id: 'VideoTask' });
export type Task = z.infer<typeof task>;

const read = { right: 'video', level: 'read' } as const;
const write = { right: 'video', level: 'write' } as const;
const profileParams = z.object({ profile_id: id });
const taskParams = z.object({ task_id: id });

export const videoRoutes = {
  profiles: route({
    id: 'videoProfiles',
    tag,
    method: 'GET',
    path: `${base}/profiles`,
    access: read,
    summary: 'The video profile of a terminal ID; without one, the list of those visible',
    query: z.strictObject({ ...listQuery, terminal_id: z.string().max(64).optional() }),
    reply: z.union([profile, page(profile)]),
    errors: ['not_found'],
  }),
  createProfile: route({
    id: 'createVideoProfile',
    tag,
    method: 'POST',
    path: `${base}/profiles`,
    summary: 'Give a vehicle its cameras',
    access: 'dealer',
    body: newProfile,
    reply: profile,
    status: 201,
    errors: ['already_exists', 'not_found'],
  }),
  getProfile: route({
    id: 'getVideoProfile',
    tag,
    method: 'GET',
    path: `${base}/profiles/{profile_id}`,
    summary: 'One video profile',
    access: 'dealer',
    params: profileParams,
    reply: profile,
    errors: ['not_found'],
  }),
  patchProfile: route({
    id: 'patchVideoProfile',
    tag,
    method: 'PATCH',
    path: `${base}/profiles/{profile_id}`,
    summary: 'Change a video profile',
    access: 'dealer',
    versioned: true,
    params: profileParams,
    body: profilePatch,
    reply: profile,
    errors: ['not_found', 'version_conflict'],
  }),
  removeProfile: route({
    id: 'deleteVideoProfile',
    tag,
    method: 'DELETE',
    path: `${base}/profiles/{profile_id}`,
    versioned: true,
    summary: 'Delete a video profile; its unfinished tasks are cancelled, files stay',
    access: 'dealer',
    params: profileParams,
    errors: ['not_found', 'version_conflict'],
  }),
  tasks: route({
    id: 'listVideoTasks',
    tag,
    method: 'GET',
    path: `${base}/tasks`,
    summary: 'Visible tasks, newest first',
    access: read,
    query: z.strictObject({
      ...listQuery,
      status: oneOrMany(taskStatus).optional(),
      terminal_id: z.string().max(64).optional(),
      from: time.optional(),
      to: time.optional(),
    }),
    reply: page(task),
  }),
  createTask: route({
    id: 'createVideoTask',
    tag,
    method: 'POST',
    path: `${base}/tasks`,
    summary: 'Order a fragment of video',
    access: write,
    idempotent: true,
    body: newTask,
    reply: task,
    status: 201,
    errors: ['not_found'],
  }),
  getTask: route({
    id: 'getVideoTask',
    tag,
    method: 'GET',
    path: `${base}/tasks/{task_id}`,
    access: read,
    summary: 'One task; with `wait` answered when its status changes or after that many seconds',
    params: taskParams,
    query: z.strictObject({ wait: z.coerce.number().min(0).max(60).optional() }),
    reply: task,
    errors: ['not_found'],
  }),
  patchTask: route({
    id: 'patchVideoTask',
    tag,
    method: 'PATCH',
    path: `${base}/tasks/{task_id}`,
    access: write,
    versioned: true,
    summary: 'Change what is asked for, while nothing was fetched yet',
    params: taskParams,
    body: taskPatch,
    reply: task,
    errors: ['not_found', 'in_use', 'version_conflict'],
  }),
  removeTask: route({
    id: 'deleteVideoTask',
    tag,
    method: 'DELETE',
    path: `${base}/tasks/{task_id}`,
    access: write,
    versioned: true,
    summary: 'Cancel a task, or delete the file of a finished one',
    params: taskParams,
    reply: task,
    status: 200,
    errors: ['not_found', 'version_conflict'],
  }),
  retryTask: route({
    id: 'retryVideoTask',
    tag,
    method: 'POST',
    path: `${base}/tasks/{task_id}/retry`,
    access: write,
    summary: 'Try a failed, cancelled or expired task again',
    params: taskParams,
    reply: task,
    errors: ['not_found', 'in_use'],
  }),
  file: route({
    id: 'videoTaskFile',
    tag,
    method: 'GET',
    path: `${base}/tasks/file/{task_id}`,
    access: read,
    params: taskParams,
    summary: 'The video file of a task that is done',
    bytes: { contentTypes: ['video/mp4'] },
    errors: ['not_found', 'task_not_done', 'file_expired', 'file_missing', 'range_not_satisfiable'],
  }),
};
