import { z } from 'zod';
import { causes } from './causes.ts';
import { time } from './fields.ts';
import { route } from './route.ts';

const tag = 'Service';

export const backups = z
  .object({
    folder: z
      .string()
      .meta({ description: 'the folder on the server that holds them; empty when none is set' }),
    running: z
      .object({ started_at: time, fraction: z.number().min(0).max(1) })
      .nullable()
      .meta({ description: 'the one that is being made' }),
    failure: z
      .object({ at: time, detail: z.string(), causes })
      .nullable()
      .meta({ description: 'why the last one was not made; null when it was' }),
    secrets_kept_by: z.string().nullable().meta({
      description:
        'what keeps the key of the passwords in backups, which only the same user of the same computer can read; null: backups have them as text',
    }),
    overdue: z
      .string()
      .nullable()
      .meta({ description: 'why the daily backup is overdue; null when it is not' }),
    overdue_causes: causes,
    backups: z.array(
      z
        .object({ name: z.string(), created_at: time, bytes: z.int(), clips: z.boolean() })
        .meta({ id: 'Backup' }),
    ),
  })
  .meta({ id: 'Backups' });
export type Backups = z.infer<typeof backups>;

export const backupRoutes = {
  list: route({
    id: 'listBackups',
    tag,
    method: 'GET',
    path: '/api/v1/backups',
    summary: 'List the backups of the depot, newest first',
    access: 'dealer',
    reply: backups,
  }),
  start: route({
    id: 'startBackup',
    tag,
    method: 'POST',
    path: '/api/v1/backups',
    summary: 'Start a backup into the backup folder of the settings',
    access: 'dealer',
    body: z
      .strictObject({
        clips: z
          .boolean()
          .optional()
          .meta({ description: 'whether it holds video clips; by default as the settings say' }),
      })
      .meta({ id: 'NewBackup' }),
    reply: backups,
    errors: ['in_use', 'unavailable'],
  }),
};
