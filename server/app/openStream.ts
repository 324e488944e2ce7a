import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Task } from '../contract/video.ts';
import { holds } from '../http/viewer.ts';
import type { Snoozes } from '../notifications/snoozes.ts';
import type { TaskRow } from '../store/telemetry/rows.ts';
import type { TelemetryStore } from '../store/telemetry/telemetryStore.ts';
import { createStreamHub, type StreamHub } from '../stream/streamHub.ts';
import { createChangeFeed, type ChangeFeed } from './changeFeed.ts';
import type { Depot } from './openDepot.ts';
import { createShownResources, type ShownResources } from './shownResources.ts';

/** How those who look on are told of what changes, and who of them may see what. */
export interface Stream {
  shown: ShownResources;
  hub: StreamHub;
  feed: ChangeFeed;
}

export function openStream(
  parts: Pick<Depot, 'vehicles' | 'geofences' | 'rules' | 'sight' | 'nowOf'> & {
    snoozes: Snoozes;
    presentTask: (row: TaskRow) => Task;
    store: TelemetryStore;
    clock: Clock;
    log: Logger;
  },
): Stream {
  const { vehicles, nowOf, store, clock, log } = parts;
  const shown = createShownResources(parts);
  const hub = createStreamHub({
    store,
    itemsOf: (changes) => feed.itemsOf(changes),
    snapshot: (viewer) =>
      holds(viewer, 'vehicles', 'read')
        ? vehicles.visible(viewer).flatMap((it) => nowOf(it).position ?? [])
        : [],
    seesVehicle: (viewer, id) => holds(viewer, 'vehicles', 'read') && vehicles.sees(viewer, id),
    clock,
  });
  const feed = createChangeFeed({
    store,
    lookups: shown.lookups,
    isHeard: () => hub.listeners() > 0,
    send: (items) => hub.publish(items),
    log,
  });
  return { shown, hub, feed };
}
