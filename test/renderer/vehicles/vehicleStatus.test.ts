import { describe, expect, it } from 'vitest';
import { createStatusStore, statusOf } from '../../../renderer/telemetry/statusStore.ts';
import { createPositionStore, withPosition } from '../../../renderer/telemetry/positionStore.ts';
import { createFakeFrames } from '../fakeFrames.ts';
import { samplePosition, sampleVehicle } from '../samples.ts';

const numbers = { offline_s: 600, moving_speed_kmh: 5, idle_s: 300 };

const noon = Date.parse('2026-11-21T12:00:00.000Z');

const live = (fields: Parameters<typeof samplePosition>[0]) =>
  withPosition(undefined, samplePosition(fields), 3);

describe('the status of a vehicle', () => {
  it('the status of a vehicle is the server’s until a message arrives here', () => {
    expect(statusOf(undefined, 'never', noon, numbers)).toBe('never');
  });

  it('the status of a vehicle is moving from 5 km/h on', () => {
    expect(statusOf(live({ speed_kmh: 5 }), 'stopped', noon, numbers)).toBe('moving');
    expect(statusOf(live({ speed_kmh: 4.9 }), 'moving', noon, numbers)).toBe('stopped');
  });

  it('the status of a vehicle is offline 10 min after the last message', () => {
    const driven = live({ speed_kmh: 40 });
    expect(statusOf(driven, 'moving', noon + 599_999, numbers)).toBe('moving');
    expect(statusOf(driven, 'moving', noon + 600_000, numbers)).toBe('offline');
  });

  it('the status of a vehicle is idle after 5 min with the engine on, or at once where the server has seen it', () => {
    const stands = live({ speed_kmh: 0, ignition: true });
    expect(statusOf(stands, 'stopped', noon + 299_000, numbers)).toBe('stopped');
    expect(statusOf(stands, 'stopped', noon + 300_000, numbers)).toBe('idle');
    expect(statusOf(stands, 'idle', noon, numbers)).toBe('idle');
  });

  it('the status of a vehicle changes with silence alone', () => {
    const frames = createFakeFrames();
    const positions = createPositionStore(frames, frames, () => 3);
    const vehicles = new Map([['v1', sampleVehicle()]]);
    let now = noon;
    const statuses = createStatusStore({
      positions,
      vehicles: () => vehicles,
      now: () => now,
      numbers: () => numbers,
    });
    positions.take([samplePosition({ speed_kmh: 40 })]);
    statuses.review();
    expect(statuses.store.getState().byVehicle.get('v1')).toBe('moving');
    const before = statuses.store.getState();
    statuses.review();
    expect(statuses.store.getState()).toBe(before);
    now += 600_000;
    statuses.review();
    expect(statuses.store.getState().byVehicle.get('v1')).toBe('offline');
    vehicles.clear();
    statuses.review();
    expect(statuses.store.getState().byVehicle.size).toBe(0);
  });

  it('the status of a vehicle is overdue while the server says so, unless it has just been heard or has gone offline', () => {
    const positions = createPositionStore(createFakeFrames(), createFakeFrames(), () => 3);
    const vehicles = new Map([['v1', sampleVehicle()]]);
    let now = noon + 90_000;
    const statuses = createStatusStore({
      positions,
      vehicles: () => vehicles,
      now: () => now,
      numbers: () => numbers,
    });
    const shown = () => statuses.store.getState().byVehicle.get('v1');
    positions.take([samplePosition({ speed_kmh: 40 })]);
    statuses.review();
    expect(shown()).toBe('moving');
    expect(positions.newestContactAt()).toBe(noon);
    statuses.setOverdue(['v1', 'another']);
    expect(shown()).toBe('overdue');

    const heard = new Date(now).toISOString();
    positions.take([samplePosition({ time: heard, received_at: heard, speed_kmh: 40 })]);
    statuses.reviewSome(new Set(['v1']));
    expect(shown()).toBe('moving');
    expect(positions.newestContactAt()).toBe(now);
    statuses.changeOverdue({ began: [], ended: ['v1'] });
    now += 120_000;
    statuses.changeOverdue({ began: ['v1'], ended: [] });
    expect(shown()).toBe('overdue');
    now += 600_000;
    statuses.review();
    expect(shown()).toBe('offline');
  });
});
