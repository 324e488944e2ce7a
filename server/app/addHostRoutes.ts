import { appVersion, isLoopback, type Config } from '../config.ts';
import type { FirstRun } from '../auth/firstRun.ts';
import type { Backups } from '../backup/backups.ts';
import { addBackupRoutes } from '../backup/backupRoutes.ts';
import type { Clock } from '../clock.ts';
import type { Geofences } from '../geofences/geofences.ts';
import type { Api } from '../http/api.ts';
import type { Machine } from '../http/machineAddresses.ts';
import type { Pipeline } from '../pipeline.ts';
import type { Health } from '../settings/health.ts';
import { addServiceRoutes } from '../settings/serviceRoutes.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { StreamHub } from '../stream/streamHub.ts';
import type { HashQueue } from '../users/hashQueue.ts';
import type { DiskSpace } from '../video/videoFiles.ts';
import { hostStatus } from './hostStatus.ts';
import type { Intake } from './intake.ts';
import type { IntakeBinding } from './intakeBinding.ts';
import type { createMetrics } from './metrics.ts';
import type { Notifying } from './openNotifications.ts';
import type { Stores } from './openStores.ts';
import { createProblemReport } from './problemReport.ts';

/** Adds the routes about the host itself: its settings, backups, health, metrics, status and problem report. */
export function addHostRoutes(
  api: Api,
  deps: {
    started_ms: number;
    config: Config;
    isTls: boolean;
    machine: Machine;
    stores: Stores;
    settings: SettingsStore;
    backups: Backups;
    opening: IntakeBinding;
    intake: Pick<Intake, 'listeners'>;
    pipeline: Pick<Pipeline, 'rescheduleTimers'>;
    notifying: Pick<Notifying, 'snoozes' | 'deliveries'>;
    geofences: Pick<Geofences, 'all' | 'notMonitored'>;
    hub: Pick<StreamHub, 'listeners'>;
    hashQueue: Pick<HashQueue, 'waiting'>;
    firstRun: Pick<FirstRun, 'code'>;
    metrics: ReturnType<typeof createMetrics>;
    health: Pick<Health, 'has'>;
    /** The same, after a look at the host. */
    healthNow: () => Health;
    /** Of the disk where the data folder lies. */
    space: () => Promise<DiskSpace>;
    /** The last lines of the log; null where nobody keeps them. */
    recentLog: (() => string[]) | null;
    clock: Clock;
  },
): void {
  const { started_ms, config, isTls, stores, settings, backups, opening, hub, metrics, healthNow } = deps;
  const { space, clock } = deps;
  const { listeners } = deps.intake;
  const store = stores.telemetry;
  const { snoozes, deliveries } = deps.notifying;
  const metricsNow = async () => ({
    contentType: metrics.contentType,
    text: await metrics.text({
      store,
      space,
      listeners,
      has: (code) => deps.health.has(code),
      streams: () => hub.listeners(),
      queues: {
        passwords: () => deps.hashQueue.waiting(),
        deliveries: () => deliveries.waiting(),
      },
    }),
  });
  const statusNow = () =>
    hostStatus({
      version: appVersion,
      started_ms,
      stores,
      space,
      listeners,
      settings: () => settings.now(),
      opening,
      machine: deps.machine,
      insecureLan: config.insecureLan && !isTls && !isLoopback(config.host),
      streams: () => hub.listeners(),
      geofences: deps.geofences,
      clock,
    });
  addBackupRoutes(api, { backups });
  addServiceRoutes(api, {
    settings: {
      ...settings,
      async patch(patch, ifMatch) {
        await backups.check(settings.now(), settings.check(patch, ifMatch));
        const changed = await opening.patch(patch, ifMatch);
        deps.pipeline.rescheduleTimers();
        return changed;
      },
    },
    version: appVersion,
    setupNeeded: () => deps.firstRun.code() !== null,
    health: healthNow,
    metrics: metricsNow,
    confirmRecoveries: (names) => stores.recoveries.confirm(names),
    status: statusNow,
    problemReport: createProblemReport({
      appVersion,
      started_ms,
      config,
      isTls,
      stores,
      settings: () => settings.now(),
      health: healthNow,
      status: statusNow,
      metrics: metricsNow,
      listeners,
      store,
      snoozes: () => snoozes.all().length,
      recentLog: deps.recentLog,
      clock,
    }),
  });
}
