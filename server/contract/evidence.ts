import { z } from 'zod';
import { id, time } from './fields.ts';

/** What an evidence export holds besides its files: written by the video domain, checked by the `verify` command. */
export const manifestName = 'manifest.json';
/** The checksums as `sha256sum --check` reads them; the manifest's own stands here alone. */
export const sumsName = 'manifest.sha256';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'is not a SHA-256 in lower-case hex');

const file = z.object({ name: z.string(), size_bytes: z.int().min(0), sha256 });
export type EvidenceFile = z.infer<typeof file>;

/** Why something that belongs to the period is not there. */
const leftOut = z.object({ what: z.enum(['positions', 'events', 'clips', 'snapshots']), reason: z.string() });
export type LeftOut = z.infer<typeof leftOut>;

export const evidenceManifest = z.object({
  format: z.literal('fleetdeck-evidence'),
  format_version: z.literal(1),
  app_version: z.string(),
  exported_at: time,
  exported_by: z.object({ user_id: id, login: z.string(), name: z.string().nullable() }),
  depot: z.object({ name: z.string(), timezone: z.string() }),
  note: z.string().nullable(),
  left_out: z.array(leftOut),
  vehicles: z.array(
    z.object({
      vehicle_id: id,
      terminal_id: z.string(),
      name: z.string(),
      plate: z.string().nullable(),
      from: time,
      to: time,
      positions: z.int().nullable(),
      events: z.int().nullable(),
    }),
  ),
  clips: z.array(
    z.object({
      file: z.string(),
      task_id: id,
      vehicle_id: id,
      channel: z.int(),
      channel_name: z.string().nullable(),
      from: time,
      to: time,
      fetched_at: time.nullable(),
      duration_s: z.number(),
      width: z.int(),
      height: z.int(),
      sha256_when_fetched: sha256,
    }),
  ),
  /** Every file but the manifest and the checksums. */
  files: z.array(file),
});
export type EvidenceManifest = z.infer<typeof evidenceManifest>;
