import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { Rule } from '../../../server/contract/rules.ts';
import type { Committed } from '../../../server/pipeline.ts';
import { createPipelineFixture, ruleFor, vehicleNamed } from '../../journey/pipelineFixture.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { report } from '../telemetry/positions.ts';
import { createFaultyStore } from './faultyStore.ts';

const second = 1_000;
const origin = { protocol: 'test', address: null };
const limit = ruleFor('overspeed', { params: { limit_kmh: 60 } });

/** Long enough for what has come in to be evaluated. */
async function evaluated(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await nextTurn();
}

/**
 * A vehicle is evaluated at one speed while the batch before it is being stored; then the rules change, and it comes
 * into the same batch at 90 km/h.
 */
async function driveWhileRulesChange(after: readonly Rule[], speedBeforeKmh = 90) {
  const store = createFaultyStore();
  const clock = createFakeClock();
  const versions: Committed['batch']['rules'] = [];
  let rules: readonly Rule[] = [limit];
  const road = createPipelineFixture({
    store,
    vehicles: [vehicleNamed('1')],
    geofences: [],
    get rules() {
      return rules;
    },
    clock,
    onCommitted: ({ batch }) => versions.push(...batch.rules),
  });
  onTestFinished(() => road.close());
  const drive = (ago_s: number, speed_kmh: number) =>
    road.accept([report({ terminal_id: '1', time_ms: clock.now() - ago_s * second, speed_kmh })], origin);
  store.hold();
  const standing = drive(60, 0);
  await evaluated();
  const driving = [drive(50, speedBeforeKmh), drive(40, speedBeforeKmh)];
  await evaluated();
  rules = after;
  driving.push(drive(30, 90), drive(20, 90));
  await evaluated();
  store.letAllThrough();
  await Promise.all([standing, ...driving]);
  return { store, versions };
}

test('a notification names the version of the rule that measured its event, though the rule has changed since', async () => {
  const { store, versions } = await driveWhileRulesChange([
    { ...limit, version: 2, params: { limit_kmh: 120 } },
  ]);
  const [event] = [...store.events.values()];
  expect(event).toMatchObject({ kind: 'overspeed', rule_id: limit.rule_id, rule_version: 1 });
  expect(event?.details.threshold).toBe(60);
  expect([...store.notifications.values()]).toMatchObject([
    { rule_version: 1, event_ids: [event?.event_id] },
  ]);
  expect(versions.map((it) => [it.version, JSON.parse(it.rule)])).toMatchObject([
    [1, { version: 1, params: { limit_kmh: 60 } }],
  ]);
});

test('all of a batch is measured by the rules of its beginning', async () => {
  const { store } = await driveWhileRulesChange([{ ...limit, version: 2 }], 0);
  const ofVersion1 = [{ rule_version: 1 }];
  expect([...store.events.values()].filter((it) => it.kind === 'overspeed')).toMatchObject(ofVersion1);
  expect([...store.notifications.values()]).toMatchObject(ofVersion1);
});

test.each([
  ['deleted', []],
  ['disabled', [{ ...limit, version: 2, enabled: false }]],
])('a rule that was %s meanwhile emits nothing more', async (_what, after) => {
  const { store } = await driveWhileRulesChange(after);
  expect([...store.events.values()]).toMatchObject([{ kind: 'overspeed' }]);
  expect(store.notifications.size).toBe(0);
});
