import {
  manifestName,
  type EvidenceFile,
  type EvidenceManifest,
  type LeftOut,
} from '../../contract/evidence.ts';
import type { User } from '../../contract/users.ts';
import { isoTime } from '../../telemetry/presentPosition.ts';
import type { PlannedVehicle } from './evidencePlan.ts';

export interface ManifestDeps {
  app_version: string;
  exported_ms: number;
  exporter: Pick<User, 'user_id' | 'login' | 'name'>;
  depot: { name: string; timezone: string };
  note: string | null;
  leftOut: readonly LeftOut[];
  vehicles: readonly { plan: PlannedVehicle; positions: number | null; events: number | null }[];
  files: readonly EvidenceFile[];
}

export function manifestOf(deps: ManifestDeps): EvidenceManifest {
  const { user_id, login, name } = deps.exporter;
  return {
    format: 'fleetdeck-evidence',
    format_version: 1,
    app_version: deps.app_version,
    exported_at: isoTime(deps.exported_ms),
    exported_by: { user_id, login, name },
    depot: deps.depot,
    note: deps.note,
    left_out: [...deps.leftOut],
    vehicles: deps.vehicles.map(({ plan, positions, events }) => ({
      vehicle_id: plan.vehicle_id,
      terminal_id: plan.terminal_id,
      name: plan.name,
      plate: plan.plate,
      from: isoTime(plan.from_ms),
      to: isoTime(plan.to_ms),
      positions,
      events,
    })),
    clips: deps.vehicles.flatMap(({ plan }) => plan.clips.map(clipOf)),
    files: [...deps.files],
  };
}

function clipOf({ row, file, name, channel_name }: PlannedVehicle['clips'][number]) {
  return {
    file: name,
    task_id: row.task_id,
    vehicle_id: row.vehicle_id,
    channel: row.channel,
    channel_name,
    from: isoTime(row.from_ms),
    to: isoTime(row.to_ms),
    fetched_at: row.done_ms === null ? null : isoTime(row.done_ms),
    duration_s: file.duration_s,
    width: file.width,
    height: file.height,
    sha256_when_fetched: file.sha256,
  };
}

/** As `sha256sum --binary` writes it: names of ours hold no line break and no backslash, so nothing is escaped. */
export function sumsText(files: readonly EvidenceFile[], manifest: EvidenceFile): string {
  return [...files, { ...manifest, name: manifestName }]
    .map(({ name, sha256 }) => `${sha256} *${name}\n`)
    .join('');
}
