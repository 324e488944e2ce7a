import { createStore } from 'zustand/vanilla';
import type { Geofence } from '../../server/contract/geofences.ts';
import type { Group } from '../../server/contract/groups.ts';
import type { Notification } from '../../server/contract/notifications.ts';
import type { UnknownTerminal } from '../../server/contract/positions.ts';
import type { User } from '../../server/contract/users.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import type { Api } from '../api/client.ts';
import type { Clock } from '../clock/clock.ts';
import type { Frames } from '../clock/frames.ts';
import { createServerTime } from '../clock/serverTime.ts';
import { createEventsView } from '../events/eventsView.ts';
import { createGeofenceActions } from '../geofences/geofenceActions.ts';
import type { Say } from '../i18n/text.ts';
import { createLiveView } from '../live/liveView.ts';
import { createMapControl } from '../live/mapControl.ts';
import type { TownMap } from '../live/townMap.ts';
import type { Navigation } from '../navigation/navigation.ts';
import { createAckOutbox } from '../notifications/ackOutbox.ts';
import { createAlarmSound } from '../notifications/alarmSound.ts';
import { createShelfStore, keepShelves } from '../notifications/keepShelves.ts';
import { createSnoozeActions, createSnoozeStore } from '../notifications/snoozes.ts';
import type { VideoDesk } from '../notifications/videoDesk.ts';
import type { Platform } from '../platform/platform.ts';
import { createResourceStore, olderByVersion } from '../resources/resourceStore.ts';
import { createRetries } from '../resources/retries.ts';
import type { PreferenceStore } from '../settings/preferences.ts';
import { createSettingsStore } from '../settings/settingsStore.ts';
import { createConnectionStore } from '../stream/connectionStore.ts';
import { createFleetStream, type FleetStream } from '../stream/fleetStream.ts';
import type { StreamSource } from '../stream/streamSource.ts';
import { createPlaceFinder } from '../telemetry/placeFinder.ts';
import type { PlaceNames } from '../telemetry/placeNames.ts';
import { createPositionStore } from '../telemetry/positionStore.ts';
import { createStatusStore } from '../telemetry/statusStore.ts';
import { createTrails } from '../telemetry/trails.ts';
import { createToastStore } from '../ui/toastStore.ts';
import { createVehicleActions } from '../vehicles/vehicleActions.ts';
import { startAlarms } from './startAlarms.ts';
import type { Desk } from './desk.ts';
import { startFeeds } from './startFeeds.ts';
import { createLists } from './lists.ts';
import { startDerived } from './startDerived.ts';

export interface DeskParts {
  user: User;
  api: Api;
  platform: Platform;
  navigation: Navigation;
  preferences: PreferenceStore;
  say: Say;
  clock: Clock;
  frames: Frames;
  streamSource: () => StreamSource;
  placeNames: PlaceNames & { onChange: (run: () => void) => () => void };
  townMap: TownMap;
  video: (parts: VideoParts) => { desk: VideoDesk; start: () => () => void };
  /** Tells the operator of what finished elsewhere; returns its end. */
  news: (desk: Desk) => () => void;
}

/** What the video domain is built from. */
export interface VideoParts {
  api: Api;
  stream: FleetStream;
  clock: Clock;
  platform: Platform;
  user: User;
  navigation: Navigation;
  /** Seconds before and after a moment, by the depot's settings. */
  window: () => { before_s: number; after_s: number };
  /** The server's time. */
  now: () => number;
  /** The terminal of a vehicle, which video profiles are asked for by. */
  terminalOf: (vehicleId: string) => string | null;
}

/** Builds the session of an operator; nothing runs before `start`. */
export function createDesk(parts: DeskParts): Desk {
  const { user, api, platform, clock, frames } = parts;
  const stream = createFleetStream(parts.streamSource);
  const serverTime = createServerTime(clock);
  const connection = createConnectionStore(stream, clock, frames, serverTime);
  const settings = createSettingsStore();

  const vehicles = createResourceStore<Vehicle>({ idOf: (it) => it.vehicle_id, isOlder: olderByVersion });
  const groups = createResourceStore<Group>({ idOf: (it) => it.group_id, isOlder: olderByVersion });
  const geofences = createResourceStore<Geofence>({ idOf: (it) => it.geozone_id, isOlder: olderByVersion });
  const notifications = createResourceStore<Notification>({
    idOf: (it) => it.notification_id,
    isOlder: (a, b) => a.updated_at < b.updated_at,
  });
  const snoozes = createSnoozeStore();
  const shelves = createShelfStore();
  const knocking = createResourceStore<UnknownTerminal>({
    idOf: (it) => it.terminal_id,
    isOlder: (a, b) => a.last_seen_at < b.last_seen_at,
    mayReturn: true,
  });

  const positions = createPositionStore(frames, () => settings.getState().numbers.idle_kmh);
  const asOf = () => {
    const { link } = connection.store.getState();
    return link.phase === 'lost' ? serverTime.of(link.since) : serverTime.now();
  };
  const statuses = createStatusStore({
    positions,
    vehicles: () => vehicles.store.getState().byId,
    now: asOf,
    numbers: () => settings.getState().numbers,
  });
  const places = createPlaceFinder(
    positions,
    () => geofences.store.getState().byId.values(),
    parts.placeNames,
  );
  const toasts = createToastStore();
  const acks = createAckOutbox({
    api,
    storage: platform.storage,
    userId: user.user_id,
    onDone: (done) => notifications.put([done]),
    onRefused: () =>
      toasts.setState({ toast: { text: parts.say('queue.ack_refused'), isTrouble: true, action: null } }),
  });
  const video = parts.video({
    api,
    stream,
    clock,
    platform,
    user,
    navigation: parts.navigation,
    window: () => {
      const { video_before_s, video_after_s } = settings.getState().numbers;
      return { before_s: video_before_s, after_s: video_after_s };
    },
    now: () => serverTime.now(),
    terminalOf: (vehicleId) => vehicles.store.getState().byId.get(vehicleId)?.terminal_id ?? null,
  });

  const lists = createLists({
    api,
    clock,
    user,
    vehicles,
    groups,
    geofences,
    notifications,
    snoozes,
    knocking,
    settings,
  });

  const desk: Desk = {
    user,
    api,
    platform,
    navigation: parts.navigation,
    preferences: parts.preferences,
    say: parts.say,
    clock,
    serverTime,
    stream,
    connection: connection.store,
    settings,
    vehicles,
    groups,
    geofences,
    notifications,
    snoozes,
    shelves,
    knocking,
    userNames: lists.userNames,
    attention: createStore<ReturnType<Desk['attention']['getState']>>(() => ({ byVehicle: new Map() })),
    arrivals: createStore<ReturnType<Desk['arrivals']['getState']>>(() => ({ byId: new Map() })),
    positions,
    statuses: statuses.store,
    trails: createTrails(),
    places,
    view: createLiveView(parts.navigation.store.getState().query),
    eventsView: createEventsView(),
    toasts,
    vehicleActions: createVehicleActions(api),
    geofenceActions: createGeofenceActions(api),
    snoozeActions: createSnoozeActions(api, snoozes),
    acks,
    video: video.desk,
    map: createMapControl(),
    townMap: parts.townMap.store,
    asOf,
    retries: createRetries(),
    retry: lists.retry,
    start() {
      const undo = [
        serverTime.start(),
        connection.start(),
        startFeeds(desk, statuses, frames),
        keepShelves(desk),
        startDerived(desk, statuses, parts.placeNames),
        startAlarms(desk, createAlarmSound()),
        video.start(),
        parts.news(desk),
        lists.start(desk),
        stream.start(),
      ];
      return () => {
        for (const run of undo.reverse()) run();
        positions.stop();
      };
    },
  };
  return desk;
}
