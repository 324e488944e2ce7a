import type { Deliveries } from '../notifications/channels/deliveries.ts';
import type { Pipeline } from '../pipeline.ts';
import type { TelemetryStore } from '../store/telemetry/telemetryStore.ts';
import type { LiveFleet } from '../telemetry/liveFleet.ts';
import type { TerminalCommands } from '../telemetry/terminalCommands/terminalCommands.ts';
import type { VideoService } from '../video/videoService.ts';

/** Makes what deletes all that is kept of a vehicle. It is archived before, so nothing more comes in for it. */
export function createPurge(parts: {
  pipeline: Pipeline;
  fleet: LiveFleet;
  deliveries: Deliveries;
  commands: TerminalCommands;
  video: VideoService;
  store: TelemetryStore;
}): (vehicleId: string) => Promise<void> {
  return async (vehicleId) => {
    // What is under way is stored first.
    await parts.pipeline.between(() => {
      parts.fleet.forget(vehicleId);
      return Promise.resolve();
    });
    await parts.deliveries.forgetVehicle(vehicleId);
    await parts.commands.forgetVehicle(vehicleId);
    await parts.video.purgeVehicle(vehicleId);
    await parts.store.purgeVehicle(vehicleId);
  };
}
