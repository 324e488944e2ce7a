import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createPipelineFixture, vehicleNamed } from '../../journey/pipelineFixture.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { report, settings } from '../telemetry/positions.ts';
import { createFaultyStore } from './faultyStore.ts';

const second = 1_000;

interface Line {
  msg: string;
  reports?: number;
  vehicles?: number;
  not_logged_before?: number;
}

const terminals = Array.from({ length: 20 }, (_, at) => String(at + 1));

function openRoad() {
  const clock = createFakeClock();
  const lines: Line[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line) as Line) });
  const store = createFaultyStore();
  const vehicles = terminals.map((id) => vehicleNamed(id));
  const road = createPipelineFixture({ store, vehicles, geofences: [], rules: [], clock, log });
  const send = (terminal_id = '1') =>
    road.accept([report({ terminal_id, time_ms: clock.now() })], { protocol: 'test', address: null });
  return { clock, lines, store, road, send };
}

test('a store that fails is logged often enough to be seen, with the number of further failures', async () => {
  const { clock, lines, store, road, send } = openRoad();
  const fail = async () => {
    store.failNext('full');
    expect(await send()).toMatchObject([{ status: 'failed', code: 'disk_full' }]);
  };
  for (let at = 0; at < 50; at++) await fail();
  expect(lines).toHaveLength(10);
  expect(lines[0]).toMatchObject({ reports: 1, msg: expect.stringContaining('was not stored') as string });
  clock.advance(60 * second);
  await fail();
  expect(lines).toHaveLength(11);
  expect(lines[10]).toMatchObject({ not_logged_before: 40 });
  expect(await send()).toEqual([{ status: 'stored' }]);
  await road.close();
});

test('a timer evaluation that a failing store does not take is retried, and logged no more often', async () => {
  const { clock, lines, store, road, send } = openRoad();
  // One second apart, so that each goes off line at a moment of its own.
  for (const terminal of terminals) {
    clock.advance(second);
    expect(await send(terminal)).toEqual([{ status: 'stored' }]);
  }
  const stored = store.commits();
  /** Passes so many seconds, each with all that it brings; answers how many commits failed. */
  const passFailing = async (seconds: number) => {
    const before = store.commits();
    for (let at = 0; at < seconds; at++) {
      store.failNext('full');
      clock.advance(second);
      for (let turn = 0; turn < 8; turn++) await nextTurn();
    }
    return store.commits() - before;
  };
  clock.advance((settings.offline_s - terminals.length) * second);
  expect(store.commits()).toBe(stored);
  expect(await passFailing(50)).toBeGreaterThan(40);
  expect(lines).toHaveLength(10);
  expect(lines[0]).toMatchObject({
    vehicles: 1,
    msg: expect.stringContaining('timer evaluation was not stored') as string,
  });
  await passFailing(15);
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.length).toBeLessThanOrEqual(20);
  expect(lines[10]?.not_logged_before).toBeGreaterThan(30);
  await road.close();
});
