import { z } from 'zod';
import { bulkResult } from './bulk.ts';
import { id, listQuery, mergePatchOf, oneOrMany, page, stamps, time } from './fields.ts';
import { periodError } from './preview.ts';
import { route } from './route.ts';
import { newProfile, profile, profilePatch, streamKind } from './videoProfiles.ts';

const tag = 'Video';
const base = '/service/vsvc/api';

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

/**
 * The rules between the fields (order, length, future) need the clock and the settings: the video domain holds them.
 */
const taskFields = {
  channel: z.int().min(1).max(255),
  from: time,
  to: time,
  important: z.boolean().default(false).meta({ description: 'its file is kept until somebody deletes it' }),
};

export const newTask = z
  .strictObject({
    profile_id: id,
    ...taskFields,
    event_id: id.nullable().default(null),
    stream: streamKind.nullable().default(null).meta({
      description: "which of a terminal's two streams; null: the profile's",
    }),
    sub_stream_first: z.boolean().default(false).meta({
      description:
        'if the terminal may have both streams and none is chosen: the task fetches the sub-stream, and a second task, named by `main_task_id`, the main stream after it',
    }),
  })
  .meta({ id: 'NewVideoTask' });
export type NewTask = z.infer<typeof newTask>;
/** Vehicles of one order: all their channels in both streams may be more tasks than a user may have. */
export const maxVehiclesOfOrder = 100;
const newTasksOfVehicles = z
  .strictObject({
    vehicle_ids: z.array(id).min(1).max(maxVehiclesOfOrder),
    channels: z
      .array(taskFields.channel)
      .min(1)
      .max(32)
      .nullable()
      .default(null)
      .meta({ description: 'those of them that a vehicle has; null: all of its channels' }),
    from: time,
    to: time,
    important: taskFields.important,
    sub_stream_first: z.boolean().default(false).meta({ description: 'as for one task' }),
  })
  .meta({ id: 'NewVideoTasksOfVehicles' });

const tasksOfVehicles = bulkResult
  .extend({
    without_cameras: z.array(id),
    tasks: z.int().meta({ description: 'how many tasks were made' }),
  })
  .meta({ id: 'VideoTasksOfVehicles' });
export type TasksOfVehicles = z.infer<typeof tasksOfVehicles>;

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
    stream: streamKind.nullable().meta({ description: 'null: that of the profile' }),
    main_task_id: id.nullable().meta({
      description: 'the task that fetches the main stream after this one',
    }),
    status: taskStatus,
    important: z.boolean(),
    progress: z.number().min(0).max(1),
    received_bytes: z.int().nullable().meta({ description: 'while it is downloaded' }),
    total_bytes: z.int().nullable().meta({ description: 'if the terminal announces the size' }),
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
        starts_at: time.nullable().meta({
          description:
            'when its first frame was recorded, which may be before or after `from`; null if the terminal does not report it',
        }),
      })
      .nullable(),
    created_by: id,
    rule_id: id
      .nullable()
      .meta({ description: 'the rule that requested it automatically, if the caller may see it' }),
    done_at: time.nullable(),
    expires_at: time.nullable(),
    ...stamps,
  })
  .meta({ id: 'VideoTask' });
export type Task = z.infer<typeof task>;

/** What a terminal says it still has. */
export const recording = z
  .object({
    channel: z.int(),
    from: time,
    to: time,
    stream: streamKind.nullable().meta({ description: 'null if it does not say' }),
    size_bytes: z.int().nullable(),
    alarm: z.boolean(),
  })
  .meta({ id: 'VideoRecording' });
export type Recording = z.infer<typeof recording>;

export const recordings = z
  .object({
    supported: z.boolean().meta({ description: 'false if this kind of camera has no such list' }),
    items: z.array(recording).meta({ description: 'by channel, oldest first' }),
    asked_at: time,
  })
  .meta({ id: 'VideoRecordings' });
export type Recordings = z.infer<typeof recordings>;

/** Access log of a video: downloads of its file and evidence exports. */
export const access = z
  .object({
    user_id: id,
    login: z.string().nullable().meta({ description: 'null once the user is deleted' }),
    action: z.enum(['read', 'exported']),
    at: time,
  })
  .meta({ id: 'VideoAccess' });
export type Access = z.infer<typeof access>;

/** Files in one evidence export. */
export const maxEvidence = 32;

const read = { right: 'video', level: 'read' } as const;
const write = { right: 'video', level: 'write' } as const;
const profileParams = z.object({ profile_id: id });
const taskParams = z.object({ task_id: id });

export const videoRoutes = {
  profiles: route({
    id: 'listVideoProfiles',
    tag,
    method: 'GET',
    path: `${base}/profiles`,
    access: read,
    summary: 'Get the video profile of a terminal ID; without one, list the visible profiles',
    query: z.strictObject({ ...listQuery, terminal_id: z.string().max(64).optional() }),
    reply: z.union([profile, page(profile)]),
    errors: ['not_found'],
  }),
  createProfile: route({
    id: 'createVideoProfile',
    tag,
    method: 'POST',
    path: `${base}/profiles`,
    summary: 'Add a video profile',
    access: 'dealer',
    body: newProfile,
    reply: profile,
    status: 201,
    errors: ['already_exists', 'not_found', 'quota_exceeded'],
  }),
  getProfile: route({
    id: 'getVideoProfile',
    tag,
    method: 'GET',
    path: `${base}/profiles/{profile_id}`,
    summary: 'Get a video profile',
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
  recordings: route({
    id: 'listVideoRecordings',
    tag,
    method: 'GET',
    path: `${base}/profiles/{profile_id}/recordings`,
    summary: 'Ask the terminal for its recordings in a period of up to a day',
    access: read,
    params: profileParams,
    query: z
      .strictObject({ from: time, to: time, channel: z.coerce.number().int().min(1).max(255).optional() })
      .check(periodError(1)),
    reply: recordings,
    errors: ['not_found', 'terminal_offline', 'terminal_refused'],
  }),
  tasks: route({
    id: 'listVideoTasks',
    tag,
    method: 'GET',
    path: `${base}/tasks`,
    summary: 'List visible tasks, newest first',
    access: read,
    query: z.strictObject({
      ...listQuery,
      status: oneOrMany(taskStatus).optional(),
      terminal_id: z.string().max(64).optional(),
      event_id: id.optional(),
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
    summary: 'Request a clip',
    access: write,
    idempotent: true,
    body: newTask,
    reply: task,
    status: 201,
    errors: ['not_found', 'queue_full'],
  }),
  createTasks: route({
    id: 'createVideoTasks',
    tag,
    method: 'POST',
    path: `${base}/tasks/vehicles`,
    summary: `Request clips of one period from up to ${maxVehiclesOfOrder} vehicles`,
    access: write,
    idempotent: true,
    body: newTasksOfVehicles,
    reply: tasksOfVehicles,
  }),
  getTask: route({
    id: 'getVideoTask',
    tag,
    method: 'GET',
    path: `${base}/tasks/{task_id}`,
    access: read,
    summary: 'Get a task; with `wait`, when its status changes or after that many seconds',
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
    summary: 'Change the request while nothing was fetched yet; `important` at any time',
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
    errors: ['not_found', 'in_use', 'queue_full'],
  }),
  access: route({
    id: 'listVideoTaskAccess',
    tag,
    method: 'GET',
    path: `${base}/tasks/{task_id}/access`,
    access: read,
    params: taskParams,
    summary: 'List who downloaded or exported the video of a task, newest first',
    reply: z.object({ items: z.array(access) }),
    errors: ['not_found'],
  }),
  evidence: route({
    id: 'exportVideoEvidence',
    tag,
    method: 'GET',
    path: `${base}/evidence`,
    access: read,
    summary: 'Export original videos with track, events and a manifest of checksums as a ZIP',
    query: z.strictObject({
      tasks: oneOrMany(id).check(z.minLength(1), z.maxLength(maxEvidence)),
      note: z.string().max(2_000).optional(),
    }),
    exports: true,
    bytes: { contentTypes: ['application/zip'] },
    errors: ['not_found', 'task_not_done', 'file_expired', 'file_missing'],
  }),
  file: route({
    id: 'getVideoTaskFile',
    tag,
    method: 'GET',
    path: `${base}/tasks/file/{task_id}`,
    access: read,
    params: taskParams,
    summary: 'Download the video file of a finished task',
    bytes: { contentTypes: ['video/mp4'] },
    errors: ['not_found', 'task_not_done', 'file_expired', 'file_missing', 'range_not_satisfiable'],
  }),
};
