import type { SettingsFields } from '../../server/contract/settings.ts';
import type { VehicleStatus } from '../../server/contract/vehicles.ts';
import type { LivePosition } from '../telemetry/positionStore.ts';

export type StatusNumbers = Pick<SettingsFields, 'offline_s' | 'moving_kmh' | 'idle_s'>;

/**
 * What a vehicle does by its last message, as the server defines it (API.md, "status"): so that a row says so at
 * once and not with the next list. `now` is the server's time, held still while the server is lost.
 */
export function statusOf(
  live: LivePosition | undefined,
  byServer: VehicleStatus,
  now: number,
  numbers: StatusNumbers,
): VehicleStatus {
  if (live === undefined) return byServer;
  if (now - live.contactAt >= numbers.offline_s * 1_000) return 'offline';
  if ((live.last.speed_kmh ?? 0) >= numbers.moving_kmh) return 'moving';
  if (live.idleSince === null) return 'stopped';
  // The server has seen how long it has stood; a console that has just begun has not.
  const longEnough = now - live.idleSince >= numbers.idle_s * 1_000;
  return longEnough || byServer === 'idle' ? 'idle' : 'stopped';
}
