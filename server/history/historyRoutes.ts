import { causeOf } from '../contract/causeTexts.ts';
import { gunzipSync } from 'node:zlib';
import { historyRoutes, maxValueDays, maxVehicleDays, type PastMoment } from '../contract/history.ts';
import type { Route } from '../contract/route.ts';
import type { SettingsFields } from '../contract/settings.ts';
import type { DriveHistory } from '../drivers/driveHistory.ts';
import { presentGeofence, type GeofenceRecord } from '../geofences/geofenceRecord.ts';
import type { Geofences } from '../geofences/geofences.ts';
import { callerOf, type Api, type Call } from '../http/api.ts';
import { invalid, notFound, ofWork } from '../http/apiError.ts';
import { holds, isDealer, sharesGroup, type Viewer } from '../http/viewer.ts';
import { presentNotification } from '../notifications/presentNotification.ts';
import { shownVehicles, type SeenVehicles, type Sight } from '../notifications/sight.ts';
import { respondWithProgress } from '../preview/answerWork.ts';
import { previewLevelsMs } from '../preview/previewWork.ts';
import { startWorker } from '../startWorker.ts';
import type { Store } from '../store/operations.ts';
import { isoTime } from '../telemetry/presentPosition.ts';
import type { VehicleRecord } from '../vehicles/vehicleRecord.ts';
import { createWorkerChannel, WorkFailed, type WorkAsk } from '../workerChannel.ts';
import type { HistoryJob, HistoryResult, PastRecord } from './historyWork.ts';

/** Two million fixes as objects, before they are packed. */
const heap_mb = 768;
/** A screen asks for ten days of two hundred vehicles each at once. */
const waiting = { per_user: 64, all: 256 };
const dayMs = 86_400_000;
/** Van 2 before Van 10. */
const byName = new Intl.Collator('en', { numeric: true });
/** Open alarms of a moment are looked for among so many that were raised before it. */
const maxNotifications = 1_000;

export type HistoryLine = ReturnType<typeof createHistoryLine>;

/** @param file `telemetry.db`, which the host has opened and migrated */
export function createHistoryLine(file: string) {
  return createWorkerChannel<HistoryJob, HistoryResult>({
    start: () => startWorker(import.meta.url, 'history.worker', { heap_mb, workerData: { file } }),
    waiting,
    levels_ms: previewLevelsMs,
  });
}

export interface HistoryRouteDeps {
  line: Pick<HistoryLine, 'run'>;
  store: Pick<Store, 'entitiesAt' | 'notifications'>;
  vehicles: SeenVehicles;
  drives: Pick<DriveHistory, 'at' | 'named'>;
  geofences: Pick<Geofences, 'notMonitored'>;
  sight: Sight;
  groupExists: (groupId: string) => boolean;
  settings: () => SettingsFields;
}

export function addHistoryRoutes(api: Api, deps: HistoryRouteDeps): void {
  const { line, vehicles, settings } = deps;

  async function run(makeJob: () => HistoryJob, ask: WorkAsk): Promise<HistoryResult> {
    try {
      return await line.run(makeJob, ask);
    } catch (error) {
      throw error instanceof WorkFailed ? (ofWork(error) ?? error) : error;
    }
  }

  api.handle(historyRoutes.tracks, async (call) => {
    const { body, viewer } = call;
    const days = daysOf(body);
    if (Math.ceil(days) * body.vehicle_ids.length > maxVehicleDays) {
      throw invalid('to', causeOf('period.most_vehicle_days', { days: maxVehicleDays }));
    }
    const result = await run(() => {
      const visible = new Set(vehicles.visible(viewer).map((it) => it.vehicle_id));
      return {
        kind: 'tracks',
        vehicle_ids: [...new Set(body.vehicle_ids)].filter((id) => visible.has(id)),
        from_ms: Date.parse(body.from),
        to_ms: Date.parse(body.to),
        tolerance_m: body.tolerance_m,
        gap_ms: gapMs(settings()),
        values: body.values,
      };
    }, callerOf(call));
    respondPacked(call, result, 'shorten the period or raise the tolerance');
  });

  api.handle(historyRoutes.values, async (call) => {
    const { params, query, viewer } = call;
    if (daysOf(query) > maxValueDays)
      throw invalid('to', causeOf('period.most_days', { days: maxValueDays }), 'other');
    const vehicle = vehicles
      .visible(viewer)
      .find((it) => it.vehicle_id === params.vehicle || it.terminal_id === params.vehicle);
    if (vehicle === undefined) throw notFound('vehicle');
    const result = await run(
      () => ({
        kind: 'values',
        vehicle_id: vehicle.vehicle_id,
        from_ms: Date.parse(query.from),
        to_ms: Date.parse(query.to),
        gap_ms: gapMs(settings()),
      }),
      callerOf(call),
    );
    respondPacked(call, result, 'shorten the period');
  });

  api.handle(historyRoutes.moment, async (call) => {
    const { query, viewer } = call;
    if (query.group_id !== undefined) {
      if (!deps.groupExists(query.group_id) || !sharesGroup(viewer, [query.group_id]))
        throw notFound('group');
    }
    const at_ms = Date.parse(query.at);
    await respondWithProgress(call, async (ask): Promise<PastMoment> => {
      const records = await vehiclesThen(at_ms, query.group_id, viewer);
      const result = await run(
        () => ({ kind: 'moment', vehicles: records, at_ms, numbers: settings() }),
        ask,
      );
      if (result.kind !== 'vehicles') throw new Error('the thread answered another order');
      const ids = result.vehicles.map((it) => it.vehicle_id);
      const [drives, geofences, notifications] = await Promise.all([
        deps.drives.at(ids, at_ms),
        geofencesAt(deps, at_ms, viewer),
        openAt(deps, at_ms, viewer),
      ]);
      const pastVehicles = result.vehicles.map((it) => {
        const drive = drives.get(it.vehicle_id);
        return { ...it, driver: drive === undefined ? null : deps.drives.named(drive) };
      });
      return { at: isoTime(at_ms), vehicles: pastVehicles, geofences, notifications };
    });
  });

  /** Those that the viewer sees now, by their names and groups of then; a group's are those that were in it then. */
  async function vehiclesThen(
    at_ms: number,
    group_id: string | undefined,
    viewer: Viewer,
  ): Promise<PastRecord[]> {
    const visible = new Map(vehicles.visible(viewer).map((it) => [it.vehicle_id, it]));
    const rows = await deps.store.entitiesAt({ kind: 'vehicle', at_ms });
    const records = rows.flatMap((row) => {
      const now = visible.get(row.id);
      const group_ids = row.group_ids ?? [];
      if (now === undefined || (group_id !== undefined && !group_ids.includes(group_id))) return [];
      const { name, plate, terminal_id } = JSON.parse(row.record) as VehicleRecord;
      const shown = isDealer(viewer)
        ? group_ids
        : group_ids.filter((it) => viewer.user.group_ids.includes(it));
      return [{ vehicle_id: row.id, name, plate, terminal_id, group_ids: shown }];
    });
    return records.sort((a, b) => byName.compare(a.name, b.name));
  }
}

const gapMs = ({ trip_gap_s, offline_s }: SettingsFields): number => Math.min(trip_gap_s, offline_s) * 1_000;

/** Throws 400 for a period that ends before it begins. */
function daysOf({ from, to }: { from: string; to: string }): number {
  const days = (Date.parse(to) - Date.parse(from)) / dayMs;
  if (!(days > 0)) throw invalid('to', 'is not after from', 'order');
  return days;
}

/** Throws 400 where it would be too much, with what can be done. */
function respondPacked(
  { request, response, holds: holdsBytes }: Pick<Call<Route>, 'request' | 'response' | 'holds'>,
  result: HistoryResult,
  advice: string,
): void {
  if (result.kind === 'too_long') throw invalid('to', `makes more than ${result.max}: ${advice}`);
  if (result.kind !== 'bytes') throw new Error('the thread answered another order');
  if (response.closed) return;
  const isPacked = request.acceptsEncodings('gzip') !== false;
  const bytes = isPacked ? result.bytes : gunzipSync(result.bytes);
  holdsBytes(bytes.length);
  response.vary('Accept-Encoding');
  if (isPacked) response.set('Content-Encoding', 'gzip');
  response.set('Content-Length', String(bytes.length)).type('application/octet-stream').end(bytes);
}

/** As they were drawn then, also those that are gone since: to whom their groups of then show them. */
async function geofencesAt(
  { store, geofences }: Pick<HistoryRouteDeps, 'store' | 'geofences'>,
  at_ms: number,
  viewer: Viewer,
): Promise<PastMoment['geofences']> {
  if (!holds(viewer, 'geofences', 'read')) return [];
  const rows = await store.entitiesAt({ kind: 'geofence', at_ms });
  return rows.flatMap((row) => {
    const record = { ...(JSON.parse(row.record) as GeofenceRecord), group_ids: row.group_ids ?? [] };
    // One without groups is everybody's, as among those of today.
    const isVisible = record.group_ids.length === 0 || sharesGroup(viewer, record.group_ids);
    return isVisible ? [presentGeofence(record, viewer, geofences)] : [];
  });
}

async function openAt(
  { store, vehicles, sight }: Pick<HistoryRouteDeps, 'store' | 'vehicles' | 'sight'>,
  at_ms: number,
  viewer: Viewer,
): Promise<PastMoment['notifications']> {
  if (!holds(viewer, 'notifications', 'read')) return [];
  const rows = await store.notifications({
    limit: maxNotifications,
    to_ms: at_ms,
    ...shownVehicles(vehicles, viewer, undefined),
  });
  return rows
    .filter(({ first_ms, ack }) => first_ms <= at_ms && (ack === null || ack.at_ms > at_ms))
    .map((row) => presentNotification(row, viewer, sight, null, null));
}
