import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { SettingsFields } from '../contract/settings.ts';
import { ApiError } from '../http/apiError.ts';
import type { Incidents } from '../incidents/incidents.ts';
import type { SnapshotFiles } from '../incidents/snapshotFiles.ts';
import type { Store } from '../store/operations.ts';
import type { Written } from '../store/telemetry/rows.ts';
import type { Deliveries } from '../notifications/channels/deliveries.ts';
import type { Escalations } from '../notifications/escalations.ts';
import type { Pipeline } from '../pipeline.ts';
import type { LiveFleet } from '../telemetry/liveFleet.ts';
import type { TerminalCommands } from '../telemetry/terminalCommands/terminalCommands.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';
import type { VideoService } from '../video/videoService.ts';

const dayMs = 86_400_000;
/** A stream client that was offline for longer fetches the lists again. */
const keepChangesDays = 7;
const keepIdempotencyDays = 1;
const rejectedRetentionDays = 90;
const firstRunMs = 60_000;

/**
 * Deletes once a day what is older than the settings keep, in slices, so that no write waits long. By the time of
 * receipt: an old fix that came today is as new as today. Returns its undo.
 */
export function startRetention(deps: {
  store: Pick<Store, 'prune'>;
  settings: () => SettingsFields;
  /** Called with what streams show of it, of each slice. */
  publish: (written: Written) => void;
  /** Other things that grow old: sessions, videos. */
  others: readonly (() => Promise<unknown>)[];
  clock: Clock;
  log: Logger;
}): () => void {
  const { clock, log } = deps;
  let stopped = false;
  let stopTimer = clock.after(firstRunMs, run);

  function run(): void {
    void pruneAll().then(() => {
      if (!stopped) stopTimer = clock.after(dayMs, run);
    });
  }

  /** One that fails every day, because of a file that is held open, holds up none of the others. */
  async function pruneAll(): Promise<void> {
    for (const step of [prune, ...deps.others]) {
      if (stopped) return;
      try {
        await step();
      } catch (error) {
        log.error({ err: error }, 'old data was not deleted; retrying tomorrow');
      }
    }
  }

  async function prune(): Promise<void> {
    const now = clock.now();
    const { positions_retention_days, events_retention_days, audit_retention_days } = deps.settings();
    const before = {
      positions_ms: now - positions_retention_days * dayMs,
      events_ms: now - events_retention_days * dayMs,
      versions_ms: now - Math.max(positions_retention_days, events_retention_days) * dayMs,
      audit_ms: now - audit_retention_days * dayMs,
      changes_ms: now - keepChangesDays * dayMs,
      idempotency_ms: now - keepIdempotencyDays * dayMs,
      rejected_ms: now - rejectedRetentionDays * dayMs,
    };
    let deleted = 0;
    for (let more = true; more && !stopped;) {
      const slice = await deps.store.prune(before);
      deleted += slice.deleted;
      if (slice.changes.length > 0) deps.publish(slice);
      more = slice.more;
      await nextTurn();
    }
    if (deleted > 0) log.info({ deleted }, 'old data was deleted');
  }

  return () => {
    stopped = true;
    stopTimer();
  };
}

/**
 * Deletes the vehicles that were archived before a moment, with all that is kept of them. One that somebody restores or
 * deletes meanwhile is left to them.
 */
export async function purgeArchived(
  vehicles: Pick<Vehicles, 'archivedBefore'>,
  purge: (vehicleId: string, ifMatch: number | null) => Promise<void>,
  before_ms: number,
): Promise<void> {
  for (const { vehicle_id, version } of vehicles.archivedBefore(before_ms)) {
    try {
      await purge(vehicle_id, version);
    } catch (error) {
      const isTaken = error instanceof ApiError && ['not_found', 'version_conflict'].includes(error.code);
      if (!isTaken) throw error;
    }
  }
}

/**
 * Makes what deletes a vehicle with all that is kept of it, of the given version if one is given. It is archived before,
 * so nothing more comes in for it; the vehicle goes last, so that whatever fails can be tried again.
 */
export function createPurge(deps: {
  pipeline: Pipeline;
  fleet: LiveFleet;
  deliveries: Deliveries;
  escalations: Pick<Escalations, 'forgetVehicle'>;
  incidents: Pick<Incidents, 'reload' | 'erased'>;
  snapshots: Pick<SnapshotFiles, 'sweep'>;
  commands: TerminalCommands;
  video: VideoService;
  vehicles: Vehicles;
  store: Store;
}): (vehicleId: string, ifMatch: number | null) => Promise<void> {
  const erase = async (vehicleId: string) => {
    // What is under way is stored first.
    await deps.pipeline.runExclusive(() => {
      deps.fleet.forget(vehicleId);
      return Promise.resolve();
    });
    deps.escalations.forgetVehicle(vehicleId);
    await deps.deliveries.forgetVehicle(vehicleId);
    await deps.commands.forgetVehicle(vehicleId);
    await deps.video.purgeVehicle(vehicleId);
    await deps.vehicles.purge(vehicleId, deps.incidents.erased);
    await deps.incidents.reload();
    await deps.snapshots.sweep();
    await deps.store.sweepPurged();
  };
  return (vehicleId, ifMatch) => deps.vehicles.archiveForGood(vehicleId, ifMatch, () => erase(vehicleId));
}
