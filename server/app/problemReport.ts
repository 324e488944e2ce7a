import { availableParallelism, cpus, freemem, machine, release, totalmem, type, version } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Fact, ProblemReport } from '../contract/problemReport.ts';
import type { SettingsFields, Status } from '../contract/settings.ts';
import type { Health } from '../settings/health.ts';
import type { Store } from '../store/operations.ts';
import { isoTime } from '../telemetry/presentPosition.ts';
import type { Listeners } from './intake.ts';
import type { Stores } from './openStores.ts';
import { createRedact, type Redact } from './redact.ts';

/** Whoever asks again within this time gets the same report: its lines cost some milliseconds of this thread. */
const keptMs = 5_000;
const mostLogLines = 1_000;

/**
 * The settings that a report has; one that is not named here is not in it. The name of the depot, the path of its backups,
 * reasons for closing incidents and checklists are texts that somebody typed.
 */
export const reportedSettings = [
  ...['timezone', 'offline_s', 'settling_s', 'moving_speed_kmh', 'idle_speed_kmh', 'idle_s', 'late_after_s'],
  ...['max_future_s', 'overspeed_tolerance_kmh', 'overspeed_min_duration_s', 'overspeed_clear_s'],
  ...['overspeed_gap_s', 'crossing_max_gap_s', 'dwell_s', 'silent_s', 'trip_radius_m', 'trip_speed_kmh'],
  ...['trip_stop_s', 'trip_ignition_off_s', 'trip_gap_s', 'trip_min_m', 'low_battery_pct'],
  ...['low_battery_clear_pct', 'harsh_acceleration_ms2', 'harsh_braking_ms2', 'harsh_cornering_ms2'],
  ...['harsh_gap_s', 'video_before_s', 'video_after_s', 'video_max_s', 'video_max_downloads'],
  ...['camera_max_bytes', 'camera_timeout_s', 'video_min_free_pct', 'video_min_free_bytes'],
  ...['positions_retention_days', 'events_retention_days', 'audit_retention_days', 'video_retention_days'],
  ...['video_quota_bytes', 'online_maps_cache_bytes', 'session_days', 'jwt_ttl_s', 'osmand_speed_unit'],
  ...['intake_connections', 'intake_connections_per_address', 'intake_idle_s', 'intake_open'],
  ...['backup_daily', 'backup_time', 'backup_keep', 'backup_clips', 'quiet_hours', 'sos_opens_incident'],
] as readonly (keyof SettingsFields)[];

export interface ProblemReportDeps {
  appVersion: string;
  started_ms: number;
  config: Pick<Config, 'apiAccess' | 'jwtTtlS' | 'timezone' | 'intakeHost'>;
  isTls: boolean;
  stores: Stores;
  settings: () => SettingsFields;
  /** Asked for at the moment. */
  health: () => Health;
  status: () => Promise<Status>;
  metrics: () => Promise<{ text: string }>;
  listeners: Readonly<Listeners>;
  store: Pick<Store, 'stats' | 'taskCounts'>;
  snoozes: () => number;
  /** The last lines of the log; null where nobody keeps them. */
  recentLog: (() => string[]) | null;
  clock: Clock;
}

/** Gathers what helps to find a fault; all texts are without secrets. */
export function createProblemReport(deps: ProblemReportDeps): () => Promise<ProblemReport> {
  const { clock } = deps;
  let last: { at_ms: number; report: Promise<ProblemReport> } | null = null;
  return () => {
    const now = clock.monotonic();
    if (last === null || now - last.at_ms >= keptMs) last = { at_ms: now, report: gather(deps) };
    return last.report;
  };
}

async function gather(deps: ProblemReportDeps): Promise<ProblemReport> {
  const { stores, clock } = deps;
  const redact = createRedact(secretsOf(stores));
  const [status, metrics, stats, tasks] = await Promise.all([
    deps.status(),
    deps.metrics(),
    deps.store.stats(),
    deps.store.taskCounts(),
  ]);
  const lines = deps.recentLog?.() ?? null;
  const { free_bytes, total_bytes, reserve_bytes } = status.disk;
  return {
    created_at: isoTime(clock.now()),
    sections: [
      { section: 'program', facts: program(deps), lines: [] },
      { section: 'computer', facts: computer(), lines: [] },
      { section: 'settings', facts: reported(deps), lines: [] },
      { section: 'health', ...healthOf(deps, status, redact) },
      {
        section: 'counts',
        facts: {
          ...countsOf(stores),
          snoozes: deps.snoozes(),
          streams: status.streams,
          positions_stored_since_start: status.store.positions_stored,
          commits_since_start: status.store.commits,
          ...Object.fromEntries(tasks.map((it) => [`video_tasks_${it.status}`, it.count])),
        },
        lines: [],
      },
      {
        section: 'storage',
        facts: {
          database_bytes: stats.bytes,
          map_files_bytes: stores.documents.maps.data.maps.reduce((sum, it) => sum + it.bytes, 0),
          disk_free_bytes: free_bytes,
          disk_total_bytes: total_bytes,
          disk_reserve_bytes: reserve_bytes,
        },
        lines: [],
      },
      {
        section: 'metrics',
        facts: {},
        lines: metrics.text.split('\n').filter((line) => line !== '' && !line.startsWith('#')),
      },
      {
        section: 'log',
        facts: lines === null ? { kept: false } : {},
        lines: await redacted((lines ?? []).slice(-mostLogLines), redact),
      },
    ],
  };
}

/** Others get their turn meanwhile: a thousand lines take 60 ms. */
async function redacted(lines: readonly string[], redact: Redact): Promise<string[]> {
  const shown = [];
  for (const [at, line] of lines.entries()) {
    if (at % 50 === 49) await nextTurn();
    shown.push(redact.logLine(line));
  }
  return shown;
}

function program({ appVersion, started_ms, isTls, config, clock }: ProblemReportDeps): Record<string, Fact> {
  const { node, v8, sqlite, openssl } = process.versions;
  const { rss, heapUsed } = process.memoryUsage();
  return {
    fleetdeck: appVersion,
    node,
    v8,
    sqlite: sqlite ?? null,
    openssl,
    electron: process.versions['electron'] ?? null,
    chromium: process.versions['chrome'] ?? null,
    started_at: isoTime(started_ms),
    up_s: Math.round((clock.now() - started_ms) / 1_000),
    resident_memory_bytes: rss,
    heap_used_bytes: heapUsed,
    tls: isTls,
    api_access: config.apiAccess,
  };
}

function computer(): Record<string, Fact> {
  return {
    system: type(),
    release: release(),
    version: version(),
    machine: machine(),
    processor: cpus()[0]?.model.trim() ?? null,
    cores: availableParallelism(),
    memory_bytes: totalmem(),
    free_memory_bytes: freemem(),
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

function reported({ settings, stores, config }: ProblemReportDeps): Record<string, Fact> {
  const all = settings();
  const { smtp, webhook_secret } = stores.documents.channels.data;
  return {
    ...Object.fromEntries(reportedSettings.map((name) => [name, all[name]])),
    backup_folder_set: all.backup_folder !== '',
    mail_server_set: smtp !== null,
    mail_security: smtp?.security ?? null,
    mail_port: smtp?.port ?? null,
    mail_login: smtp !== null && smtp.username !== null,
    webhook_secret_set: webhook_secret !== null,
    secrets_kept_by: stores.secretsKeptBy,
    overridden_by_command_line:
      [
        ...(config.jwtTtlS === null ? [] : ['jwt_ttl_s']),
        ...(config.timezone === null ? [] : ['timezone']),
        ...(config.intakeHost === null ? [] : ['intake_open']),
      ].join(', ') || null,
  };
}

function healthOf(
  { health, listeners }: ProblemReportDeps,
  status: Status,
  redact: Redact,
): { facts: Record<string, Fact>; lines: string[] } {
  const { status: now, reasons } = health().asSeenByItsOwner();
  const ports = Object.entries(listeners).map(([name, { listener }]) => [
    `${name}_connections`,
    listener.connections(),
  ]);
  return {
    facts: {
      status: now,
      ...(Object.fromEntries(ports) as Record<string, number>),
      intake_error: status.intake_error === null ? null : redact.text(status.intake_error),
      geofences_not_monitored: status.geofences_not_monitored.length,
      users_blocked_until_confirmed: status.users_blocked_until_confirmed,
    },
    lines: [
      ...reasons.map(({ code, since, detail }) => `${since} ${code}: ${redact.text(detail ?? '')}`),
      ...status.store.recoveries.map((it) => `${it.at} ${it.document} restored from ${it.restored_from}`),
    ],
  };
}

function countsOf({ collections, documents }: Stores): Record<string, Fact> {
  const { users, groups, vehicles, drivers, geofences, rules, profiles, apiTokens } = collections;
  const archived = vehicles.all().filter((it) => it.archived_at !== null).length;
  return {
    users: users.all().length,
    groups: groups.all().length,
    vehicles: vehicles.all().length - archived,
    vehicles_archived: archived,
    drivers: drivers.all().length,
    geofences: geofences.all().length,
    rules: rules.all().length,
    video_profiles: profiles.all().length,
    api_tokens: apiTokens.all().length,
    map_files: documents.maps.data.maps.filter((it) => it.online === null).length,
    online_maps: documents.maps.data.maps.filter((it) => it.online !== null).length,
  };
}

/** All that this host keeps as secret. */
function* secretsOf({ secretKey, documents }: Stores): Generator<string> {
  const { smtp, webhook_secret } = documents.channels.data;
  yield Buffer.from(secretKey).toString('base64url');
  for (const secret of [smtp?.password, webhook_secret]) if (typeof secret === 'string') yield secret;
  yield* Object.values(documents.secrets.data.secrets);
}
