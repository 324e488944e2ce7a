import { statfs } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import type { Clock } from '../clock.ts';
import { isLoopback } from '../config.ts';
import type { SettingsFields, Status } from '../contract/settings.ts';
import type { Stores } from './openStores.ts';
import type { Listener } from '../telemetry/gateway/osmandListener.ts';
import type { IntakeCounts } from '../telemetry/intakeCounter.ts';
import { isoTime } from '../telemetry/presentPosition.ts';

export interface StatusParts {
  version: string;
  started_ms: number;
  stores: Stores;
  osmand: () => { listener: Listener; counts: IntakeCounts } | null;
  settings: () => SettingsFields;
  intakeHost: string;
  insecureLan: boolean;
  streams: () => number;
  clock: Clock;
}

/** What `GET /api/v1/status` tells dealers. */
export async function hostStatus(parts: StatusParts): Promise<Status> {
  const { stores } = parts;
  const [stats, disk] = await Promise.all([stores.telemetry.stats(), statfs(stores.path)]);
  const total_bytes = disk.blocks * disk.bsize;
  const { video_reserve_bytes, video_reserve_pct } = parts.settings();
  const osmand = parts.osmand();
  return {
    version: parts.version,
    started_at: isoTime(parts.started_ms),
    intake: {
      osmand: osmand === null ? null : intakeOf(osmand),
      teltonika: null,
      wialon: null,
      jt808: null,
      jt1078: null,
    },
    addresses: isLoopback(parts.intakeHost) ? [parts.intakeHost] : networkAddresses(),
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
    users_blocked_until_confirmed: usersUnconfirmed(stores),
  };
}

/** A user who was blocked after the backup was written would be free again: until a dealer confirms, only dealers log in. */
export function usersUnconfirmed(stores: Stores): boolean {
  return stores.recoveries.pending().some((it) => it.document === 'users');
}

function intakeOf({ listener, counts }: { listener: Listener; counts: IntakeCounts }) {
  const { last_message_ms, ...rest } = counts;
  return {
    ...rest,
    port: listener.port,
    host: listener.host,
    connections: listener.connections(),
    last_message_at: last_message_ms === null ? null : isoTime(last_message_ms),
  };
}

function networkAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter((it) => it.family === 'IPv4' && !it.internal)
    .map((it) => it.address);
}
