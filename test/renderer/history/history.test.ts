import { createStore } from 'zustand/vanilla';
import { expect, it } from 'vitest';
import { createApi } from '../../../renderer/api/client.ts';
import type { Tokens } from '../../../renderer/auth/tokens.ts';
import { createServerTime } from '../../../renderer/clock/serverTime.ts';
import { createHistory } from '../../../renderer/history/history.ts';
import type { Location, Navigation } from '../../../renderer/navigation/navigation.ts';
import { createResourceStore } from '../../../renderer/resources/resourceStore.ts';
import { createSettingsStore } from '../../../renderer/settings/settingsStore.ts';
import type { PastVehicle } from '../../../server/contract/history.ts';
import { packTracks } from '../../../server/contract/packedTracks.ts';
import type { StreamMessage } from '../../../server/contract/stream.ts';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { createFakeFrames } from '../fakeFrames.ts';
import { samplePosition } from '../samples.ts';
import { createFakeStream } from '../stream/fakeStream.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 21, 12);
const YESTERDAY = Date.UTC(2026, 10, 20);
const ids = Array.from({ length: 5 }, (_, at) => `8f1c1d6e-6a0f-4f7e-9d39-0b7f5a3f3c1${at}`);
const [a = '', b = '', c = '', d = ''] = ids;
const iso = (ms: number) => new Date(ms).toISOString();

interface Asked {
  vehicle_ids: string[];
  from: string;
  tolerance_m: number;
}

/** The past of five vehicles, with a server that answers at once. */
function openHistory(query: Record<string, string> = { at: iso(YESTERDAY + 9 * HOUR) }) {
  const clock = createFakeClock(NOW);
  const frames = createFakeFrames();
  const tracks: Asked[] = [];
  const vehicles = ids.map((vehicle_id, at): PastVehicle => ({
    ...{
      vehicle_id,
      name: `V ${at}`,
      plate: null,
      group_ids: [],
      status: 'stopped',
      driver: null,
      position: null,
    },
  }));
  const answer = (id: string, body: unknown): Response => {
    if (id === 'getPastMoment')
      return Response.json({ at: iso(NOW), vehicles, geofences: [], notifications: [] });
    if (id !== 'getPackedTracks') return Response.json({ items: [], next_cursor: null });
    const asked = body as Asked;
    tracks.push(asked);
    const from = Date.parse(asked.from);
    const packed = packTracks(
      asked.vehicle_ids.map((vehicle_id) => ({
        vehicle_id,
        time_ms: Float64Array.of(from + HOUR, from + 10 * HOUR),
        lat: Float64Array.of(52, 53),
        lon: Float64Array.of(13, 13),
        speed_kmh: Float64Array.of(40, 40),
        course_deg: Float64Array.of(0, 0),
        flags: new Uint8Array(2),
        values: {},
      })),
    );
    return new Response(packed);
  };
  const api = createApi({
    transport: { send: ({ id }, { body }) => Promise.resolve(answer(id, body)) },
    tokens: { current: () => Promise.resolve('jwt') } as Tokens,
  });
  const { stream, send, link } = createFakeStream();
  stream.start();
  const location = createStore<Location>(() => ({ place: 'history', query }));
  const note: Navigation['note'] = (change) => {
    const next = { ...location.getState().query, ...change };
    const known = Object.entries(next).filter((pair): pair is [string, string] => pair[1] !== null);
    location.setState({ query: Object.fromEntries(known) });
  };
  const history = createHistory({
    api,
    clock,
    serverTime: createServerTime(clock),
    settings: createSettingsStore(),
    stream,
    vehicles: createResourceStore<Vehicle>({ idOf: (it) => it.vehicle_id, isOlder: () => false }),
    keepTasks: () => undefined,
    user: { role: 'dealer' } as Parameters<typeof createHistory>[0]['user'],
    navigation: { store: location, note } as Navigation,
    frames,
  });
  history.start();
  /** Lets answers come, and so much time pass. */
  const pass = async (ms: number) => {
    for (let turn = 0; turn < 30; turn++) await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(ms);
    frames.draw();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    history,
    location,
    pass,
    push: send,
    link,
    /** The vehicles that were asked for since the last time. */
    asked: () => tracks.splice(0).flatMap((it) => it.vehicle_ids),
  };
}

const late = (vehicle_id: string, from: number, to = from): StreamMessage => ({
  topic: 'late_track',
  data: { vehicle_id, from: iso(from), to: iso(to) },
});

async function shown(depot: ReturnType<typeof openHistory>) {
  const close = depot.history.open();
  await depot.pass(1_000);
  await depot.pass(1_000);
  return close;
}

it('positions that are stored late have the track of their vehicle and day fetched again, and no other', async () => {
  const depot = openHistory();
  await shown(depot);
  expect(depot.asked()).toEqual(ids);
  const before = depot.history.track(a);
  depot.push(late(a, YESTERDAY + 2 * HOUR, YESTERDAY + 3 * HOUR));
  depot.push(late(b, YESTERDAY - HOUR));
  depot.push(late(c, YESTERDAY + 24 * HOUR));
  expect(depot.history.track(a)).toBe(before);
  await depot.pass(2_000);
  await depot.pass(0);
  expect(depot.asked()).toEqual([a]);
  expect(depot.history.track(a)).not.toBe(before);
  expect(depot.history.track(b)).toBeDefined();
});

it('tracks are kept while another screen is shown, but for what was stored of them meanwhile', async () => {
  const depot = openHistory();
  const close = await shown(depot);
  depot.asked();
  close();
  depot.push(late(b, YESTERDAY - HOUR, YESTERDAY + HOUR));
  await depot.pass(5_000);
  expect(depot.asked()).toEqual([]);
  await shown(depot);
  expect(depot.asked()).toEqual([b]);
});

it('after a lost connection all tracks are fetched again, and shown as they were until then', async () => {
  const depot = openHistory();
  await shown(depot);
  depot.asked();
  const before = depot.history.track(a);
  depot.link({ phase: 'lost', since: NOW, nextTryAt: NOW });
  depot.link({ phase: 'live', since: NOW, lostBefore: NOW });
  expect(depot.history.track(a)).toBe(before);
  await depot.pass(0);
  await depot.pass(0);
  expect(depot.asked()).toEqual(ids);
  expect(depot.history.track(a)).not.toBe(before);
});

it('the tracks of today are read on when the instant comes near to their end, of those that went on', async () => {
  const today = Date.UTC(2026, 10, 21);
  const depot = openHistory({ at: iso(today + 9 * HOUR) });
  await shown(depot);
  depot.asked();
  const position = samplePosition({ vehicle_id: d, time: iso(NOW + 1_000) });
  depot.push({ topic: 'position', data: { positions: [position] } });
  depot.history.player.seek(today + 10 * HOUR);
  await depot.pass(1_000);
  expect(depot.asked()).toEqual([]);
  depot.history.player.seek(NOW + 1_000);
  await depot.pass(1_000);
  await depot.pass(0);
  expect(depot.asked()).toEqual([d]);
});

it('the address names the vehicles that are chosen, the instant and the span, and what it names is shown', async () => {
  const span = { from: YESTERDAY + 8 * HOUR, to: YESTERDAY + 10 * HOUR };
  const depot = openHistory({
    at: iso(span.from),
    vehicle: b,
    with: d,
    from: iso(span.from),
    to: iso(span.to),
  });
  await shown(depot);
  const { store, player, select, chooseSpan } = depot.history;
  expect(store.getState()).toMatchObject({ vehicleId: b, chosenIds: [b, d], span });
  const { view } = store.getState();
  expect(view.from).toBeLessThan(span.from);
  expect(view.to - view.from).toBeLessThan(3 * HOUR);
  select(d, 'toggle');
  select(c, 'toggle');
  player.seek(YESTERDAY + 9 * HOUR);
  await depot.pass(1_000);
  expect(depot.location.getState().query).toEqual({
    ...{ at: iso(YESTERDAY + 9 * HOUR), vehicle: c, with: b },
    ...{ from: iso(span.from), to: iso(span.to) },
  });
  chooseSpan(null);
  expect(depot.location.getState().query).not.toHaveProperty('from');
  // Another address, by Back or by hand.
  depot.location.setState({ query: { at: iso(YESTERDAY - HOUR), vehicle: a } });
  expect(store.getState()).toMatchObject({ vehicleId: a, chosenIds: [a], span: null });
  expect(store.getState().day.to).toBe(YESTERDAY);
});

it('vehicles are chosen alone, beside others, and with all between, and the chosen can be shown alone', async () => {
  const depot = openHistory();
  await shown(depot);
  const { store, select, vehiclesShown } = depot.history;
  const chosen = () => store.getState().chosenIds;
  select(b);
  select(d, 'range');
  expect(chosen()).toEqual([b, c, d]);
  select(c, 'toggle');
  expect(chosen()).toEqual([b, d]);
  depot.history.filter({ onlyChosen: true });
  expect(vehiclesShown().map((it) => it.vehicle_id)).toEqual([b, d]);
  select(d, 'toggle');
  expect(store.getState()).toMatchObject({ vehicleId: b, onlyChosen: true });
  select(null);
  expect(store.getState()).toMatchObject({ vehicleId: null, onlyChosen: false });
  expect(vehiclesShown()).toHaveLength(5);
});

it('the part of the day that is shown follows the instant, and is the whole day on another one', async () => {
  const depot = openHistory();
  await shown(depot);
  const { store, player, show } = depot.history;
  const hour = { from: YESTERDAY + 9 * HOUR, to: YESTERDAY + 10 * HOUR };
  show(hour);
  player.seek(hour.to + 60_000);
  const { view } = store.getState();
  expect(view.from).toBeLessThan(hour.to + 60_000);
  expect(view.to - view.from).toBe(HOUR);
  player.seek(YESTERDAY - HOUR);
  expect(store.getState().view).toEqual(store.getState().day);
});
