import { createServer as createHttpServer } from 'node:http';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { Logger } from 'pino';
import { acceptRequests } from './app/acceptRequests.ts';
import { addHostRoutes } from './app/addHostRoutes.ts';
import { addRoutes } from './app/addRoutes.ts';
import { createPurge, purgeArchived, startRetention } from './app/retention.ts';
import { usersUnconfirmed } from './app/hostStatus.ts';
import { recordTroubles } from './app/hostEvents.ts';
import { createIntake } from './app/intake.ts';
import { intakeState } from './app/intakeState.ts';
import { createIntakeBinding } from './app/intakeBinding.ts';
import { openOwnNames } from './app/openOwnNames.ts';
import { openReports } from './app/openReports.ts';
import { openRepositories } from './app/openRepositories.ts';
import { openNotifications } from './app/openNotifications.ts';
import { openShifts } from './app/openShifts.ts';
import { openStores } from './app/openStores.ts';
import { openStream } from './app/openStream.ts';
import { openTerminalCommands } from './app/openTerminalCommands.ts';
import { openVideo } from './app/openVideo.ts';
import { createMetrics } from './app/metrics.ts';
import { publishCurrentDrivers, subscribeToChanges } from './app/subscribeToChanges.ts';
import { watchEventLoop } from './app/watchEventLoop.ts';
import { watchHost, watchWrites } from './app/watchHost.ts';
import { watchOverdue } from './app/watchOverdue.ts';
import { createSleepWatch } from './app/sleepWatch.ts';
import { unknownTerminalItem } from './app/changeFeed.ts';
import { appVersion, readTls, isLoopback, type Config } from './config.ts';
import { createApiTokens, endTokens } from './auth/apiTokens.ts';
import { standingOf } from './auth/authRoutes.ts';
import { createAuthorization } from './auth/authorization.ts';
import { createFirstRun } from './auth/firstRun.ts';
import { deriveKey, createTokens } from './auth/tokens.ts';
import { loadSessions } from './auth/sessions.ts';
import { openBackups } from './backup/backups.ts';
import { systemClock, type Clock } from './clock.ts';
import { apiRoutes } from './contract/api.ts';
import { setupRoute, setupStateRoute } from './contract/auth.ts';
import type { ListenerName } from './contract/intake.ts';
import { meetsLevel, effectiveRights } from './contract/rights.ts';
import type { Rule } from './contract/rules.ts';
import { createGeofenceWork } from './geofences/geofenceWork.ts';
import { createIncidentSight } from './incidents/presentIncident.ts';
import { createIncidentPdfLine } from './incidents/incidentExports.ts';
import { loadIncidents } from './incidents/incidents.ts';
import { openSnapshotFiles } from './incidents/snapshotFiles.ts';
import { createApi } from './http/api.ts';
import { createFront, requestTimes, type Front } from './http/frontServer.ts';
import { createHttpApp } from './http/httpApp.ts';
import { createIdempotency } from './http/idempotency.ts';
import { createCallLimits, contractLimits, type Limits } from './http/rateLimit.ts';
import { createOpenApi } from './http/openApi.ts';
import { thisMachine, type Machine } from './http/machineAddresses.ts';
import { createStaticFiles } from './http/staticFiles.ts';
import { mapFolderOf, openMaps } from './maps/maps.ts';
import { openMapUploads } from './maps/mapUploads.ts';
import { openMapRegions } from './maps/regions/mapRegions.ts';
import { openOnlineMaps } from './maps/online/onlineMaps.ts';
import { createAcknowledger } from './notifications/acknowledge.ts';
import { startQuietList } from './notifications/quietList.ts';
import { createRecentNotifications, retentionMs } from './notifications/recentNotifications.ts';
import { createPlacesWithin } from './places/boundedPlaces.ts';
import { createPlaces } from './places/places.ts';
import { openPlaceSearch } from './places/search/placeSearch.ts';
import { createPreviewWork } from './preview/previewWork.ts';
import { createPipeline } from './pipeline.ts';
import { createHistoryLine } from './history/historyRoutes.ts';
import { createHealth } from './settings/health.ts';
import { createSettings } from './settings/settings.ts';
import { createTrackFiles } from './telemetry/trackImport/trackImport.ts';
import { createUnknownTerminals } from './telemetry/unknownTerminals.ts';
import type { SecretBox } from './store/sealing.ts';
import type { HubLimits } from './stream/streamHub.ts';
import { createShares, endShares } from './shares/shares.ts';
import { createHashQueue } from './users/hashQueue.ts';
import { createPasswordHasher, type PasswordHasher } from './users/passwordHasher.ts';
import { createOwnAddress } from './video/ownAddress.ts';
import { reserveOf } from './video/diskQuota.ts';
import { diskSpace } from './video/videoFiles.ts';

export type { Cause } from './contract/causes.ts';
export { causeOf, detailOf } from './contract/causeTexts.ts';
export {
  languageOfTags,
  languages,
  localeOf,
  type Language,
  type TranslatedLanguage,
  type Translation,
} from './contract/languages.ts';
export { createLookUp, type Texts, type Values } from './contract/texts/lookUp.ts';
export { createDealer as makeDealer, giveApiAccessOn } from './app/createDealer.ts';
export { createRedact } from './app/redact.ts';
export { startupError as startRefusal, startupFault } from './app/startupError.ts';
export { backUpFolder } from './app/backUpFolder.ts';
export { restoreBackup } from './backup/restoreBackup.ts';
export { startRemoteConsole, type RemoteConsole } from './remote/remoteConsole.ts';
export { lookForHosts, type FoundHost } from './remote/discovery.ts';
export { probeHost, type Probe } from './remote/hostFacts.ts';
export { readFingerprint } from './remote/remoteHost.ts';
export { boxOf, type SecretBox } from './store/sealing.ts';
export { watchEventLoop } from './app/watchEventLoop.ts';
export { keepRecent, openLogFile, type LogFile } from './app/logFile.ts';
export { readLogLevel, readMediaAddress, standardPorts, type Config, type LogOptions } from './config.ts';

export interface StartOptions {
  config: Config;
  log: Logger;
  /** Where the built console lies. */
  consoleFolder: string;
  /** Encrypts secrets in the data folder; left out: they are stored as text in files of their owner alone. */
  secretBox?: SecretBox | null;
  /** The last lines of the log, for problem reports; left out where nobody keeps them. */
  recentLog?: () => string[];
  /** Why the run before this one ended although nobody asked for it, in words; null: it did not. */
  earlierEnd?: string | null;
  clock?: Clock;
  /** Other numbers than the given ones; for tests and benchmarks alone. */
  limits?: Limits;
  /** The same for streams. */
  streamLimits?: Partial<HubLimits>;
  /** Checks each reply against its contract; for tests. */
  checkReplies?: boolean;
  /** Why no write of the store is to succeed now; null: they do. For tests alone. */
  writeFault?: () => Error | null;
  /** Reads what the disk of a folder has; for tests alone. */
  readSpace?: typeof diskSpace;
  /** Hashes and checks passwords in another way than by the costly work that is due; for tests alone. */
  passwordHasher?: PasswordHasher;
  /** Where the intake listens when the settings open it to the network, instead of at all addresses; for tests. */
  openIntakeHost?: string;
  /** What this machine says of its network, instead of what the system says; for tests. */
  machine?: Machine;
}

export interface RunningHost {
  /** On this machine. */
  url: string;
  /** That, and those by which others reach it where it listens at all addresses. */
  urls: string[];
  /** SHA-256 of the certificate that this host has signed itself, as browsers show it; null without. */
  certificateSha256: string | null;
  /** For the first run, while there is no user. */
  setupCode: string | null;
  /** The port of each intake; null for one that is not there. */
  intake: Record<ListenerName, number | null>;
  /** Videos that are being fetched now. */
  downloads(): number;
  /** Open notifications of severity `alarm`, snoozed ones too; 100 stands for more. */
  openAlarms(): Promise<number>;
  /** Takes no more, stores what was accepted, lets the data folder go. */
  close(): Promise<void>;
}

/** Builds the host from its parts and starts it. Throws what `startRefusal` puts into one line. */
export async function startServer(options: StartOptions): Promise<RunningHost> {
  const { config, log } = options;
  // What calls leave behind is garbage at once. By default V8 lets 130 MB of it pile up in the young heap, and the old
  // one grow fourfold before it looks; all that is more than the rest of a small depot's host takes.
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=100');
  const clock = options.clock ?? systemClock;
  const started_ms = clock.now();
  const givenTls = await readTls(config);
  const health = createHealth(clock);
  const sleep = createSleepWatch({ clock, health, log });
  const metrics = createMetrics(clock);
  const onWrite = watchWrites(health);
  const stores = await openStores(config.data, clock, log, {
    secretBox: options.secretBox ?? null,
    ...(options.writeFault === undefined ? {} : { writeFault: options.writeFault }),
    onWrite: ({ ms, error }) => {
      metrics.onWrite(ms);
      onWrite(error);
    },
  }).catch((error: unknown) => {
    metrics.close();
    throw error;
  });
  const undo: (() => Promise<void> | void)[] = [() => metrics.close(), () => stores.close()];
  let front: Front | null = null;
  async function close(): Promise<void> {
    for (const step of undo.splice(0).reverse()) await step();
  }

  try {
    const { documents, telemetry: store } = stores;
    const space = () => (options.readSpace ?? diskSpace)(stores.path);
    const overrides = {
      ...(config.jwtTtlS === null ? {} : { jwt_ttl_s: config.jwtTtlS }),
      ...(config.timezone === null ? {} : { timezone: config.timezone }),
      ...(config.intakeHost === null ? {} : { intake_open: !isLoopback(config.intakeHost) }),
    };
    const settings = createSettings(documents.settings, overrides, clock, () => documents.maps.data.version);
    const numbers = () => settings.now();
    const machine = options.machine ?? thisMachine;
    const own = await openOwnNames({
      config,
      folder: stores.path,
      machine,
      givenTls,
      onRenewed: (renewed) => front?.setCertificate(renewed),
      clock,
      log,
      undo,
    });
    const { ownNames, certificate } = own;
    const isTls = certificate !== null;

    /** Those that this host listens on, as they open. */
    const ports: number[] = [];
    const isOwnAddress = createOwnAddress(() => ports);

    // Passwords, and who waits for them.
    const limits = createCallLimits(options.limits ?? contractLimits);
    const sessions = await loadSessions(store, clock, () => numbers().session_days);
    undo.push(() => sessions.close());
    const hasher = options.passwordHasher ?? createPasswordHasher();
    undo.push(() => hasher.close());
    const hashQueue = createHashQueue((requester) => standingOf(requester, { sessions, limits, clock }));

    // The ground under it all.
    const freeBytes = async () => {
      const { free, total } = await space();
      return free - reserveOf(total, numbers());
    };
    const online = await openOnlineMaps({
      folder: mapFolderOf(stores.path),
      maps: documents.maps.data.maps.filter((it) => it.online !== null).map((it) => it.map_id),
      cacheBytes: () => numbers().online_maps_cache_bytes,
      freeBytes,
      isOwnAddress,
      userAgent: `Fleetdeck/${appVersion}`,
      clock,
      log,
    });
    const maps = await openMaps({ document: documents.maps, folder: stores.path, online, clock, log });
    const places = createPlaces(maps);
    const placesWithin = createPlacesWithin({ places, clock, log });
    undo.push(
      () => online.close(),
      () => maps.close(),
      () => places.close(),
    );

    // Who there is, and what they watch over.
    const geofenceWork = createGeofenceWork();
    undo.push(() => geofenceWork.close());
    const endWithTokens = () =>
      endShares(
        stores.collections.shares,
        ({ token_id }) => token_id !== null && stores.collections.apiTokens.get(token_id) === undefined,
      );
    const depot = await openRepositories({
      stores,
      settings: numbers,
      isOwnAddress,
      geofenceWork,
      listeningSince: sleep.listeningSince,
      clock,
      log,
      sessions: {
        endAll(userId, act) {
          sessions.endAll(userId, act);
          endTokens(stores.collections.apiTokens, userId);
          endWithTokens();
        },
      },
      endSnoozes: (...gone) => snoozes.gone(...gone),
      archiveIncidents: (...archived) => incidents.archive(...archived),
      terminalsGiven: (...given) => unknown.forget(...given),
      between: (change) => pipeline.runExclusive(change),
      hash: (password, by) => hashQueue.run(by, () => hasher.hash(password)),
    });
    const { users, vehicles, fleet, geofences, rules } = depot;
    const notifying = await openNotifications({
      ...depot,
      stores,
      settings: numbers,
      isOwnAddress,
      placesWithin,
      onDuty: () => onShift.shifts.usersOnDuty(),
      between: (change) => pipeline.runExclusive(change),
      onEscalated: (notifications, written) => feed.publish(written, shown.among({ notifications })),
      clock,
      log,
    });
    undo.push(() => notifying.close());
    const { snoozes, deliveries, escalations, escalationViews } = notifying;
    const onShift = openShifts({ stores, depot, clock, log });
    undo.push(() => onShift.close());

    // Who may come in.
    const tokens = createTokens(stores.secretKey, `fleetdeck:${settings.instanceId}`, clock);
    const apiTokens = createApiTokens({
      collection: stores.collections.apiTokens,
      store,
      uses: await store.tokenUses(),
      userOf: (userId) => users.get(userId),
      groupIds: () => depot.groups.all().map((it) => it.group_id),
      sign: (token) => tokens.signApiToken(token),
      checkGranted: (user) => authorization.checkGranted(user),
      endWithTokens,
      clock,
      log,
    });
    undo.push(() => apiTokens.close());
    const authorization = createAuthorization({
      users,
      sessions,
      hasher,
      tokens,
      apiTokens,
      apiAccess: config.apiAccess,
      ownNames,
      clock,
      instanceId: settings.instanceId,
      jwtTtlS: () => numbers().jwt_ttl_s,
      usersUnconfirmed: () => usersUnconfirmed(stores),
    });
    const shares = createShares({
      ...depot,
      collection: stores.collections.shares,
      viewerFor: (...whom) => apiTokens.actingFor(...whom),
      placesWithin,
      settings: numbers,
      clock,
      onFault: (error) => log.error({ err: error }, 'shares that have expired were not removed'),
    });
    undo.push(() => shares.close());
    const firstRun = createFirstRun(users, ownNames, settings);

    // Who looks on.
    const incidentSight = createIncidentSight({
      ...depot,
      userName(id) {
        const user = users.get(id);
        return user === undefined ? null : (user.name ?? user.login);
      },
    });
    const stream = openStream({
      ...depot,
      snoozes,
      shifts: onShift.shifts,
      escalationViews,
      presentTask: (row) => video.tasks.present(row),
      incidentSight,
      profiles: () => video.profiles,
      settings,
      health,
      overdue: () => overdue.all(),
      store,
      clock,
      limits: options.streamLimits ?? {},
    });
    const { shown, hub, feed } = stream;
    undo.push(
      () => depot.currentDrivers.close(),
      publishCurrentDrivers({ ...depot, store, feed, shown, log }),
    );
    const overdue = watchOverdue({
      fleet,
      vehicles: () => vehicles.all().filter((it) => it.archived_at === null),
      settings: numbers,
      onChange: stream.publishOverdue,
      onSilence: (cause) => health.set('intake_silent', cause),
      listeningSince: sleep.listeningSince,
      clock,
    });
    undo.push(
      () => overdue.stop(),
      () => hub.close(),
      () => stream.stop(),
    );
    // The command line may hold others than before.
    feed.publish(
      await store.recordChanges([{ topic: 'settings', resource_id: 'settings', visible_to: null }]),
      () => undefined,
    );

    // The road of a position.
    const unknown = createUnknownTerminals({
      store,
      clock,
      log,
      onUnknownTerminal: (rows) => hub.publish(rows.map(unknownTerminalItem)),
    });
    undo.push(() => unknown.close());
    const recent = createRecentNotifications(
      await store.recentNotifications(clock.now() - retentionMs),
      clock,
    );
    // Rights can be lost after a rule was made.
    const mayOrderVideo = ({ owner_id }: Rule) => {
      const owner = owner_id === null ? null : users.get(owner_id);
      return owner === null || (owner !== undefined && meetsLevel(effectiveRights(owner).video, 'write'));
    };
    const pipeline = createPipeline({
      store,
      fleet,
      recent,
      vehicleOf: (terminalId) => vehicles.byTerminal(terminalId),
      vehicleById: (id) => {
        const vehicle = vehicles.get(id);
        return vehicle?.archived_at === null ? vehicle : undefined;
      },
      vehicles: () => vehicles.all().filter((it) => it.archived_at === null),
      geofences: () => geofences.index(),
      rules: () => rules.all(),
      inScope: (rule, vehicleId, geozoneId) => rules.inScope(rule, vehicleId, geozoneId),
      snoozedUntil: (row) => snoozes.snoozedUntil(row),
      planEscalations: (fired) => escalations.plan(fired),
      settings: numbers,
      planVideo: ({ vehicle_id, last_ms }, rule, window, eventId) =>
        vehicle_id !== null && mayOrderVideo(rule)
          ? video.planForRule(vehicle_id, last_ms, window, eventId, rule)
          : [],
      listeningSince: sleep.listeningSince,
      clock,
      log,
      reloadState: async () => {
        const seq = await store.lastSeq();
        fleet.reload(await store.vehicleStates());
        recent.reload(await store.recentNotifications(clock.now() - retentionMs));
        await escalations.reload();
        // Clients receive what was stored but not published when they reconnect.
        hub.restart(seq);
      },
      onUnknown: (arrivals) => unknown.noted(arrivals),
      onCommitted: ({ positions, batch, ordered, written }) => {
        // What is published shows when they escalate.
        escalations.adopt(batch.escalations);
        depot.currentDrivers.onStored(batch.positions);
        hub.publishPositions(positions.map((row) => row.vehicle_id));
        stream.lateTracks.stored(batch.positions);
        incidents.adopt(written.incidents ?? []);
        feed.publish(written, shown.among({ ...batch, incidents: written.incidents }));
        video.adopt(ordered);
        deliveries.adopt(batch.deliveries);
      },
    });
    undo.push(() => pipeline.close(), sleep.start());
    const incidents = await loadIncidents({
      ...{ store, vehicles, drives: depot.drives, placesWithin, recent, health, clock, log },
      acts: stores.collections.acts,
      sight: incidentSight,
      between: (change) => pipeline.runExclusive(change),
      publish(written) {
        escalations.ended(written.notifications);
        feed.publish(written, shown.among(written));
      },
      publishArchived(vehicleId, written) {
        const changed = shown.among(written);
        feed.publish(written, (change) => changed(change) ?? shown.silent(vehicleId));
      },
    });
    undo.push(() => incidents.close());
    stores.collections.vehicles.onStaged((changes, act) => incidents.regroup(changes, act));
    stores.collections.users.onStaged((changes, act) => incidents.disown(changes, act));
    const snapshots = await openSnapshotFiles({ folder: stores.path, store, freeBytes, log });
    const incidentPdf = createIncidentPdfLine();
    undo.push(() => incidentPdf.close());
    const intake = createIntake({ ...depot, config, accept: pipeline.accept, settings: numbers, clock, log });
    const openHost = options.openIntakeHost ?? '0.0.0.0';
    const opening = createIntakeBinding({ settings, intake, config, openHost, log });

    await notifying.start();
    const commands = await openTerminalCommands({
      store,
      acts: stores.collections.acts,
      vehicles,
      intake,
      stream,
      clock,
      log,
      undo,
    });

    // The road of a video.
    const video = await openVideo({
      stores,
      config,
      appVersion,
      settings: numbers,
      depot,
      stream,
      intake,
      intakeHost: opening.host(),
      isOwnAddress,
      placesWithin,
      commitWithEvents: (...ended) => pipeline.raise(...ended),
      isNeeded: (taskId) => incidents.keeps(taskId),
      onChange(tasks, written) {
        incidents.adopt(written.incidents ?? []);
        feed.publish(written, shown.among({ tasks, incidents: written.incidents }));
      },
      clock,
      log,
      undo,
    });
    // Tasks that end at once, of files that lie there already, go through the pipeline, which asks `video`.
    await video.start();
    undo.push(() => video.close());
    incidents.start();

    onShift.shifts.start();
    const reports = await openReports({
      folder: stores.path,
      schedules: stores.collections.reportSchedules,
      sendReportMail: notifying.sendReportMail,
      ...{ store, depot, apiTokens, placesWithin, settings: numbers, maps, health, freeBytes, clock, log },
    });
    undo.push(() => reports.close());

    const purge = createPurge({
      ...{ pipeline, fleet, deliveries, escalations, incidents, snapshots, commands, video, vehicles, store },
    });

    undo.push(
      ...subscribeToChanges({
        acts: stores.collections.acts,
        users,
        vehicles,
        geofences,
        rules,
        snoozes,
        sessions,
        apiTokens,
        feed,
        hub,
        shown,
        sightChanged: (...user) => reports.jobs.sightChanged(...user),
        log,
        rescheduleTimers: (vehicleIds) => pipeline.rescheduleTimers(vehicleIds),
      }),
    );
    const acknowledge = createAcknowledger({
      store,
      recent,
      between: (change) => pipeline.runExclusive(change),
      onSaved(notifications, written) {
        escalations.ended(notifications);
        incidents.adopt(written.incidents ?? []);
        feed.publish(written, shown.among({ notifications, incidents: written.incidents }));
      },
    });
    undo.push(startQuietList({ store, acknowledge, settings: numbers, clock, log }));
    const uploads = await openMapUploads({ maps, freeBytes, clock, log });
    undo.push(
      startRetention({
        store,
        settings: numbers,
        publish: (written) => feed.publish(written, () => undefined),
        others: [
          () => sessions.prune(),
          () => apiTokens.prune(),
          () => depot.assignments.prune(clock.now() - numbers().positions_retention_days * 86_400_000),
          () => video.prune(),
          () => snapshots.sweep(),
          () => uploads.prune(),
          // Of what was archived so long ago nothing is left that is still to be kept.
          async () => {
            const { positions_retention_days, events_retention_days, video_retention_days } = numbers();
            const days = Math.max(positions_retention_days, events_retention_days, video_retention_days);
            await purgeArchived(vehicles, purge, clock.now() - days * 86_400_000);
          },
        ],
        clock,
        log,
      }),
    );

    const watch = watchHost({
      health,
      store,
      space,
      settings: numbers,
      intakeFault: () => opening.shut(),
      documentFault: () => documents.settings.fault() ?? documents.channels.fault() ?? documents.maps.fault(),
      restored: () => stores.recoveries.pending().map((it) => it.document),
      channelFaults: () => deliveries.faults(),
      unreadableSecrets: stores.unreadableSecrets,
      earlierEnd: options.earlierEnd ?? null,
      onClockSet: (jump_ms) => void escalations.clockSet(jump_ms),
      clock,
      log,
    });
    undo.push(
      () => watch.stop(),
      // A clock that is driven by hand says nothing of this thread.
      options.clock === undefined ? watchEventLoop({ health, clock, log }) : () => undefined,
      await recordTroubles({ health, store, raise: (updates) => pipeline.raiseOfHost(updates), clock, log }),
    );

    const logExport = (operation: string, asked: object) => {
      store.logExport({ operation, asked }).catch((error: unknown) => {
        log.error({ err: error, operation }, 'an export was not written to the audit log');
      });
    };
    const backups = await openBackups({
      folder: stores.path,
      instanceId: settings.instanceId,
      appVersion,
      settings: numbers,
      secretsKeptBy: stores.secretsKeptBy,
      health,
      readSpace: options.readSpace ?? diskSpace,
      onMade: (made) => logExport('startBackup', made),
      clock,
      log,
    });
    undo.push(() => backups.close());

    // What was, tried and reported.
    const telemetryFile = join(stores.path, 'telemetry.db');
    const past = createPreviewWork(telemetryFile);
    const history = createHistoryLine(telemetryFile);
    const trackFiles = createTrackFiles();
    undo.push(async () => {
      await Promise.all([past.close(), history.close(), trackFiles.close()]);
    });

    const placeSearch = await openPlaceSearch({ maps, log });
    undo.push(() => placeSearch.close());
    const regions = await openMapRegions({ maps, freeBytes, isOwnAddress, clock, log });
    undo.push(() => regions.close());

    // The listeners.
    const api = createApi({
      idempotency: createIdempotency({ store, key: deriveKey(stores.secretKey, 'idempotency') }),
      checkReplies: options.checkReplies === true,
      onExport: logExport,
    });
    addRoutes(api, {
      authorization,
      sessions,
      apiTokens,
      firstRun,
      limits,
      hashQueue,
      ...depot,
      notifying,
      onShift,
      recent,
      acknowledge,
      incidents,
      incidentSight,
      snapshots,
      incidentPdf,
      pipeline,
      commands,
      video,
      hub,
      store,
      past,
      reports,
      history,
      trackFiles,
      geofenceWork,
      maps,
      uploads,
      regions,
      places,
      placesWithin,
      placeSearch,
      settings: numbers,
      purgeVehicle: purge,
      shares,
      urls: () => own.urls(ports[0] ?? config.port),
      clockSuggestion: (terminalId) => intake.clocks.suggested(terminalId),
      intake,
      intakeState: () =>
        intakeState({ intake, opening, machine, mediaAddress: config.mediaAddress, vehicles }),
      isOwnAddress,
      clock,
      tls: isTls,
    });
    const healthNow = () => {
      watch.look();
      return health;
    };
    addHostRoutes(api, {
      started_ms,
      config,
      isTls,
      machine,
      stores,
      settings,
      backups,
      opening,
      intake,
      pipeline,
      notifying,
      geofences,
      hub,
      hashQueue,
      firstRun,
      metrics,
      health,
      healthNow,
      space,
      recentLog: options.recentLog ?? null,
      clock,
    });
    const app = createHttpApp({
      api,
      routes: [...apiRoutes, setupStateRoute, setupRoute],
      ownNames,
      identify: (request) => authorization.identify(request),
      onAdmitted: ({ token }) => {
        if (token !== undefined) apiTokens.used(token.token_id);
      },
      limits,
      isShown: shares.isShown,
      clock,
      log,
      onReply: metrics.onReply,
      pages: createStaticFiles({
        consoleFolder: options.consoleFolder,
        openApi: () => createOpenApi(apiRoutes, appVersion),
      }),
      // A browser would refuse the next certificate that it does not know, and offer no way past it.
      hsts: givenTls !== null,
    });
    const tls = certificate?.() ?? null;
    front = createFront(createHttpServer(requestTimes, app), tls === null ? {} : { tls });
    const reached = await acceptRequests({
      front,
      hub,
      intake,
      opening,
      own,
      ports,
      folder: stores.path,
      config,
      machine,
      settings,
      users,
      firstRun,
      backups,
      healthNow,
      clock,
      log,
      undo,
    });
    return {
      ...reached,
      downloads: () => video.running(),
      async openAlarms() {
        const rows = await store.notifications({ state: 'open', severities: ['alarm'], limit: 100 });
        return rows.length;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
