import { describe, expect, it, onTestFinished } from 'vitest';
import type { Outcome, TerminalReport } from '../../../server/telemetry/terminalReport.ts';
import { createPipelineFixture, ruleFor, vehicleNamed } from '../../journey/pipelineFixture.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { createFaultyStore, type FaultyStore } from '../pipeline/faultyStore.ts';
import { report } from './positions.ts';

const second = 1_000;
const minute = 60 * second;
const start_ms = createFakeClock().now();
const yard = { lat: 52.5, lon: 13.4 };
const here = { lat: 48.1, lon: 11.5 };
const ahead = (clock: { now(): number }, more: Partial<TerminalReport> = {}) =>
  report({ terminal_id: '1', time_ms: clock.now() + 480 * minute, place: here, alarms: ['sos'], ...more });

/** The road of the messages of vehicle 1, from the intake to the store. */
function openRoad(more: Parameters<typeof vehicleNamed>[1] = {}) {
  const store = createFaultyStore();
  const clock = createFakeClock();
  const vehicles = [vehicleNamed('1', more)];
  const road = createPipelineFixture({ store, vehicles, geofences: [], rules: [ruleFor('sos')], clock });
  onTestFinished(() => road.close());
  const send = async (...reports: TerminalReport[]): Promise<Outcome[]> => {
    clock.advance(second);
    return road.accept(reports, { protocol: 'test', address: null });
  };
  const events = () =>
    [...store.events.values()].map(({ kind, lat, lon, time_ms, late, details }) => ({
      kind,
      lat,
      lon,
      ago_s: (clock.now() - time_ms) / second,
      late,
      alarm: details.alarm,
    }));
  return { ...road, store, clock, send, events };
}

function stateOf({ states }: FaultyStore): unknown {
  const [state = ''] = states.values();
  return JSON.parse(state);
}

const nowhere = { lat: null, lon: null };
const rejected = (code: string) => ({ status: 'rejected', code });

describe('an emergency without a fix fires', () => {
  it.each([
    ['where receivers without a fix put it', { lat: 4294.967295, lon: 4294.967295 }],
    ['beyond a pole', { lat: 91, lon: 0 }],
    ['where no number is', { lat: Number.NaN, lon: Number.NaN }],
    ['at 0,0', { lat: 0, lon: 0 }],
    ['without a place', null],
  ])('%s', async (_where, place) => {
    const { send, clock, events, store } = openRoad();
    await send(report({ terminal_id: '1', time_ms: clock.now(), place: yard }));
    const time_ms = clock.now();
    const sos = report({ terminal_id: '1', time_ms, place, valid: false, alarms: ['sos'], ignition: true });
    expect(await send(sos)).toEqual([{ status: 'stored' }]);
    expect(events()).toMatchObject([{ kind: 'sos', ...nowhere, ago_s: 1, late: false }]);
    expect(await send(sos)).toEqual([{ status: 'duplicate' }]);
    expect(store.events.size).toBe(1);
    expect(store.positions.get([...store.positions.keys()].at(-1) ?? '')).toMatchObject({
      ...yard,
      valid: false,
      ignition: true,
      alarms: ['sos'],
    });
  });
});

describe('an emergency in a message that is refused fires', () => {
  it('an emergency in a message that is refused fires when its place is impossible though it has a fix: without a place, once', async () => {
    const { send, clock, events, store } = openRoad();
    const sos = report({
      terminal_id: '1',
      time_ms: clock.now(),
      place: { lat: 91, lon: 0 },
      alarms: ['sos'],
      speed_kmh: 50,
    });
    expect(await send(sos)).toMatchObject([rejected('invalid_coordinates')]);
    expect(await send(sos)).toMatchObject([rejected('invalid_coordinates')]);
    expect(events()).toMatchObject([{ kind: 'sos', ...nowhere, ago_s: 2 }]);
    expect(store.notifications.size).toBe(1);
    expect([...store.positions.values()]).toMatchObject([{ valid: false, speed_kmh: null, alarms: ['sos'] }]);
  });

  it('an emergency in a message that is refused fires when it is from the future: at the moment of receipt, where it says to be, and it moves nothing', async () => {
    const { send, clock, events, store } = openRoad();
    await send(report({ terminal_id: '1', time_ms: clock.now(), place: yard }));
    expect(await send(ahead(clock, { speed_kmh: 50 }))).toMatchObject([rejected('time_in_future')]);
    expect(events()).toEqual([{ kind: 'sos', ...here, ago_s: 0, late: false, alarm: 'sos' }]);
    const [, alone] = [...store.positions.values()];
    expect(alone).toMatchObject({ ...yard, time_ms: clock.now(), valid: false, speed_kmh: null });
    expect(stateOf(store)).toMatchObject({ state: { newest: yard } });
  });

  it.each([
    ['has no fix', { valid: false }],
    ['has no place', { place: null }],
    ['has an impossible place', { place: { lat: 91, lon: 0 } }],
  ])(
    'an emergency in a message that is refused fires when it is from the future and %s: without a place',
    async (_what, more) => {
      const { send, clock, events } = openRoad();
      expect(await send(ahead(clock, more))).toMatchObject([rejected('time_in_future')]);
      expect(events()).toMatchObject([{ kind: 'sos', ...nowhere, ago_s: 0 }]);
    },
  );

  it('an emergency in a message that is refused fires once, however often and by whatever connection its message comes, after a failed store too', async () => {
    const { send, clock, store } = openRoad();
    const sos = ahead(clock);
    // It was stored, but not acknowledged to its terminal.
    store.failNext('died_after');
    expect(await send(sos, sos)).toMatchObject([{ status: 'failed' }, { status: 'failed' }]);
    expect(await send(sos, sos)).toMatchObject([rejected('time_in_future'), rejected('time_in_future')]);
    await Promise.all([send(sos), send(sos)]);
    expect(store.events.size).toBe(1);
    expect(store.positions.size).toBe(1);
  });

  it('an alarm fires again when the button is pressed again, and with an alarm that was not reported', async () => {
    const { send, clock, events, store } = openRoad();
    const first = ahead(clock);
    await send(first);
    await send({ ...first, time_ms: (first.time_ms ?? 0) + second });
    expect(events().map((it) => it.kind)).toEqual(['sos', 'sos']);
    await send({ ...first, alarms: ['sos', 'tow'] });
    expect(events().map((it) => it.kind)).toEqual(['sos', 'sos', 'terminal_alarm']);
    await send(first, { ...first, alarms: ['tow'] });
    expect(store.events.size).toBe(3);
  });

  it('an emergency in a message that is refused fires from a store that failed: it is not acknowledged, and fires when it comes again', async () => {
    const { send, clock, events, store } = openRoad();
    const sos = ahead(clock);
    store.failNext('died');
    expect(await send(sos)).toMatchObject([{ status: 'failed' }]);
    expect(events()).toEqual([]);
    expect(await send(sos)).toMatchObject([rejected('time_in_future')]);
    expect(events()).toHaveLength(1);
  });

  it('an emergency in a message that is refused fires beside what else came with it, of which nothing is lost', async () => {
    const { send, clock, store } = openRoad();
    const now_ms = clock.now();
    const others = [0, 1, 2].map((at) =>
      report({ terminal_id: '1', time_ms: now_ms - at * minute, place: yard }),
    );
    const outcomes = await send(...others, ahead(clock), report({ terminal_id: 'none', alarms: ['sos'] }));
    expect(outcomes.map((it) => it.status)).toEqual(['stored', 'stored', 'stored', 'rejected', 'unknown']);
    expect(store.positions.size).toBe(4);
    expect(store.events.size).toBe(1);
  });
});

it('a refused message without an alarm leaves nothing but its entry in the log', async () => {
  const { send, clock, store } = openRoad();
  await send(ahead(clock, { alarms: [] }));
  await send(report({ terminal_id: '1', time_ms: clock.now(), place: { lat: 91, lon: 0 } }));
  expect([store.positions.size, store.events.size]).toEqual([0, 0]);
});

it('an alarm that stays in all messages from the future is reported once, as it is in others', async () => {
  const { send, clock, events } = openRoad();
  for (let at = 0; at < 5; at++) await send(ahead(clock, { alarms: ['power_cut'] }));
  expect(events()).toMatchObject([{ kind: 'power_cut', ...here }]);
});

describe('an alarm that returns is new', () => {
  const kinds = (road: ReturnType<typeof openRoad>) => road.events().map((it) => it.kind);
  const alarmAt = (at_s: number, ...alarms: string[]) =>
    report({ terminal_id: '1', time_ms: start_ms + 60 * minute + at_s * second, place: here, alarms });

  it('an alarm that returns is new when all messages are from the future, and those between did not bear it', async () => {
    const road = openRoad();
    await road.send(alarmAt(10, 'power_cut'));
    for (let at_s = 20; at_s < 150; at_s += 10) await road.send(alarmAt(at_s));
    expect(kinds(road)).toEqual(['power_cut']);
    await road.send(alarmAt(150, 'power_cut'));
    expect(kinds(road)).toEqual(['power_cut', 'power_cut']);
  });

  it('an alarm that returns is new when one between bore another one', async () => {
    const road = openRoad();
    for (const [at, alarms] of [['power_cut', 'tow'], ['tow'], ['power_cut', 'tow']].entries())
      await road.send(alarmAt(at, ...alarms));
    expect(kinds(road)).toEqual(['power_cut', 'terminal_alarm', 'power_cut']);
  });

  it('an alarm that returns is new when it ended in the packet that first bore it', async () => {
    const road = openRoad();
    await road.send(alarmAt(10, 'power_cut'), alarmAt(20));
    await road.send(alarmAt(30, 'power_cut'));
    expect(kinds(road)).toEqual(['power_cut', 'power_cut']);
  });

  it('an alarm is not new when it began in the packet before and stays', async () => {
    const road = openRoad();
    await road.send(alarmAt(10), alarmAt(20, 'power_cut'));
    await road.send(alarmAt(30, 'power_cut'));
    expect(kinds(road)).toEqual(['power_cut']);
  });

  it('an alarm is new even when an older message is repeated', async () => {
    const road = openRoad();
    for (const one of [alarmAt(10, 'power_cut'), alarmAt(20), alarmAt(10, 'power_cut')]) await road.send(one);
    expect(kinds(road)).toEqual(['power_cut']);
    await road.send(alarmAt(30, 'power_cut'));
    expect(kinds(road)).toEqual(['power_cut', 'power_cut']);
  });

  it('an alarm that returns is new when the place of those between is impossible, but not by one of long ago', async () => {
    const road = openRoad();
    const at = (at_s: number, place: TerminalReport['place'], ...alarms: string[]) =>
      report({ terminal_id: '1', time_ms: start_ms + at_s * second, place, alarms });
    const nowhereAt = (at_s: number) => at(at_s, { lat: 91, lon: 0 });
    await road.send(at(-50, here, 'power_cut'));
    await road.send(nowhereAt(-60));
    await road.send(at(-40, here, 'power_cut'));
    expect(kinds(road)).toEqual(['power_cut']);
    await road.send(nowhereAt(-30));
    await road.send(at(-20, here, 'power_cut'));
    expect(kinds(road)).toEqual(['power_cut', 'power_cut']);
  });

  it('an alarm that returns is new unless an accepted message that bears it came after the refused one', async () => {
    const road = openRoad();
    const accepted = (at_s: number) => ({ ...alarmAt(0, 'power_cut'), time_ms: start_ms + at_s * second });
    await road.send(accepted(-10));
    await road.send(alarmAt(10), accepted(-5));
    await road.send(accepted(-3));
    expect(kinds(road)).toEqual(['power_cut']);
  });

  it('an alarm is not new because a message between could not be read', async () => {
    const road = openRoad();
    await road.send(alarmAt(10, 'power_cut'));
    await road.send({ ...alarmAt(20), undecodable: 'it ends too early' });
    await road.send(alarmAt(30, 'power_cut'));
    expect(kinds(road)).toEqual(['power_cut']);
  });
});

describe('the memory of messages from the future', () => {
  const earlyOf = (store: FaultyStore) =>
    (stateOf(store) as { state: { early: { stamp_ms: number }[] } }).state.early;

  it('the memory of messages from the future holds all that came in one packet, so that its repeat emits nothing', async () => {
    const { send, clock, store } = openRoad();
    const packet = Array.from({ length: 255 }, (_, at) =>
      ahead(clock, { time_ms: clock.now() + 480 * minute + at * second }),
    );
    await send(...packet);
    expect(store.events.size).toBe(1);
    await send(ahead(clock, { time_ms: clock.now() + 500 * minute }));
    expect(store.events.size).toBe(2);
    for (let time = 0; time < 2; time++) await send(...packet);
    expect(store.events.size).toBe(2);
  });

  it('the memory of messages from the future is small once the packet is long past, and never more than a thousand', async () => {
    const { send, clock, store } = openRoad();
    await send(
      ...Array.from({ length: 1_200 }, (_, at) => ahead(clock, { time_ms: clock.now() + 480 * minute + at })),
    );
    expect(earlyOf(store)).toHaveLength(1_000);
    const singles = Array.from({ length: 40 }, () => ahead(clock, { alarms: ['power_cut'] }));
    for (const [at, one] of singles.entries())
      await send({ ...one, time_ms: (one.time_ms ?? 0) + at * minute });
    expect(earlyOf(store)).toHaveLength(16);
    expect(earlyOf(store)[0]).not.toHaveProperty('place');
  });

  it('the memory of messages from the future holds an alarm as well that was already active at its receipt', async () => {
    const road = openRoad();
    const { send, clock, store } = road;
    await send(report({ terminal_id: '1', time_ms: clock.now() + second, place: yard, alarms: ['sos'] }));
    const sos = ahead(clock);
    const origin = { protocol: 'test', address: null };
    expect(await road.accept([sos], origin)).toMatchObject([rejected('time_in_future')]);
    expect([store.events.size, store.positions.size]).toEqual([1, 1]);
    await send(sos);
    expect([store.events.size, store.positions.size]).toEqual([1, 1]);
  });
});

describe('behind an emergency from the future', () => {
  it('a fix that is a little older than its receipt counts as if it had not been', async () => {
    const { send, clock, events, store } = openRoad();
    const fix = (more: Partial<TerminalReport>) =>
      report({ terminal_id: '1', time_ms: clock.now() - 5 * second, place: yard, ...more });
    await send(fix({ ignition: true, speed_kmh: 5 }));
    await send(ahead(clock));
    await send(fix({ ignition: false, speed_kmh: 0, battery_pct: 50 }));
    expect(events().map((it) => it.kind)).toEqual(['sos', 'ignition_off']);
    const state = {
      ignition: false,
      speed_kmh: 0,
      battery_pct: 50,
      last_stored_ms: clock.now() - 6 * second,
    };
    expect(stateOf(store)).toMatchObject({ state: { ...state, signals: { ignition: false } } });
  });

  it('a fix of the very moment of its receipt joins it, and takes nothing away', async () => {
    const { send, clock, store } = openRoad();
    await send(ahead(clock));
    const time_ms = clock.now();
    expect(await send(report({ terminal_id: '1', time_ms, place: yard, ignition: true }))).toEqual([
      { status: 'merged' },
    ]);
    expect([...store.positions.values()]).toMatchObject([{ ...yard, valid: true, alarms: ['sos'] }]);
    expect(stateOf(store)).toMatchObject({ state: { last_stored_ms: time_ms, ignition: true } });
  });

  it('a fix of that moment in the same packet counts as any other', async () => {
    const { send, clock, store } = openRoad();
    const time_ms = clock.now() + second;
    await send(ahead(clock), report({ terminal_id: '1', time_ms, place: yard, ignition: true }));
    expect([...store.positions.values()]).toMatchObject([{ ...yard, valid: true, alarms: ['sos'] }]);
    expect(stateOf(store)).toMatchObject({ state: { last_stored_ms: time_ms, signals: { time_ms } } });
  });
});

describe('a message that is no more than a sign of life', () => {
  const alive = { terminal_id: '1', place: null, time_ms: null, isSignOfLife: true };

  it('a message without data sets the last contact of a vehicle that never sent a position, and stores no position', async () => {
    const { send, clock, store } = openRoad();
    expect(await send(report(alive))).toEqual([{ status: 'duplicate' }]);
    expect(store.positions.size).toBe(0);
    const state = { last_contact_ms: clock.now() };
    expect(stateOf(store)).toMatchObject({ state });
  });

  it('a message that is no more than a sign of life stands before nothing that is still to come', async () => {
    const { send, clock, events, store } = openRoad();
    const fix = (ignition: boolean) =>
      report({ terminal_id: '1', time_ms: clock.now() - 5 * second, place: yard, ignition });
    await send(fix(true));
    await send(report(alive));
    await send(fix(false));
    expect(events().map((it) => it.kind)).toEqual(['ignition_off']);
    expect(store.positions.size).toBe(2);
  });
});

it('a time that is right is not set by the clock of the terminal', async () => {
  const { send, clock, store } = openRoad({ clock_offset_s: 28_800 });
  const time_ms = clock.now();
  await send(report({ terminal_id: '1', time_ms, isTimeRight: true }));
  await send(report({ terminal_id: '1', time_ms: time_ms + 28_801_000 }));
  expect([...store.positions.values()].map((it) => it.time_ms - time_ms)).toEqual([0, 1_000]);
});
