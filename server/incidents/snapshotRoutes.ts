import { causeOf } from '../contract/causeTexts.ts';
import { createHash, randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { incidentRoutes, type IncidentSnapshot } from '../contract/incidents.ts';
import { snapshotRoutes } from '../contract/incidentSnapshots.ts';
import { incidentBounds } from '../contract/quotas.ts';
import type { SettingsFields } from '../contract/settings.ts';
import type { Api } from '../http/api.ts';
import { ApiError, forbidden, invalid, notFound } from '../http/apiError.ts';
import { holds as hasRight, isDealer, type Viewer } from '../http/viewer.ts';
import type { Once } from '../store/acts.ts';
import type { IncidentRow, SnapshotRow } from '../store/telemetry/incidentRows.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';
import { fileTime } from '../video/doneFile.ts';
import { sendVideo } from '../video/sendVideo.ts';
import type { Incidents } from './incidents.ts';
import { jpegSize } from './jpegSize.ts';
import type { IncidentSight } from './presentIncident.ts';
import type { SnapshotFiles } from './snapshotFiles.ts';

export interface SnapshotRouteDeps {
  incidents: Pick<Incidents, 'find' | 'change' | 'erasures'>;
  sight: Pick<IncidentSight, 'seenBy' | 'seesSnapshot' | 'snapshotOf'>;
  snapshots: SnapshotFiles;
  vehicles: Pick<Vehicles, 'find'>;
  settings: () => Pick<SettingsFields, 'max_future_s'>;
  clock: Pick<Clock, 'now'>;
}

/** Pictures that people attach to incidents. */
export function addSnapshotRoutes(api: Api, deps: SnapshotRouteDeps): void {
  const { incidents, sight, snapshots, vehicles, settings, clock } = deps;

  /** @throws ApiError 404, also for one that the viewer does not see */
  async function find(
    { incident_id, snapshot_id }: { incident_id: string; snapshot_id: string },
    viewer: Viewer,
  ): Promise<{ incident: IncidentRow; snapshot: SnapshotRow }> {
    const incident = await incidents.find(incident_id, viewer);
    const snapshot = incident.snapshots.find((it) => it.snapshot_id === snapshot_id);
    if (snapshot === undefined || !sight.seesSnapshot(viewer, snapshot)) throw notFound('snapshot');
    return { incident, snapshot };
  }

  api.handle(snapshotRoutes.attach, async ({ params, query, bytes, viewer, once }) => {
    const { incident_id } = params;
    const incident = await incidents.find(incident_id, viewer);
    const { kind, channel = null, note = null, shown_vehicle_ids = [] } = query;
    if (kind === 'video' && !hasRight(viewer, 'video', 'read'))
      throw forbidden(causeOf('right.missing', { right: 'video:read' }));
    const wanted = query.vehicle_id ?? incident.vehicle_id;
    const vehicle_id = wanted === null ? null : vehicles.find(wanted, viewer).vehicle_id;
    const shown = new Set(shown_vehicle_ids.map((it) => vehicles.find(it, viewer).vehicle_id));
    if (kind === 'video' && vehicle_id === null) throw invalid('vehicle_id', 'is needed for video');
    const time_ms = Date.parse(query.time);
    if (time_ms > clock.now() + settings().max_future_s * 1_000) throw invalid('time', 'is in the future');
    const size = checkedSize(bytes);
    const vehicle_ids = new Set(vehicle_id === null ? shown : [vehicle_id, ...shown]);
    const attach = (isErased: () => boolean, stored?: Once<string>) => {
      const snapshot_id = randomUUID();
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const about = { kind, time_ms, vehicle_id, channel, note };
      const snapshot = { snapshot_id, ...about, ...size, size_bytes: bytes.length, sha256 };
      const isLimited = !isDealer(viewer);
      return snapshots.add(snapshot_id, bytes, async () => {
        await incidents.change(
          incident_id,
          { kind: 'attach_snapshot', snapshot, shown: [...shown], isLimited },
          stored && { ...stored, present: () => stored.present(snapshot_id) },
          // What was deleted while it waited for its turn stays deleted.
          () => {
            for (const it of vehicle_ids) vehicles.find(it, viewer);
            if (isErased()) throw new ApiError('in_use', causeOf('incident.data_deleted'));
          },
        );
        return snapshot_id;
      });
    };
    const added = await incidents.erasures.during((isErased) =>
      once<string>(
        (stored) => attach(() => isErased({ vehicle_ids, time_ms }), stored),
        // What is kept for the same key again; the rest is read anew.
        (snapshot_id) => ({
          reply: { snapshot_id } as IncidentSnapshot,
          location: `${incidentRoutes.list.path}/${incident_id}/snapshots/${snapshot_id}`,
        }),
        incident_id,
      ),
    );
    return sight.snapshotOf((await find({ incident_id, ...added }, viewer)).snapshot);
  });

  api.handle(snapshotRoutes.picture, async ({ params, viewer, request, response, holds }) => {
    const { incident, snapshot } = await find(params, viewer);
    const { snapshot_id, size_bytes, sha256, time_ms } = snapshot;
    holds(size_bytes);
    await sendVideo(request, response, {
      path: snapshots.path(snapshot_id),
      file: { size_bytes, sha256, content_type: 'image/jpeg' },
      downloadName: `incident ${incident.number} ${fileTime(time_ms)}.jpg`,
      onRead: () => undefined,
    });
  });

  api.handle(snapshotRoutes.remove, async ({ params, viewer }) => {
    const { snapshot } = await find(params, viewer);
    const { snapshot_id } = snapshot;
    const row = await incidents.change(params.incident_id, { kind: 'remove_snapshot', snapshot_id });
    await snapshots.remove(snapshot_id);
    return sight.seenBy(row, viewer);
  });
}

/** @throws ApiError 400 for what is no JPEG of a size that people look at */
function checkedSize(bytes: Buffer): { width: number; height: number } {
  const size = jpegSize(bytes);
  if (size === null)
    throw invalid('body', 'is not a JPEG of 8 bits a sample, in grey or colour, that is whole');
  const { snapshotSide } = incidentBounds;
  if (Math.min(size.width, size.height) < 1 || Math.max(size.width, size.height) > snapshotSide)
    throw invalid('body', `is not of 1 to ${snapshotSide} pixels in width and height`);
  return size;
}
