import { describe, expect, it } from 'vitest';
import type { PositionRow } from '../../../server/store/telemetry/rows.ts';
import { admit, type IncomingReport } from '../../../server/telemetry/admission.ts';
import { evaluate } from '../../../server/telemetry/evaluate.ts';
import { loadLiveFleet } from '../../../server/telemetry/liveFleet.ts';
import type { TerminalReport } from '../../../server/telemetry/terminalReport.ts';
import {
  initialVehicleState,
  readState,
  withContact,
  vehicleStatus,
} from '../../../server/telemetry/vehicleState.ts';
import { indexOf } from '../geofences/geofences.ts';
import { positionRow, report, settings, vehicleRecord } from './positions.ts';

const van = vehicleRecord({ vehicle_id: 'v1', terminal_id: '100' });
const around = { geofences: indexOf([]), measuredRules: [], settings, newId: () => 'e1', started_ms: 0 };

/** The state after rows that each came as soon as they were taken. */
function after(...rows: Partial<PositionRow>[]) {
  return rows.reduce((state, more) => {
    const row = positionRow(more);
    const { received_ms, alarms: newAlarms } = row;
    const admitted = { vehicle: van, row, received_ms, outcome: 'stored' as const, newAlarms };
    return evaluate(state, admitted, around).state;
  }, initialVehicleState);
}

/** What becomes of reports of a vehicle that is at 52.5, 13.4 since second 0 and reported so then. */
function arrive(...reports: [received_ms: number, report: TerminalReport][]) {
  const fleet = loadLiveFleet([]);
  fleet.apply(new Map([['v1', after({})]]));
  const arrivals = reports.map(([received_ms, it]): IncomingReport => ({
    report: it,
    received_ms,
    origin: { protocol: 'osmand', address: null },
  }));
  return admit(arrivals, {
    vehicleOf: (terminal) => (terminal === '100' ? van : undefined),
    fleet,
    settings,
    positionsAt: () => Promise.resolve([positionRow()]),
  });
}

describe('the last contact with a vehicle', () => {
  it('the last contact with a vehicle is published for each vehicle that reported, though it only repeats its last fix or is refused', async () => {
    const repeats = await arrive([700_000, report()], [900_000, report()], [800_000, report()]);
    expect(repeats.outcomes.map((it) => it.status)).toEqual(['duplicate', 'duplicate', 'duplicate']);
    expect([...repeats.contacts]).toMatchObject([['v1', { received_ms: 900_000 }]]);
    const refused = await arrive([700_000, report({ place: { lat: 99, lon: 0 } })]);
    expect([...refused.contacts]).toMatchObject([['v1', { received_ms: 700_000 }]]);
    const unknown = await arrive([700_000, report({ terminal_id: 'none' })]);
    expect(unknown.contacts.size).toBe(0);
  });

  it('the last contact with a vehicle keeps a vehicle online, and never goes back', () => {
    const state = after({});
    expect(vehicleStatus(state, settings, 700_000)).toBe('offline');
    const at = (received_ms: number) => ({ received_ms, early: [] });
    const heard = withContact(state, at(690_000), 0);
    expect(vehicleStatus(heard, settings, 700_000)).toBe('stopped');
    expect(withContact(heard, at(600_000), 0)).toBe(heard);
    expect(vehicleStatus(withContact(initialVehicleState, at(1), 0), settings, 2)).toBe('stopped');
  });

  it('the last contact with a vehicle is when the merged report came, not when the stored one did', async () => {
    const { admitted } = await arrive([86_400_000, report({ battery_pct: 9 })]);
    expect(admitted).toMatchObject([{ outcome: 'merged', received_ms: 86_400_000, row: { received_ms: 0 } }]);
    const states = admitted.map((it) => evaluate(after({}), it, around).state.last_contact_ms);
    expect(states).toEqual([86_400_000]);
  });
});

it('the last contact marks an alarm that is merged a day later as late, with the time of receipt', async () => {
  const { admitted } = await arrive(
    [86_400_000, report({ alarms: ['sos'] })],
    [86_401_000, report({ alarms: ['tow'] })],
  );
  const news = admitted.flatMap((it) => evaluate(after({}), it, around).updates);
  expect(news.map(({ event }) => [event.kind, event.late, event.time_ms, event.received_ms])).toEqual([
    ['sos', true, 0, 86_401_000],
    ['terminal_alarm', true, 0, 86_401_000],
  ]);
});

describe('the status after messages without a fix', () => {
  const drive = { speed_kmh: 40, ignition: true };
  const statusAt = (at_s: number, ...rows: Partial<PositionRow>[]) =>
    vehicleStatus(after(...rows), settings, at_s * 1_000);

  it('the status after messages without a fix is not moving in a garage', () => {
    const parked = { time_ms: 60_000, valid: false, speed_kmh: 0, ignition: false };
    expect(statusAt(61, drive, parked)).toBe('stopped');
    expect(statusAt(61, drive, { ...parked, speed_kmh: null })).toBe('stopped');
  });

  it('the status after messages without a fix is idle where it stands with its engine running for five minutes', () => {
    const standing = (at_s: number) => ({ time_ms: at_s * 1_000, valid: false, speed_kmh: 0 });
    expect(statusAt(360, drive, standing(60), standing(359))).toBe('stopped');
    expect(statusAt(360, drive, standing(60), standing(360))).toBe('idle');
  });

  it('the status after messages without a fix stays moving through a tunnel, and by what came out of order', () => {
    expect(statusAt(61, drive, { time_ms: 60_000, valid: false, battery_pct: 50 })).toBe('moving');
    expect(statusAt(61, { ...drive, time_ms: 60_000 }, { time_ms: 30_000, speed_kmh: 0 })).toBe('moving');
  });

  it('the status after messages without a fix is that of the newest fix for a state that was written before speeds were kept', () => {
    const { speed_kmh: _, ...old } = after(drive);
    const state = readState(JSON.stringify({ form: 1, state: old })) ?? expect.fail();
    expect(vehicleStatus(state, settings, 1_000)).toBe('moving');
  });
});

it('the last contact remembers of the fixes of an episode no more than the engine needs', () => {
  const limited = vehicleRecord({ vehicle_id: 'v1', speed_limit_kmh: 50 });
  const state = [0, 10_000].reduce((before, time_ms) => {
    const row = positionRow({ time_ms, speed_kmh: 90, attributes: { fuel: 1 } });
    const admitted = {
      vehicle: limited,
      row,
      received_ms: time_ms,
      outcome: 'stored' as const,
      newAlarms: [],
    };
    return evaluate(before, admitted, around).state;
  }, initialVehicleState);
  const fix = { lat: 52.5, lon: 13.4, speed_kmh: 90 };
  expect(state.episodes['base']).toMatchObject({ event_id: 'e1' });
  expect(state.episodes['base']?.peak).toEqual({ ...fix, time_ms: 0 });
  expect(state.episodes['base']?.announced).toEqual({ ...fix, time_ms: 10_000, received_ms: 10_000 });
  expect(state.episodes['base']?.last_over).toEqual({ ...fix, time_ms: 10_000 });
});
