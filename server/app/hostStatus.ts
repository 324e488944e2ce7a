import { detailOf } from '../contract/causeTexts.ts';
import type { Clock } from '../clock.ts';
import type { SettingsFields, Status } from '../contract/settings.ts';
import type { Geofences } from '../geofences/geofences.ts';
import type { ListenerInfo, Listeners } from './intake.ts';
import { listenerStatus } from './intakeState.ts';
import type { IntakeBinding } from './intakeBinding.ts';
import type { Stores } from './openStores.ts';
import { reachableAddresses, type Machine } from '../http/machineAddresses.ts';
import { isoTime } from '../telemetry/presentPosition.ts';
import { reserveOf } from '../video/diskQuota.ts';
import type { DiskSpace } from '../video/videoFiles.ts';

export interface StatusDeps {
  version: string;
  started_ms: number;
  stores: Stores;
  listeners: Listeners;
  /** Of the disk where the data folder lies. */
  space: () => Promise<DiskSpace>;
  settings: () => SettingsFields;
  opening: Pick<IntakeBinding, 'host' | 'openHost' | 'isOpen' | 'fault'>;
  machine: Machine;
  insecureLan: boolean;
  streams: () => number;
  geofences: Pick<Geofences, 'all' | 'notMonitored'>;
  clock: Clock;
}

/** What `GET /api/v1/status` returns to dealers. */
export async function hostStatus(deps: StatusDeps): Promise<Status> {
  const { stores } = deps;
  const [stats, disk] = await Promise.all([stores.telemetry.stats(), deps.space()]);
  const { listeners } = deps;
  const fault = deps.opening.fault();
  return {
    version: deps.version,
    started_at: isoTime(deps.started_ms),
    intake: {
      osmand: intakeOf(listeners.osmand),
      teltonika: intakeOf(listeners.teltonika),
      wialon: intakeOf(listeners.wialon),
      jt808: intakeOf(listeners.jt808),
      jt1078: intakeOf(listeners.jt1078),
    },
    intake_error: fault === null ? null : detailOf(fault),
    ...(fault === null ? {} : { intake_error_causes: fault }),
    addresses: reachableAddresses(deps.opening.host(), deps.machine),
    intake_open: deps.opening.isOpen(),
    terminal_addresses: reachableAddresses(deps.opening.openHost(), deps.machine),
    insecure_lan: deps.insecureLan,
    store: {
      recoveries: stores.recoveries.pending().map(({ document, quarantinedAs, restoredFrom, at }) => ({
        document,
        quarantined_as: [...quarantinedAs],
        restored_from: restoredFrom,
        at,
      })),
      positions_stored: stats.positions,
      commits: stats.commits,
    },
    disk: {
      free_bytes: disk.free,
      total_bytes: disk.total,
      reserve_bytes: Math.round(reserveOf(disk.total, deps.settings())),
    },
    streams: deps.streams(),
    geofences_not_monitored: deps.geofences.all().flatMap(({ geozone_id, name }) => {
      const refusal = deps.geofences.notMonitored(geozone_id);
      return refusal === null ? [] : [{ geozone_id, name, ...refusal }];
    }),
    users_blocked_until_confirmed: usersUnconfirmed(stores),
  };
}

/**
 * A user who was blocked after the backup was written would be free again: until a dealer confirms, only dealers log
 * in.
 */
export function usersUnconfirmed(stores: Stores): boolean {
  return stores.recoveries.pending().some((it) => it.document === 'users');
}

function intakeOf(listener: ListenerInfo | undefined): Status['intake']['osmand'] {
  return listener === undefined ? null : listenerStatus(listener);
}
