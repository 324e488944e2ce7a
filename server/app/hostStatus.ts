import { statfs } from 'node:fs/promises';
import type { Clock } from '../clock.ts';
import type { SettingsFields, Status } from '../contract/settings.ts';
import type { Geofences } from '../geofences/geofences.ts';
import type { Door, Doors } from './intake.ts';
import { doorStatus } from './intakeState.ts';
import type { IntakeSwitch } from './intakeSwitch.ts';
import type { Stores } from './openStores.ts';
import { reachableAddresses } from './reachableAddresses.ts';
import { isoTime } from '../telemetry/presentPosition.ts';

export interface StatusParts {
  version: string;
  started_ms: number;
  stores: Stores;
  doors: Doors;
  settings: () => SettingsFields;
  opening: Pick<IntakeSwitch, 'host' | 'fault'>;
  insecureLan: boolean;
  streams: () => number;
  geofences: Pick<Geofences, 'all' | 'notMonitored'>;
  clock: Clock;
}

/** What `GET /api/v1/status` tells dealers. */
export async function hostStatus(parts: StatusParts): Promise<Status> {
  const { stores } = parts;
  const [stats, disk] = await Promise.all([stores.telemetry.stats(), statfs(stores.path)]);
  const total_bytes = disk.blocks * disk.bsize;
  const { video_reserve_bytes, video_reserve_pct } = parts.settings();
  const { doors } = parts;
  return {
    version: parts.version,
    started_at: isoTime(parts.started_ms),
    intake: {
      osmand: intakeOf(doors.osmand),
      teltonika: intakeOf(doors.teltonika),
      wialon: intakeOf(doors.wialon),
      jt808: intakeOf(doors.jt808),
      jt1078: intakeOf(doors.jt1078),
    },
    intake_fault: parts.opening.fault(),
    addresses: reachableAddresses(parts.opening.host()),
    insecure_lan: parts.insecureLan,
    store: {
      recoveries: stores.recoveries.pending().map(({ document, setAside, readFrom, at }) => ({
        document,
        set_aside: [...setAside],
        read_from: readFrom,
        at,
      })),
      positions_stored: stats.positions,
      commits: stats.commits,
    },
    disk: {
      free_bytes: disk.bavail * disk.bsize,
      total_bytes,
      reserve_bytes: Math.max(video_reserve_bytes, Math.round((total_bytes * video_reserve_pct) / 100)),
    },
    streams: parts.streams(),
    geofences_not_monitored: parts.geofences.all().flatMap(({ geozone_id, name }) => {
      const refusal = parts.geofences.notMonitored(geozone_id);
      return refusal === null ? [] : [{ geozone_id, name, ...refusal }];
    }),
    users_blocked_until_confirmed: usersUnconfirmed(stores),
  };
}

/** A user who was blocked after the backup was written would be free again: until a dealer confirms, only dealers log in. */
export function usersUnconfirmed(stores: Stores): boolean {
  return stores.recoveries.pending().some((it) => it.document === 'users');
}

function intakeOf(door: Door | undefined): Status['intake']['osmand'] {
  return door === undefined ? null : doorStatus(door);
}
