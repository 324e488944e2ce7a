import { readFile } from 'node:fs/promises';
import type { Clock } from '../clock.ts';
import type { LeftOut } from '../contract/evidence.ts';
import { incidentRoutes, type Incident, type IncidentEntry } from '../contract/incidents.ts';
import type { ProblemCode } from '../contract/problem.ts';
import type { SettingsFields } from '../contract/settings.ts';
import { createServerWords, type ServerWords } from '../contract/texts/serverWords.ts';
import type { Api } from '../http/api.ts';
import { ApiError, ofWork } from '../http/apiError.ts';
import { createLines } from '../http/lines.ts';
import { hangUpOf } from '../http/requestContext.ts';
import { holds as hasRight, type Viewer } from '../http/viewer.ts';
import type { Maps } from '../maps/maps.ts';
import { formatAlarm } from '../notifications/channels/formatAlarm.ts';
import type { Sight } from '../notifications/sight.ts';
import { createPdfLine } from '../reports/export/pdfLine.ts';
import type { TrackPoint } from '../reports/export/pdfMap.ts';
import { errorCode } from '../store/documents/Files.ts';
import type { Store } from '../store/operations.ts';
import type { IncidentRow } from '../store/telemetry/incidentRows.ts';
import type { TaskRow } from '../store/telemetry/rows.ts';
import { simplifyTrack } from '../telemetry/simplifyTrack.ts';
import { wordingOf } from '../users/userRecord.ts';
import type { Users } from '../users/users.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';
import { doneFile, fileTime } from '../video/doneFile.ts';
import { uniqueNames, type DoneTask } from '../video/evidence/evidencePlan.ts';
import type { SendEvidence } from '../video/evidence/sendEvidence.ts';
import { drawnTrack } from '../video/evidence/vehicleFiles.ts';
import { WorkFailed } from '../workerChannel.ts';
import type { IncidentPdfOrder } from './incidentPdf.ts';
import type { Incidents } from './incidents.ts';
import type { IncidentSight } from './presentIncident.ts';
import type { SnapshotFiles } from './snapshotFiles.ts';

export interface IncidentExportDeps {
  incidents: Pick<Incidents, 'find'>;
  incidentSight: Pick<IncidentSight, 'seenBy' | 'entries'>;
  store: Pick<Store, 'incidentEntries' | 'notificationsById' | 'track'>;
  vehicles: Pick<Vehicles, 'get' | 'sees'>;
  users: Pick<Users, 'get'>;
  sight: Pick<Sight, 'geofenceName'>;
  /** Throws 404. */
  findTask: (taskId: string, viewer: Viewer) => Promise<TaskRow>;
  sendEvidence: SendEvidence;
  snapshots: Pick<SnapshotFiles, 'path'>;
  incidentPdf: ReturnType<typeof createIncidentPdfLine>;
  maps: Pick<Maps, 'streetFiles'>;
  settings: () => SettingsFields;
  clock: Pick<Clock, 'now'>;
}

/** Draws incidents. */
export const createIncidentPdfLine = () =>
  createPdfLine<IncidentPdfOrder>(import.meta.url, 'incidentPdf.worker');

const entriesAtOnce = 500;
/** More of a track are not seen on paper. */
const mapPoints = 2_000;
/** An alarm that repeats for weeks has a track of weeks: drawn is what lies so close to the first moment. */
const mapAroundMs = 12 * 3_600_000;

/** An incident as PDF, and as evidence: with its clips, the track and events of its vehicle, and a manifest. */
export function addIncidentExportRoutes(api: Api, deps: IncidentExportDeps): void {
  const { incidents, incidentSight, snapshots, store, vehicles, users, settings, clock } = deps;
  /** Of one user one at a time: each reads a timeline and a track. */
  const lines = createLines();

  const vehicleName = (id: string | null): string => (id === null ? null : vehicles.get(id)?.name) ?? '';
  const userName = (id: string): string => {
    const user = users.get(id);
    return user?.name ?? user?.login ?? '';
  };

  async function entriesOf(incident_id: string, viewer: Viewer): Promise<IncidentEntry[]> {
    const entries: IncidentEntry[] = [];
    for (let before: number | null = null, more = true; more;) {
      const rows = await store.incidentEntries({ incident_id, limit: entriesAtOnce, before });
      entries.push(...incidentSight.entries(rows, viewer));
      before = rows.at(-1)?.entry_id ?? null;
      more = rows.length === entriesAtOnce;
    }
    return entries.reverse();
  }

  async function trackOf({ vehicle_id, from_ms, to_ms, time_ms }: IncidentRow): Promise<TrackPoint[]> {
    const points: TrackPoint[] = [];
    if (vehicle_id === null) return points;
    const period = {
      vehicle_id,
      from_ms: Math.max(from_ms, time_ms - mapAroundMs),
      to_ms: Math.min(to_ms, time_ms + mapAroundMs),
    };
    for await (const page of simplifyTrack(drawnTrack(period, store), mapPoints))
      for (const { time_ms, lat, lon } of page) points.push({ time_ms, lat, lon });
    return points;
  }

  /** As they go into an archive; says of those whose files are not there that they are left out. */
  async function filesOf(shown: Incident['snapshots'], leftOut: LeftOut[], { say }: ServerWords) {
    const unique = uniqueNames();
    const files: { name: string; bytes: Buffer[] }[] = [];
    for (const { snapshot_id, kind, time, channel } of shown) {
      const bytes = await readFile(snapshots.path(snapshot_id)).catch((error: unknown) => {
        if (errorCode(error) !== 'ENOENT') throw error;
        leftOut.push({ what: 'snapshots', reason: `${snapshot_id}: ${say('reason.file_missing')}` });
        return null;
      });
      if (bytes === null) continue;
      const what = channel === null ? kind : `channel ${channel}`;
      files.push({ name: unique(`snapshots/${fileTime(Date.parse(time))} ${what}.jpg`), bytes: [bytes] });
    }
    return files;
  }

  async function clipsOf(task_ids: readonly string[], viewer: Viewer): Promise<TaskRow[]> {
    const rows: TaskRow[] = [];
    for (const id of task_ids) {
      // One that was deleted meanwhile, or went to a group of others, is not there.
      const row = await deps.findTask(id, viewer).catch(orNull);
      if (row !== null) rows.push(row);
    }
    return rows;
  }

  /** What the viewer sees of an incident, in the viewer's words, as it is written. */
  async function gather(row: IncidentRow, viewer: Viewer, tz: string | undefined) {
    const { crossing_max_gap_s, depot_name, timezone } = settings();
    const wording = wordingOf(users.get(viewer.user.user_id));
    const words = createServerWords(wording);
    const incident = incidentSight.seenBy(row, viewer);
    const entries = await entriesOf(row.incident_id, viewer);
    const seesVehicles = hasRight(viewer, 'vehicles', 'read');
    const vehicle = row.vehicle_id === null ? undefined : vehicles.get(row.vehicle_id);
    const alarms = await store.notificationsById(incident.notification_ids);
    const clips = await clipsOf(incident.task_ids, viewer);
    const order: IncidentPdfOrder = {
      incident,
      entries,
      wording,
      depot_name,
      vehicle:
        vehicle === undefined
          ? null
          : {
              name: vehicle.name,
              plate: seesVehicles ? vehicle.plate : null,
              terminal_id: seesVehicles ? vehicle.terminal_id : '',
            },
      alarms: alarms.map((it) => ({
        severity: it.severity,
        rule_name: it.rule_name,
        count: it.count,
        first_ms: it.first_ms,
        vehicle_name: vehicleName(it.vehicle_id),
        what: formatAlarm(it, deps.sight.geofenceName(it.geozone_id, viewer) ?? '', words),
        acknowledged: it.ack === null ? null : { name: userName(it.ack.user_id), at_ms: it.ack.at_ms },
      })),
      clips: clips.map(({ vehicle_id, channel, from_ms, to_ms, status, file }) => ({
        channel,
        from_ms,
        to_ms,
        status,
        vehicle_name: vehicleName(vehicle_id),
        sha256: file?.sha256 ?? null,
      })),
      snapshots: incident.snapshots.map(({ kind, time, channel, note, snapshot_id, vehicle_id }) => ({
        kind,
        time,
        channel,
        note,
        vehicle_name: vehicleName(vehicle_id),
        path: snapshots.path(snapshot_id),
      })),
      track: seesVehicles ? await trackOf(row) : null,
      gap_ms: crossing_max_gap_s * 1_000,
      maps: deps.maps.streetFiles(),
      tz: tz ?? timezone,
      now_ms: clock.now(),
    };
    return { order, clips, words };
  }

  /** @throws ApiError 404; 429 `queue_full` */
  async function drawn(incidentId: string, viewer: Viewer, tz: string | undefined, signal: AbortSignal) {
    const row = await incidents.find(incidentId, viewer);
    const leave = await lines.enter(viewer.user.user_id);
    try {
      const { order, clips, words } = await gather(row, viewer, tz);
      const ask = { user_id: viewer.user.user_id, signal };
      const pdf = Buffer.concat(await deps.incidentPdf.run(() => order, ask));
      return { row, ...order, clips, pdf, words };
    } catch (error) {
      throw (error instanceof WorkFailed && ofWork(error)) || error;
    } finally {
      leave();
    }
  }

  api.handle(incidentRoutes.pdf, async ({ params, query, viewer, response, holds }) => {
    const { row, pdf } = await drawn(params.incident_id, viewer, query.tz, hangUpOf(response));
    holds(pdf.length);
    response.attachment(`incident_${row.number}.pdf`).type('application/pdf').send(pdf);
  });

  api.handle(incidentRoutes.evidence, async ({ params, query, ...call }) => {
    const { viewer, response, holds } = call;
    const { row, pdf, words, ...rest } = await drawn(
      params.incident_id,
      viewer,
      query.tz,
      hangUpOf(response),
    );
    const json = Buffer.from(
      `${JSON.stringify({ ...rest.incident, timeline: rest.entries }, null, 2)}\n`,
      'utf8',
    );
    const shown = rest.incident.snapshots;
    holds(shown.reduce((sum, it) => sum + it.size_bytes, pdf.length + json.length));
    const { clips, leftOut } = fetched(rest.clips, words);
    const pictures = await filesOf(shown, leftOut, words);
    if (shown.length < row.snapshots.length)
      leftOut.push({ what: 'snapshots', reason: words.say('summary.no_right.snapshots') });
    if (!hasRight(viewer, 'video', 'read') && row.clips.length > 0)
      leftOut.push({ what: 'clips', reason: words.say('summary.no_right.video') });
    const { vehicle_id, from_ms, to_ms } = row;
    await deps.sendEvidence({
      ...call,
      clips,
      leftOut,
      title: `${words.say('pdf.audit_kind.incident')} ${row.number}`,
      periods: vehicle_id === null ? [] : [{ vehicle_id, from_ms, to_ms }],
      more: [{ name: 'incident.json', bytes: [json] }, { name: 'incident.pdf', bytes: [pdf] }, ...pictures],
      note: query.note,
    });
  });
}

const whyNot: Partial<Record<ProblemCode, 'summary.clip_expired' | 'reason.file_missing'>> = {
  file_expired: 'summary.clip_expired',
  file_missing: 'reason.file_missing',
};

/** Those whose files are there, and why others go without. */
function fetched(rows: readonly TaskRow[], { say }: ServerWords): { clips: DoneTask[]; leftOut: LeftOut[] } {
  const clips: DoneTask[] = [];
  const leftOut: LeftOut[] = [];
  for (const row of rows) {
    try {
      clips.push({ row, ...doneFile(row) });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      leftOut.push({
        what: 'clips',
        reason: `${row.task_id}: ${say(whyNot[error.code] ?? 'summary.clip_not_done')}`,
      });
    }
  }
  return { clips, leftOut };
}

function orNull(error: unknown): null {
  if (error instanceof ApiError && error.code === 'not_found') return null;
  throw error;
}
