import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Outcome, TerminalReport } from '../../../server/telemetry/terminalReport.ts';
import { mergePositions } from '../../../server/telemetry/mergePositions.ts';
import { createPipelineFixture, ruleFor, vehicleNamed } from '../../journey/pipelineFixture.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { circle, offset } from '../geofences/geofences.ts';
import { keyOf, report } from '../telemetry/positions.ts';
import { createFaultyStore, type Fault, type FaultyStore } from './faultyStore.ts';

const yard = { lat: 52.5, lon: 13.4 };
const origin = { protocol: 'test', address: null };
const vehicles = ['1', '2', '3'].map((id) => vehicleNamed(id, { speed_limit_kmh: 50 }));
const geofence = circle(yard, 200, { hysteresis_m: 20 });
const rules = [ruleFor('geofence_enter'), ruleFor('geofence_exit'), ruleFor('overspeed'), ruleFor('sos')];

function openRoad(store: FaultyStore) {
  const clock = createFakeClock();
  const road = createPipelineFixture({ store, vehicles, geofences: [geofence], rules, clock });
  return { ...road, send: (reports: readonly TerminalReport[]) => road.accept(reports, origin) };
}

/** Long enough for what has come in to be evaluated. */
async function evaluated(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await nextTurn();
}

const start_ms = createFakeClock().now() - 120_000;
const fix = (at_s: number, northM: number, more: Partial<TerminalReport> = {}) =>
  report({
    terminal_id: '1',
    time_ms: start_ms + at_s * 1_000,
    place: offset(yard, 0, northM),
    ...more,
  });

/** What a store holds, without generated names. */
function content(store: FaultyStore) {
  const eventName = (id: string) => {
    const { kind, vehicle_id, time_ms, geozone_id, rule_id } = store.events.get(id) ?? {};
    return `${kind} ${vehicle_id} ${time_ms} ${geozone_id} ${rule_id}`;
  };
  const named = (text: string) => {
    let written = text;
    for (const id of store.events.keys()) written = written.replaceAll(id, eventName(id));
    return written;
  };
  const sorted = (texts: string[]) => texts.toSorted();
  return {
    positions: new Map(store.positions),
    states: new Map([...store.states].map(([id, state]) => [id, named(state)])),
    events: sorted([...store.events.values()].map((it) => named(JSON.stringify(it)))),
    notifications: sorted(
      [...store.notifications.values()].map((it) => named(JSON.stringify({ ...it, notification_id: '' }))),
    ),
  };
}

const anyReport = fc
  .record({
    terminal_id: fc.constantFrom('1', '2', '3'),
    at_s: fc.integer({ min: 0, max: 20 }),
    northM: fc.constantFrom(0, 100, 300, 1_000),
    speed_kmh: fc.constantFrom(null, 0, 40, 80),
    alarms: fc.constantFrom<string[]>([], [], ['sos'], ['towing']),
    ignition: fc.constantFrom(null, true, false),
    attributes: fc.constantFrom<TerminalReport['attributes']>({}, { listener: 1 }, { listener: 2, fuel: 3 }),
  })
  .map(({ at_s, northM, ...more }) => fix(at_s, northM, more));
const anyReports = fc.array(anyReport, { minLength: 1, maxLength: 4 });

type Step = { kind: 'send'; reports: TerminalReport[] } | { kind: 'release' } | { kind: 'change' };
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('send' as const), reports: anyReports }) },
  { weight: 3, arbitrary: fc.constant<Step>({ kind: 'release' }) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'change' }) },
);
const anySteps = fc.array(anyStep, { minLength: 1, maxLength: 30 });

test('a batch evaluated while another is being stored has the same result as if it had waited', async () => {
  await fc.assert(
    fc.asyncProperty(anySteps, async (steps) => {
      const [inTurn, overlapping] = [createFaultyStore(), createFaultyStore()];
      const patient = openRoad(inTurn);
      const expected: Outcome[][] = [];
      for (const step of steps) if (step.kind === 'send') expected.push(await patient.send(step.reports));

      const road = openRoad(overlapping);
      const answers: Promise<Outcome[]>[] = [];
      for (const step of steps) {
        overlapping.hold();
        if (step.kind === 'send') answers.push(road.send(step.reports));
        if (step.kind === 'release') overlapping.release();
        if (step.kind === 'change') {
          let wasQuiet = false;
          const changed = road.runExclusive(() => {
            wasQuiet = !overlapping.isCommitting();
            return Promise.resolve();
          });
          await evaluated();
          overlapping.letAllThrough();
          await changed;
          expect(wasQuiet).toBe(true);
        }
        await evaluated();
      }
      overlapping.letAllThrough();
      expect(await Promise.all(answers)).toEqual(expected);
      expect(content(overlapping)).toEqual(content(inTurn));
      await Promise.all([road.close(), patient.close()]);
    }),
    { numRuns: 150 },
  );
});

const anyFault = fc.constantFrom<Fault>('full', 'died', 'died_after');
const anyFaultyStep = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('send' as const), reports: anyReports }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('release' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('fail' as const), fault: anyFault }) },
);

test('acknowledged positions are stored whatever commits fail, and repeats are stored once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyFaultyStep, { minLength: 1, maxLength: 30 }), async (steps) => {
      const store = createFaultyStore();
      const road = openRoad(store);
      const sent: TerminalReport[] = [];
      const unsent: TerminalReport[][] = [];
      const answered: Promise<void>[] = [];
      const send = async (reports: TerminalReport[]) => {
        const outcomes = await road.send(reports);
        if (outcomes.some((it) => it.status === 'failed')) {
          unsent.push(reports);
          return;
        }
        for (const one of reports) expect(holds(store, one)).toBe(true);
      };
      for (const step of steps) {
        store.hold();
        if (step.kind === 'fail') store.failNext(step.fault);
        if (step.kind === 'release') store.release();
        if (step.kind === 'send') {
          sent.push(...step.reports);
          answered.push(send(step.reports));
        }
        await evaluated();
      }
      store.letAllThrough();
      await Promise.all(answered);
      for (let again = unsent.shift(); again !== undefined; again = unsent.shift()) await send(again);
      expect(new Map([...store.positions].map(([key, row]) => [key, row]))).toEqual(merged(sent, store));
      // A crossing is reported once, however often its fix was sent.
      const crossings = [...store.events.values()]
        .filter((it) => it.kind === 'geofence_enter' || it.kind === 'geofence_exit')
        .map((it) => `${it.kind} ${it.vehicle_id} ${it.time_ms}`);
      expect(new Set(crossings).size).toBe(crossings.length);
      await road.close();
    }),
    { numRuns: 150 },
  );
});

function rowOf(one: TerminalReport, like: { received_ms: number }) {
  const { terminal_id, place, time_ms, undecodable: _, ...measured } = one;
  const vehicle_id = vehicles.find((it) => it.terminal_id === terminal_id)?.vehicle_id ?? '';
  const { lat, lon } = place ?? yard;
  return { ...measured, vehicle_id, time_ms: time_ms ?? 0, received_ms: like.received_ms, lat, lon };
}

/** Whether the store holds all that a report says. */
function holds(store: FaultyStore, one: TerminalReport): boolean {
  const row = store.positions.get(keyOf(rowOf(one, { received_ms: 0 })));
  return row !== undefined && mergePositions(row, rowOf(one, row)) === null;
}

/** What all reports say together. */
function merged(reports: readonly TerminalReport[], { positions }: FaultyStore) {
  const rows = new Map<string, ReturnType<typeof rowOf>>();
  for (const one of reports) {
    const row = rowOf(one, positions.values().next().value ?? { received_ms: 0 });
    const before = rows.get(keyOf(row));
    rows.set(keyOf(row), before === undefined ? row : (mergePositions(before, row) ?? before));
  }
  return rows;
}

test('a repeat of what is being stored is stored once, and acknowledged when that is stored', async () => {
  const store = createFaultyStore();
  const road = openRoad(store);
  store.hold();
  const first = road.send([fix(0, 0)]);
  await evaluated();
  let isAnswered = false;
  const repeat = road.send([fix(0, 0)]).finally(() => (isAnswered = true));
  await evaluated();
  expect(isAnswered).toBe(false);
  expect(store.positions.size).toBe(0);
  store.release();
  expect(await Promise.all([first, repeat])).toEqual([[{ status: 'stored' }], [{ status: 'duplicate' }]]);
  expect(store.positions.size).toBe(1);
  expect(store.commits()).toBe(1);
});

test('an emergency that joins a position which is being stored is merged into it and reported once', async () => {
  const store = createFaultyStore();
  const road = openRoad(store);
  store.hold();
  const first = road.send([fix(0, 0)]);
  await evaluated();
  const second = road.send([fix(0, 0, { alarms: ['sos'] })]);
  await evaluated();
  const third = road.send([fix(0, 0, { alarms: ['sos'] })]);
  await evaluated();
  store.letAllThrough();
  expect(await Promise.all([first, second, third])).toEqual([
    [{ status: 'stored' }],
    [{ status: 'merged' }],
    [{ status: 'duplicate' }],
  ]);
  expect([...store.positions.values()].map((it) => it.alarms)).toEqual([['sos']]);
  expect([...store.events.values()].map((it) => it.kind)).toEqual(['sos']);
  expect([...store.notifications.values()].map((it) => it.count)).toEqual([1]);
  expect(store.commits()).toBe(2);
});

test.each<[Fault, string]>([
  ['full', 'disk_full'],
  ['died', 'unavailable'],
])(
  'everything evaluated on top of a failed commit (%s) fails with it and leaves no trace',
  async (fault, code) => {
    const store = createFaultyStore();
    const road = openRoad(store);
    expect(await road.send([fix(0, 1_000)])).toEqual([{ status: 'stored' }]);
    store.hold();
    store.failNext(fault);
    const entering = road.send([fix(10, 0)]);
    await evaluated();
    const leaving = road.send([fix(20, 1_000), fix(10, 0)]);
    await evaluated();
    store.letAllThrough();
    for (const outcome of [...(await entering), ...(await leaving)]) {
      expect(outcome).toMatchObject({ status: 'failed', code });
    }
    expect(store.commits()).toBe(2);
    expect([store.positions.size, store.events.size]).toEqual([1, 0]);

    expect(await road.send([fix(10, 0)])).toEqual([{ status: 'stored' }]);
    expect(await road.send([fix(20, 1_000)])).toEqual([{ status: 'stored' }]);
    const crossings = [...store.events.values()].filter((it) => it.geozone_id !== null);
    expect(crossings.map((it) => it.kind)).toEqual(['geofence_enter', 'geofence_exit']);
  },
);

test('the answers to a batch come before those to the batch that was evaluated on top of it', async () => {
  const store = createFaultyStore();
  const road = openRoad(store);
  const order: string[] = [];
  store.hold();
  const first = road.send([fix(0, 0)]).then(() => order.push('first'));
  await evaluated();
  const second = road.send([fix(1, 0)]).then(() => order.push('second'));
  await evaluated();
  store.release();
  await first;
  expect([order, store.positions.size, store.isCommitting()]).toEqual([['first'], 1, true]);
  store.letAllThrough();
  await second;
  expect(order).toEqual(['first', 'second']);
});
