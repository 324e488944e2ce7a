import { describe, expect, it } from 'vitest';
import type { PositionRow } from '../../../server/store/telemetry/rows.ts';
import {
  initialVehicleState,
  readState,
  type VehicleState,
  idleSince,
  speedAfter,
  vehicleStatus,
} from '../../../server/telemetry/vehicleState.ts';
import { positionRow, settings } from './positions.ts';

/** The state after these positions, each taken at its second. */
function after(...fixes: (Partial<PositionRow> & { at_s: number })[]): VehicleState {
  return fixes.reduce<VehicleState>((before, { at_s, ...more }) => {
    const newest = positionRow({ time_ms: at_s * 1_000, ...more });
    return {
      ...before,
      newest,
      last_stored_ms: newest.time_ms,
      last_contact_ms: newest.time_ms,
      speed_kmh: speedAfter(before, newest),
      idle_since_ms: idleSince(before, newest, settings.idle_speed_kmh),
      ignition: newest.ignition ?? before.ignition,
    };
  }, initialVehicleState);
}

const statusAt = (state: VehicleState | undefined, at_s: number) =>
  vehicleStatus(state, settings, at_s * 1_000);

describe('the status of a vehicle', () => {
  it('the status of a vehicle is never before its first message', () => {
    expect(statusAt(undefined, 0)).toBe('never');
    expect(statusAt(initialVehicleState, 0)).toBe('never');
  });

  it('the status of a vehicle is offline after ten minutes without a message', () => {
    const state = after({ at_s: 0, speed_kmh: 50 });
    expect(statusAt(state, 599)).toBe('moving');
    expect(statusAt(state, 600)).toBe('offline');
  });

  it('the status of a vehicle is moving at 5 km/h and more, else stopped', () => {
    expect(statusAt(after({ at_s: 0, speed_kmh: 5 }), 1)).toBe('moving');
    expect(statusAt(after({ at_s: 0, speed_kmh: 4.9 }), 1)).toBe('stopped');
    expect(statusAt(after({ at_s: 0 }), 1)).toBe('stopped');
    expect(statusAt({ ...initialVehicleState, last_contact_ms: 0 }, 1)).toBe('stopped');
  });

  it('the status of a vehicle is idle once the ignition was on and it stood for five minutes, by the times of its fixes', () => {
    const standing = [
      { at_s: 0, speed_kmh: 0, ignition: true },
      { at_s: 299, speed_kmh: 2.9 },
    ];
    expect(statusAt(after(...standing), 320)).toBe('stopped');
    expect(statusAt(after(...standing, { at_s: 300, speed_kmh: 0 }), 320)).toBe('idle');
    expect(statusAt(after(...standing, { at_s: 300, speed_kmh: 0, ignition: false }), 320)).toBe('stopped');
    expect(statusAt(after(...standing, { at_s: 300, speed_kmh: 3 }, { at_s: 310, speed_kmh: 0 }), 320)).toBe(
      'stopped',
    );
  });
});

describe('the stored state of a vehicle', () => {
  it('the stored state of a vehicle starts afresh when it was written in another format', () => {
    expect(readState(JSON.stringify({ form: 999, state: initialVehicleState }))).toBeNull();
    expect(readState('{}')).toBeNull();
  });
});
