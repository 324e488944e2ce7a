import { createStore } from 'zustand/vanilla';
import type { Geofence } from '../../server/contract/geofences.ts';
import type { Driver } from '../../server/contract/drivers.ts';
import type { GroupEntry } from '../../server/contract/groups.ts';
import type { Incident } from '../../server/contract/incidents.ts';
import type { Notification } from '../../server/contract/notifications.ts';
import type { UnknownTerminal } from '../../server/contract/positions.ts';
import type { Shift } from '../../server/contract/shifts.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import type { Frames } from '../clock/frames.ts';
import { createServerTime } from '../clock/serverTime.ts';
import { createReportLayouts } from '../reports/reportLayouts.ts';
import { FIRST_VIEW, type ReportsView } from '../reports/reportView.ts';
import { createEventsView } from '../events/eventsAddress.ts';
import { createGeofenceActions } from '../geofences/geofenceActions.ts';
import { createHistory } from '../history/history.ts';
import type { TextKey } from '../i18n/text.ts';
import { createIncidentWork } from '../incidents/incidentWork.ts';
import { failureText } from '../incidents/incidentActions.ts';
import { createLiveView, createMapControl } from '../live/liveView.ts';
import { createMapList } from '../mapFiles/mapList.ts';
import { createMapUploads } from '../mapFiles/mapUploads.ts';
import { createOpenedFiles } from '../openFiles/openedFiles.ts';
import { createSavedViews } from '../mapViews/savedViews.ts';
import { ackSummaryText, createAckOutbox } from '../notifications/ackOutbox.ts';
import { leaveGroups } from '../notifications/queueView.ts';
import { createQueueView } from '../notifications/queueViewStore.ts';
import { createAlarmSound } from '../notifications/alarmSound.ts';
import { readOwnSound } from '../notifications/ownSounds.ts';
import {
  createSnoozedStore,
  snoozeStore,
  createSnoozeActions,
  createSnoozeStore,
} from '../notifications/snoozes.ts';
import type { Video, VideoDeps } from '../video/videoActions.ts';
import { createResourceStore, olderByVersion } from '../resources/resourceStore.ts';
import { createRetries } from '../resources/retries.ts';
import type { User } from '../../server/contract/users.ts';
import { createSettingsStore, followFormats } from '../settings/settingsStore.ts';
import { createUserPreferences } from '../settings/userPreferences.ts';
import { createConnectionStore } from '../stream/connectionStore.ts';
import { createFleetStream } from '../stream/fleetStream.ts';
import type { StreamSource } from '../stream/streamSource.ts';
import { createAddresses } from '../telemetry/addresses.ts';
import type { LandNames } from '../telemetry/landNames.ts';
import { createPlaceFinder } from '../telemetry/placeFinder.ts';
import { createPositionStore } from '../telemetry/positionStore.ts';
import { createStatusStore } from '../telemetry/statusStore.ts';
import { createTrails } from '../telemetry/trails.ts';
import { createToastStore } from '../ui/toastStore.ts';
import { createVehicleActions } from '../vehicles/vehicleActions.ts';
import { startAlarms } from './startAlarms.ts';
import type { AppContext } from './appContext.ts';
import { startFeeds } from './startFeeds.ts';
import { forgetPast } from './forgetPast.ts';
import { createLists } from './lists.ts';
import { attentionByVehicle, sameAttention } from '../vehicles/attention.ts';
import { shareSelection } from '../windows/sharedSelection.ts';

export interface AppContextDeps extends Pick<
  AppContext,
  'user' | 'api' | 'platform' | 'navigation' | 'windows' | 'preferences' | 't' | 'clock' | 'logout'
> {
  frames: Frames;
  /** For what is heavy to draw. */
  heavyFrames: Frames;
  streamSource: () => StreamSource;
  placeNames: LandNames;
  video: (deps: VideoDeps) => { app: Video; start: () => () => void };
  /** Reports to the operator what finished elsewhere; returns the stop function. */
  news: (app: AppContext) => () => void;
}

/** Builds the session of an operator; nothing runs before `start`. */
export function createAppContext(deps: AppContextDeps): AppContext {
  const { user, api, platform, clock, frames } = deps;
  const stream = createFleetStream(deps.streamSource);
  const serverTime = createServerTime(clock);
  const connection = createConnectionStore(stream, frames, serverTime);
  const settings = createSettingsStore();

  const vehicles = createResourceStore<Vehicle>({ idOf: (it) => it.vehicle_id, isOlder: olderByVersion });
  const drivers = createResourceStore<Driver>({ idOf: (it) => it.driver_id, isOlder: olderByVersion });
  const groups = createResourceStore<GroupEntry>({ idOf: (it) => it.group_id, isOlder: olderByVersion });
  const users = createResourceStore<User>({ idOf: (it) => it.user_id, isOlder: olderByVersion });
  const geofences = createResourceStore<Geofence>({ idOf: (it) => it.geozone_id, isOlder: olderByVersion });
  const notifications = createResourceStore<Notification>({
    idOf: (it) => it.notification_id,
    isOlder: (a, b) => a.updated_at < b.updated_at,
  });
  const incidents = createResourceStore<Incident>({
    idOf: (it) => it.incident_id,
    isOlder: (a, b) => a.revision < b.revision,
  });
  const shifts = createResourceStore<Shift>({ idOf: (it) => it.shift_id, isOlder: olderByVersion });
  const snoozes = createSnoozeStore();
  const snoozed = createSnoozedStore();
  const unknownTerminals = createResourceStore<UnknownTerminal>({
    idOf: (it) => it.terminal_id,
    isOlder: (a, b) => a.last_seen_at < b.last_seen_at,
    mayReturn: true,
  });

  const positions = createPositionStore(
    frames,
    deps.heavyFrames,
    () => settings.getState().numbers.idle_speed_kmh,
  );
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
  const mapList = createMapList({ api, clock, settings });
  const addresses = createAddresses({ api, clock, mapList });
  const placeNames = {
    addressOf: (lat: number, lon: number) => addresses.addressOf(lat, lon),
    nameOf: (lat: number, lon: number) => deps.placeNames.nameOf(lat, lon),
    townOf: (lat: number, lon: number) => deps.placeNames.townOf(lat, lon),
    onChange(run: () => void) {
      const undo = [addresses.onChange(run), deps.placeNames.onChange(run)];
      return () => undo.forEach((stop) => stop());
    },
  };
  const places = createPlaceFinder(
    positions,
    () => geofences.store.getState().byId.values(),
    placeNames,
    (points) => addresses.load(points),
  );
  const toasts = createToastStore();
  const trouble = (text: TextKey) =>
    toasts.setState({ toast: { text: deps.t(text), isTrouble: true, action: null } });
  const acks = createAckOutbox({
    api,
    storage: platform.storage,
    userId: user.user_id,
    onDone: (done) => notifications.put(done),
    onSent: (summary) => {
      const text = ackSummaryText(summary, deps.t);
      if (text !== null) toasts.setState({ toast: { text, isTrouble: false, action: null } });
    },
    onRefused: () => trouble('queue.ack_refused'),
  });
  const incidentWork = createIncidentWork({
    api,
    storage: platform.storage,
    userId: user.user_id,
    now: () => serverTime.now(),
    onDone: (done) => incidents.put([done]),
    onRefused: (_, error) =>
      toasts.setState({ toast: { text: failureText(deps, error), isTrouble: true, action: null } }),
  });
  const video = deps.video({
    api,
    stream,
    clock,
    platform,
    user,
    navigation: deps.navigation,
    window: () => {
      const { video_before_s, video_after_s } = settings.getState().numbers;
      return { before_s: video_before_s, after_s: video_after_s };
    },
    now: () => serverTime.now(),
    terminalOf: (vehicleId) => vehicles.store.getState().byId.get(vehicleId)?.terminal_id ?? null,
  });

  /** What the server has, as the stream keeps it. */
  const mirrors = {
    vehicles,
    drivers,
    groups,
    users,
    geofences,
    notifications,
    incidents,
    shifts,
    snoozes,
    unknownTerminals,
    settings,
  };
  const lists = createLists({ api, clock, user, ...mirrors });

  const app: AppContext = {
    user,
    api,
    platform,
    navigation: deps.navigation,
    windows: deps.windows,
    preferences: deps.preferences,
    userPreferences: createUserPreferences({
      api,
      clock,
      stream,
      storage: platform.storage,
      userId: user.user_id,
      onNotSaved: () => trouble('settings.preferences_not_saved'),
    }),
    t: deps.t,
    clock,
    serverTime,
    stream,
    connection: connection.store,
    ...mirrors,
    snoozed,
    userNames: lists.userNames,
    attention: createStore<ReturnType<AppContext['attention']['getState']>>(() => ({ byVehicle: new Map() })),
    arrivals: createStore<ReturnType<AppContext['arrivals']['getState']>>(() => ({ byId: new Map() })),
    positions,
    statuses: statuses.store,
    trails: createTrails(),
    places,
    view: createLiveView(deps.navigation.store.getState().query),
    queueView: createQueueView(platform.storage, user.user_id),
    eventsView: createEventsView(),
    history: createHistory({
      api,
      clock,
      serverTime,
      settings,
      stream,
      vehicles,
      keepTasks: (tasks) => video.app.taskStore.put(tasks),
      user,
      navigation: deps.navigation,
      frames,
    }),
    reportsView: createStore<ReportsView>(() => FIRST_VIEW),
    reportLayouts: createReportLayouts({
      api,
      clock,
      storage: platform.storage,
      userId: user.user_id,
      onNotSaved: () => trouble('reports.layout_not_saved'),
    }),
    toasts,
    vehicleActions: createVehicleActions(api),
    geofenceActions: createGeofenceActions(api),
    snoozeActions: createSnoozeActions(api, snoozes),
    acks,
    incidentWork,
    video: video.app,
    map: createMapControl(),
    mapList,
    openedFiles: createOpenedFiles(),
    mapUploads: createMapUploads({ api, clock, onAdded: mapList.reload }),
    savedViews: createSavedViews({ api, clock }),
    asOf,
    retries: createRetries(),
    retry: lists.retry,
    logout: deps.logout,
    start() {
      const undo = [
        serverTime.start(),
        followFormats(settings),
        connection.start(),
        startFeeds(app, statuses, frames),
        snoozeStore(app),
        startDerived(app, statuses, placeNames),
        leaveGroups(app),
        addresses.start(),
        acks.start(),
        incidentWork.start(),
        startAlarms(
          app,
          createAlarmSound((sound) => readOwnSound(platform.storage, sound)?.bytes ?? null),
        ),
        forgetPast(app),
        video.start(),
        deps.news(app),
        // A wall display shows what is newest, whatever dispatchers select elsewhere.
        app.windows.name === 'wall' ? () => undefined : shareSelection(app),
        app.mapList.start(),
        app.savedViews.start(),
        app.userPreferences.start(),
        app.history.start(),
        app.reportLayouts.start(),
        () => app.mapUploads.stop(),
        lists.start(app),
        platform.onResume(() => stream.tryNow()),
        stream.start(),
      ];
      return () => {
        for (const run of undo.reverse()) run();
        positions.stop();
      };
    },
  };
  return app;
}

/** Keeps what follows from the facts: statuses, attention, names of places. */
function startDerived(
  app: AppContext,
  statuses: ReturnType<typeof createStatusStore>,
  placeNames: { onChange: (run: () => void) => () => void },
): () => void {
  const { vehicles, notifications, geofences, attention, places, serverTime, settings, acks, snoozed } = app;

  const renewAttention = () => {
    const waiting = acks.store.getState().waiting;
    const snoozedById = snoozed.getState().byId;
    // What somebody has snoozed is in somebody's hands as well.
    const visible = [...notifications.store.getState().byId.values()].map((it) =>
      waiting.has(it.notification_id) || snoozedById.has(it.notification_id)
        ? { ...it, state: 'acknowledged' as const }
        : it,
    );
    const byVehicle = attentionByVehicle(visible);
    if (!sameAttention(byVehicle, attention.getState().byVehicle)) attention.setState({ byVehicle });
  };

  const undo = [
    vehicles.store.subscribe((state, before) => {
      if (state.byId !== before.byId) statuses.review();
    }),
    serverTime.ticks.subscribe(() => statuses.review()),
    settings.subscribe(() => statuses.review()),
    notifications.store.subscribe((state, before) => {
      if (state.byId !== before.byId) renewAttention();
    }),
    acks.store.subscribe(renewAttention),
    snoozed.subscribe(renewAttention),
    geofences.store.subscribe((state, before) => {
      if (state.byId !== before.byId) places.renew();
    }),
    placeNames.onChange(() => places.renew()),
  ];
  return () => undo.forEach((run) => run());
}
