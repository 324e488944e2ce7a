import type { SettingsFields } from '../contract/settings.ts';
import type { VehicleStatus } from '../contract/vehicles.ts';
import type { PositionRow } from '../store/telemetry/rows.ts';
import type { VehicleState } from './vehicleState.ts';

type Numbers = Pick<SettingsFields, 'offline_s' | 'moving_speed_kmh' | 'idle_speed_kmh' | 'idle_s'>;

/** What a vehicle does at `now_ms` (Unix ms), by its last message. */
export function vehicleStatus(
  state: VehicleState | undefined,
  numbers: Numbers,
  now_ms: number,
): VehicleStatus {
  if (state?.last_contact_ms == null) return 'never';
  if (now_ms - state.last_contact_ms >= numbers.offline_s * 1_000) return 'offline';
  if ((state.speed_kmh ?? 0) >= numbers.moving_speed_kmh) return 'moving';
  const idleMs = state.idle_since_ms === null ? -1 : (state.last_stored_ms ?? 0) - state.idle_since_ms;
  return idleMs >= numbers.idle_s * 1_000 ? 'idle' : 'stopped';
}

/**
 * The speed after a vehicle's latest message, km/h. A message without a fix need not repeat it, but with the ignition
 * off nothing drives on.
 */
export function speedAfter(before: VehicleState, { speed_kmh, valid, ignition }: PositionRow): number | null {
  return speed_kmh ?? (valid || ignition === false ? null : before.speed_kmh);
}

/** Since when the vehicle stands with its ignition on, after its latest message. */
export function idleSince(before: VehicleState, row: PositionRow, idle_speed_kmh: number): number | null {
  const ignition = row.ignition ?? before.ignition;
  if (ignition !== true || (speedAfter(before, row) ?? 0) >= idle_speed_kmh) return null;
  return before.idle_since_ms ?? row.time_ms;
}
