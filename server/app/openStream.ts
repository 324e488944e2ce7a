import type { Clock } from '../clock.ts';
import type { Task } from '../contract/video.ts';
import type { IncidentSight } from '../incidents/presentIncident.ts';
import { holds, type Viewer } from '../http/viewer.ts';
import type { EscalationViews } from '../notifications/presentEscalation.ts';
import type { Snoozes } from '../notifications/snoozes.ts';
import type { TaskRow } from '../store/telemetry/rows.ts';
import type { Store } from '../store/operations.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { Health } from '../settings/health.ts';
import type { Shifts } from '../shifts/shifts.ts';
import { createLateTracks } from '../stream/lateTracks.ts';
import { createStreamHub, type HubLimits } from '../stream/streamHub.ts';
import { keptPositionJson } from '../telemetry/presentPosition.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';
import type { Profiles } from '../video/profiles.ts';
import { createChangeFeed } from './changeFeed.ts';
import type { Repositories } from './openRepositories.ts';
import { changeItems, type StreamItem } from '../stream/streamItems.ts';
import { createVisibleResources } from './visibleResources.ts';

/** Publishes changes to stream clients, and decides which of them may see what. */
export type Stream = ReturnType<typeof openStream>;

export function openStream(
  deps: Pick<
    Repositories,
    | 'users'
    | 'groups'
    | 'vehicles'
    | 'drivers'
    | 'assignments'
    | 'geofences'
    | 'rules'
    | 'sight'
    | 'nowOf'
    | 'fleet'
  > & {
    snoozes: Snoozes;
    shifts: Pick<Shifts, 'get' | 'sees'>;
    escalationViews: EscalationViews;
    /** Opened after the stream. */
    profiles: () => Profiles;
    settings: Pick<SettingsStore, 'present'>;
    presentTask: (row: TaskRow) => Task;
    incidentSight: IncidentSight;
    health: Pick<Health, 'asSeenBy' | 'onChange'>;
    /** The vehicles that are overdue. */
    overdue: () => ReadonlySet<string>;
    store: Store;
    limits: Partial<HubLimits>;
    clock: Clock;
  },
) {
  const { vehicles, fleet, health, store, limits, clock } = deps;
  const shown = createVisibleResources(deps);
  const seesVehicle = (viewer: Viewer, id: string) =>
    holds(viewer, 'vehicles', 'read') && vehicles.sees(viewer, id);
  const hub = createStreamHub({
    store,
    itemsOf: (changes) => changeItems(changes, shown.lookups),
    visible: (viewer) => (holds(viewer, 'vehicles', 'read') ? vehicles.visible(viewer) : []),
    seesVehicle,
    hasPosition: (id) => fleet.state(id).newest !== null,
    positionOf(id) {
      const { newest } = fleet.state(id);
      const vehicle = vehicles.get(id);
      return newest === null || vehicle === undefined ? null : keptPositionJson(newest, vehicle.terminal_id);
    },
    overdue: deps.overdue,
    healthOf: (viewer) => health.asSeenBy(viewer),
    clock,
    limits,
  });
  const stopHealth = health.onChange(() => hub.publish([healthItem(health)]));
  const publishOverdue = (change: Overdue) => hub.publish([overdueItem(change, vehicles)]);
  const lateTracks = createLateTracks({ clock, publish: (items) => hub.publish(items), sees: seesVehicle });
  const stop = () => {
    stopHealth();
    lateTracks.stop();
  };
  return { shown, hub, feed: createChangeFeed(hub), lateTracks, stop, publishOverdue };
}

interface Overdue {
  began: readonly string[];
  ended: readonly string[];
}

function overdueItem({ began, ended }: Overdue, vehicles: Pick<Vehicles, 'sees'>): StreamItem {
  const jsonFor = (viewer: Viewer) => {
    const seen = (ids: readonly string[]) => ids.filter((id) => vehicles.sees(viewer, id));
    return JSON.stringify({ began: seen(began), ended: seen(ended) });
  };
  return {
    topic: 'overdue',
    seq: null,
    json: () => JSON.stringify({ began, ended }),
    jsonFor,
    sees: (viewer) =>
      holds(viewer, 'vehicles', 'read') && [...began, ...ended].some((id) => vehicles.sees(viewer, id)),
    gone: null,
  };
}

/** As it is when it is sent: of several changes the last is what counts. */
function healthItem(health: Pick<Health, 'asSeenBy'>): StreamItem {
  return {
    topic: 'health',
    seq: null,
    json: () => '',
    jsonFor: (viewer) => JSON.stringify(health.asSeenBy(viewer)),
    sees: () => true,
    gone: null,
  };
}
