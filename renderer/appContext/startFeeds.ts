import type { Geofence } from '../../server/contract/geofences.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { oncePerFrame, type Frames } from '../clock/frames.ts';
import type { createStatusStore } from '../telemetry/statusStore.ts';
import type { AppContext } from './appContext.ts';

/** Writes the stream’s messages into the stores: the only way in, whoever acted. */
export function startFeeds(
  app: AppContext,
  statuses: ReturnType<typeof createStatusStore>,
  frames: Frames,
): () => void {
  const { stream, vehicles, geofences, snoozes, positions, unknownTerminals } = app;

  let changedVehicles = new Map<string, Vehicle | null>();
  const frame = oncePerFrame(frames, () => {
    const changes = changedVehicles;
    changedVehicles = new Map();
    vehicles.receive([...changes.values()].filter((it) => it !== null));
    vehicles.hide([...changes].flatMap(([id, it]) => (it === null ? [id] : [])));
  });

  const undo = [
    stream.on('position', (message) => {
      positions.take(message.positions);
      for (const position of message.positions) app.trails.add(position);
    }),
    positions.onFrame((changed) => statuses.reviewSome(changed)),
    stream.on('vehicle', (message) => {
      // An archived vehicle keeps its data for reports; it is none of those that are watched.
      if ('deleted' in message || message.archived_at !== null) {
        changedVehicles.set(message.vehicle_id, null);
        positions.forget(message.vehicle_id);
      } else {
        changedVehicles.set(message.vehicle_id, message);
        if (message.position !== null) positions.take([message.position]);
        unknownTerminals.remove([message.terminal_id]);
      }
      frame.ask();
    }),
    stream.on('geofence', (message) => {
      if ('deleted' in message) geofences.hide([message.geozone_id]);
      else geofences.receive([message satisfies Geofence]);
    }),
    stream.on('snooze', (message) => {
      if ('deleted' in message) snoozes.hide([message.snooze_id]);
      else snoozes.receive([message]);
    }),
    stream.on('unknown_terminal', (terminal) => unknownTerminals.put([terminal])),
    // The list bears each vehicle's newest position, for a console whose stream is still on its way.
    vehicles.store.subscribe((state, before) => {
      if (state.byId === before.byId) return;
      const found: Parameters<typeof positions.take>[0][number][] = [];
      for (const { position } of state.byId.values()) {
        if (position !== null && positions.get(position.vehicle_id) === undefined) found.push(position);
      }
      positions.take(found);
    }),
    () => frame.stop(),
  ];
  return () => undo.forEach((run) => run());
}
