import type { FileHandle } from 'node:fs/promises';
import {
  manifestName,
  sumsName,
  type EvidenceFile,
  type LeftOut,
  type EvidenceManifest,
} from '../../contract/evidence.ts';
import type { SettingsFields } from '../../contract/settings.ts';
import type { ServerWords } from '../../contract/texts/serverWords.ts';
import type { User } from '../../contract/users.ts';
import type { Store } from '../../store/operations.ts';
import type { PositionRow } from '../../store/telemetry/rows.ts';
import { simplifyTrack } from '../../telemetry/simplifyTrack.ts';
import {
  eventsOf,
  formatEvents,
  type SeenEvent,
  type PublishedEvent,
  drawnTrack,
  formatPositions,
  type Period,
} from './vehicleFiles.ts';
import type { NamePlaces } from '../../places/boundedPlaces.ts';
import type { PlannedClip, PlannedVehicle } from './evidencePlan.ts';
import type { EvidenceZip } from './evidenceZip.ts';
import { summaryHtml, type SummaryVehicle } from './summaryHtml.ts';
import { trackPicture } from './trackPicture.ts';
import { isoTime } from '../../telemetry/presentPosition.ts';

export interface EvidenceOrder {
  vehicles: readonly PlannedVehicle[];
  /** The open files of the clips. */
  handleOf: (clip: PlannedClip) => FileHandle;
  exporter: Pick<User, 'user_id' | 'login' | 'name'>;
  exported_ms: number;
  note: string | null;
  leftOut: readonly LeftOut[];
  /** What goes out besides the vehicles' files. */
  more: readonly { name: string; bytes: readonly (string | Buffer)[] }[];
}

export interface EvidenceDeps {
  store: Pick<Store, 'track' | 'events'>;
  seenEvent: SeenEvent;
  namePlaces: NamePlaces;
  settings: Pick<SettingsFields, 'depot_name' | 'timezone' | 'crossing_max_gap_s'>;
  app_version: string;
  /** Of whoever exports it. */
  words: ServerWords;
}

/** More points than this are not seen in a picture of that size. */
const picturePoints = 2_000;
/** A summary is read by people; the tables hold everything. */
const summaryEvents = 500;

/**
 * Writes all files of an export into the archive, the manifest and the checksums last, and ends it. Nothing is held
 * whole but one vehicle's sketch and the text of the summary. Throws what reading throws; the archive is then broken.
 */
export async function writeEvidence(
  order: EvidenceOrder,
  zip: EvidenceZip,
  deps: EvidenceDeps,
): Promise<void> {
  const { store, namePlaces, settings, app_version, words } = deps;
  const isLeftOut = (what: LeftOut['what']) => order.leftOut.some((it) => it.what === what);
  const files: EvidenceFile[] = [];
  const summaries: SummaryVehicle[] = [];
  const vehicles: { plan: PlannedVehicle; positions: number | null; events: number | null }[] = [];

  async function addClips({ clips }: PlannedVehicle): Promise<EvidenceFile[]> {
    const written: EvidenceFile[] = [];
    for (const clip of clips) {
      const stream = order.handleOf(clip).createReadStream({ start: 0, autoClose: false });
      written.push(await zip.add(clip.name, stream, 'stored'));
    }
    files.push(...written);
    return written;
  }

  async function addPositions(plan: PlannedVehicle): Promise<number> {
    let all = 0;
    for (const format of ['csv', 'geojson'] as const) {
      const positions = formatPositions(format, plan, store);
      files.push(await zip.add(`${plan.positionsName}.${format}`, positions.text, 'deflated'));
      all = Math.max(all, positions.count());
    }
    return all;
  }

  async function addEvents(plan: PlannedVehicle): Promise<number> {
    let all = 0;
    for (const format of ['csv', 'geojson'] as const) {
      const events = formatEvents(format, eventsOf(plan, deps));
      files.push(await zip.add(`${plan.eventsName}.${format}`, events.text, 'deflated'));
      all = events.count();
    }
    return all;
  }

  async function track(plan: PlannedVehicle): Promise<SummaryVehicle['track']> {
    const points: PositionRow[] = [];
    for await (const page of simplifyTrack(drawnTrack(plan, store), picturePoints)) points.push(...page);
    const shown = plan.clips.map(({ row }) => row);
    const picture = trackPicture({
      ...{ points, shown, words },
      unseen_ms: unseenMs(points, plan, settings.crossing_max_gap_s),
    });
    const [start, end] = await namePlaces([points.at(0) ?? null, points.at(-1) ?? null]);
    return { picture, start: start?.text ?? null, end: end?.text ?? null };
  }

  for (const { name, bytes } of order.more) files.push(await zip.add(name, bytes, 'deflated'));
  for (const plan of order.vehicles) {
    const clipFiles = await addClips(plan);
    const positions = isLeftOut('positions') ? null : await addPositions(plan);
    const events = isLeftOut('events') ? null : await addEvents(plan);
    vehicles.push({ plan, positions, events });
    summaries.push({
      plan,
      clipFiles,
      track: positions === null ? null : await track(plan),
      events:
        events === null
          ? null
          : { published: await firstOf(eventsOf(plan, deps), summaryEvents), all: events },
    });
  }

  const { exported_ms, exporter, note, leftOut } = order;
  const depot = { name: settings.depot_name, timezone: settings.timezone };
  const published = { depot, exported_ms, note, app_version, leftOut };
  const page = summaryHtml({
    ...published,
    words,
    exporter: exporter.name === null ? exporter.login : `${exporter.name} (${exporter.login})`,
    vehicles: summaries,
  });
  files.push(await zip.add('summary.html', [page], 'deflated'));
  const manifest = manifestOf({ ...published, exporter, vehicles, files });
  const manifestText = `${JSON.stringify(manifest, null, 2)}\n`;
  const manifestFile = await zip.add(manifestName, [manifestText], 'deflated');
  await zip.add(sumsName, [formatChecksums(files, manifestFile)], 'deflated');
  zip.end();
}

/** A long track is drawn from far fewer positions than it has: what lies between two of them was seen. */
function unseenMs(
  points: readonly PositionRow[],
  { from_ms, to_ms }: Period,
  crossing_max_gap_s: number,
): number {
  const apart_ms = points.length < picturePoints ? 0 : (4 * (to_ms - from_ms)) / picturePoints;
  return Math.max(crossing_max_gap_s * 1_000, apart_ms);
}

async function firstOf(events: AsyncIterable<PublishedEvent>, max: number): Promise<PublishedEvent[]> {
  const first: PublishedEvent[] = [];
  for await (const event of events) {
    first.push(event);
    if (first.length >= max) break;
  }
  return first;
}

interface ManifestDeps {
  app_version: string;
  exported_ms: number;
  exporter: Pick<User, 'user_id' | 'login' | 'name'>;
  depot: { name: string; timezone: string };
  note: string | null;
  leftOut: readonly LeftOut[];
  vehicles: readonly { plan: PlannedVehicle; positions: number | null; events: number | null }[];
  files: readonly EvidenceFile[];
}

function manifestOf(deps: ManifestDeps): EvidenceManifest {
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
function formatChecksums(files: readonly EvidenceFile[], manifest: EvidenceFile): string {
  return [...files, { ...manifest, name: manifestName }]
    .map(({ name, sha256 }) => `${sha256} *${name}\n`)
    .join('');
}
