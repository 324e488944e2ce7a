import { oncePerFrame, type Frames } from '../clock/frames.ts';
import type { ResourceStore } from '../resources/resourceStore.ts';
import { takeSettings } from '../settings/settingsStore.ts';
import type { createStatusStore } from '../telemetry/statusStore.ts';
import type { AppContext } from './appContext.ts';

/** Writes the stream’s messages into the stores: the only way in, whoever acted. */
export function startFeeds(
  app: AppContext,
  statuses: ReturnType<typeof createStatusStore>,
  frames: Frames,
): () => void {
  const {
    stream,
    vehicles,
    drivers,
    groups,
    users,
    geofences,
    shifts,
    snoozes,
    positions,
    unknownTerminals,
  } = app;

  const changedVehicles = gather(vehicles, frames);
  const changedDrivers = gather(drivers, frames);
  const changedGroups = gather(groups, frames);
  const changedUsers = gather(users, frames);
  const changedGeofences = gather(geofences, frames);
  const gathered = [changedVehicles, changedDrivers, changedGroups, changedUsers, changedGeofences];

  const undo = [
    // Lists are about to be read again: what came before must not count as newer than they are.
    stream.on('reset', () => gathered.forEach((it) => it.flush())),
    stream.on('position', (message) => {
      positions.take(message.positions);
      for (const position of message.positions) app.trails.add(position);
    }),
    positions.onFrame((changed) => statuses.reviewSome(changed)),
    stream.on('snapshot', ({ overdue }) => statuses.setOverdue(overdue)),
    stream.on('overdue', (change) => statuses.changeOverdue(change)),
    stream.on('vehicle', (message) => {
      // An archived vehicle keeps its data for reports; it is none of those that are watched.
      if ('deleted' in message || message.archived_at !== null) {
        changedVehicles.hide(message.vehicle_id);
        positions.forget(message.vehicle_id);
      } else {
        changedVehicles.receive(message.vehicle_id, message);
        if (message.position !== null) positions.take([message.position]);
        unknownTerminals.remove([message.terminal_id]);
      }
    }),
    stream.on('driver', (message) => {
      if ('deleted' in message || message.archived_at !== null) changedDrivers.hide(message.driver_id);
      else changedDrivers.receive(message.driver_id, message);
    }),
    stream.on('geofence', (message) => {
      if ('deleted' in message) changedGeofences.hide(message.geozone_id);
      else changedGeofences.receive(message.geozone_id, message);
    }),
    stream.on('group', (message) => {
      if ('deleted' in message) changedGroups.hide(message.group_id);
      else changedGroups.receive(message.group_id, message);
    }),
    stream.on('user', (message) => {
      if ('deleted' in message) changedUsers.hide(message.user_id);
      else changedUsers.receive(message.user_id, message);
    }),
    stream.on('settings', (message) => takeSettings(app.settings, message)),
    stream.on('snooze', (message) => {
      if ('deleted' in message) snoozes.hide([message.snooze_id]);
      else snoozes.receive([message]);
    }),
    stream.on('shift', (message) => {
      if ('deleted' in message) shifts.hide([message.shift_id]);
      else shifts.receive([message]);
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
    () => gathered.forEach((it) => it.stop()),
  ];
  return () => undo.forEach((run) => run());
}

/** Gathers what the stream says of one kind, the last word of each, and applies it once with the next frame. */
function gather<T>(store: Pick<ResourceStore<T>, 'receive' | 'hide'>, frames: Frames) {
  /** Null for what is hidden. */
  let changes = new Map<string, T | null>();
  const flush = () => {
    const taken = changes;
    changes = new Map();
    store.receive([...taken.values()].filter((it) => it !== null));
    const hidden = [...taken].flatMap(([id, it]) => (it === null ? [id] : []));
    if (hidden.length > 0) store.hide(hidden);
  };
  const frame = oncePerFrame(frames, flush);
  const set = (id: string, change: T | null) => {
    changes.set(id, change);
    frame.ask();
  };
  return { receive: set, hide: (id: string) => set(id, null), flush, stop: () => frame.stop() };
}
