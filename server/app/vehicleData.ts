import { setImmediate as nextTurn } from 'node:timers/promises';
import { vehicleRoutes, type VehicleData } from '../contract/vehicles.ts';
import type { Api } from '../http/api.ts';
import { createLines } from '../http/lines.ts';
import type { Incidents } from '../incidents/incidents.ts';
import type { SnapshotFiles } from '../incidents/snapshotFiles.ts';
import type { Store } from '../store/operations.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';
import type { VideoService } from '../video/videoService.ts';

export interface VehicleDataDeps {
  store: Pick<Store, 'countVehicleData' | 'deleteVehicleData' | 'logVehicleDeletion'>;
  vehicles: Pick<Vehicles, 'find'>;
  video: Pick<VideoService, 'countClips' | 'deleteClips'>;
  incidents: Pick<Incidents, 'erased' | 'erasures'>;
  snapshots: Pick<SnapshotFiles, 'sweep'>;
  /** Forgets what is remembered of deleted notifications. */
  forgetDeleted: () => Promise<void>;
}

/** Dealers see how much is kept of a vehicle in a period, and delete it. */
export function addVehicleDataRoutes(api: Api, deps: VehicleDataDeps): void {
  const { store, vehicles, video } = deps;
  const oneAtATime = createLines();

  const periodOf = (vehicle_id: string, { from, to }: { from: string; to: string }) => ({
    vehicle_id,
    from_ms: Date.parse(from),
    to_ms: Date.parse(to),
  });

  api.handle(vehicleRoutes.data, async ({ params, query, viewer }) => {
    const period = periodOf(vehicles.find(params.vehicle, viewer).vehicle_id, query);
    const clips = await video.countClips(period);
    return { ...(await store.countVehicleData(period)), clips };
  });

  api.handle(vehicleRoutes.deleteData, async ({ params, query, viewer }) => {
    const { vehicle_id, name } = vehicles.find(params.vehicle, viewer);
    const period = periodOf(vehicle_id, query);
    const leave = await oneAtATime.enter('all');
    const erased = deps.incidents.erasures.begin(period);
    try {
      const clips = await video.countClips(period);
      const found = await store.countVehicleData(period);
      await store.logVehicleDeletion({ vehicle_id, name, ...query, ...found, clips });
      const deleted: VehicleData = { positions: 0, events: 0, notifications: 0, clips: 0, snapshots: 0 };
      for (let more = true; more;) {
        const slice = await store.deleteVehicleData(period);
        deps.incidents.erased(slice);
        for (const kind of ['positions', 'events', 'notifications', 'snapshots'] as const)
          deleted[kind] += slice.deleted[kind];
        more = slice.more;
        // What terminals send is stored in between.
        await nextTurn();
      }
      await deps.forgetDeleted();
      await deps.snapshots.sweep();
      deleted.clips = await video.deleteClips(period);
      return deleted;
    } finally {
      erased();
      leave();
    }
  });
}
