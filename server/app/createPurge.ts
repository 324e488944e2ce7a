import type { Deliveries } from '../notifications/channels/deliveries.ts';
import type { Pipeline } from '../pipeline.ts';
import type { Store } from '../store/operations.ts';
import type { LiveFleet } from '../telemetry/liveFleet.ts';
import type { TerminalCommands } from '../telemetry/terminalCommands/terminalCommands.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';
import type { VideoService } from '../video/videoService.ts';

/**
 * Makes what deletes a vehicle with all that is kept of it. It is archived before, so nothing more comes in for it; the
 * vehicle goes last, so that whatever fails can be tried again.
 */
export function createPurge(deps: {
  pipeline: Pipeline;
  fleet: LiveFleet;
  deliveries: Deliveries;
  commands: TerminalCommands;
  video: VideoService;
  vehicles: Vehicles;
  store: Store;
}): (vehicleId: string) => Promise<void> {
  return async (vehicleId) => {
    // What is under way is stored first.
    await deps.pipeline.runExclusive(() => {
      deps.fleet.forget(vehicleId);
      return Promise.resolve();
    });
    await deps.deliveries.forgetVehicle(vehicleId);
    await deps.commands.forgetVehicle(vehicleId);
    await deps.video.purgeVehicle(vehicleId);
    await deps.vehicles.purge(vehicleId);
    await deps.store.sweepPurged();
  };
}
