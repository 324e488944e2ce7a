import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { maxRunning } from '../../../server/notifications/escalations.ts';
import { stepOutcome, viewerOf } from '../../../server/notifications/escalationSteps.ts';
import { createEscalationViews } from '../../../server/notifications/presentEscalation.ts';
import { openMemoryStore } from '../../../server/store/memoryStore.ts';
import { openStore } from '../../../server/store/openStore.ts';
import { StoreFailed } from '../../../server/store/storeErrors.ts';
import type { Store } from '../../../server/store/operations.ts';
import { temporaryFolder } from '../store/temporaryFolder.ts';
import { deliveryRow } from './channels/rows.ts';
import { createSetClock, createWorld, minute, stepOf } from './escalationWorld.ts';

const memoryWorld = () => createWorld(openMemoryStore({ now: () => 0 }));

async function outcomesOf(store: Store, id: string) {
  const found = await store.escalationOf(id);
  return found?.steps.map(({ outcome, ...row }) => ({ ...row, ...stepOutcome.parse(JSON.parse(outcome)) }));
}

it('a notification that nobody acknowledges escalates step by step, each after its minutes', async () => {
  const { users, clock, escalations, rule, open, settled, delivered, doneSteps } = memoryWorld();
  const { nora, dora } = users;
  const steps = [
    stepOf({ after_min: 2, user_ids: [nora.user_id] }),
    stepOf({ after_min: 5, channels: ['email'], user_ids: [dora.user_id], email_to: ['boss@port.example'] }),
  ];
  const id = await open(rule(steps));
  clock.advance(2 * minute - 1);
  await settled();
  expect(delivered).toEqual([]);

  clock.advance(1);
  await settled();
  expect(delivered).toMatchObject([
    { channel: 'email', target: 'n@example.org', step: 0, user_id: nora.user_id },
  ]);
  expect(escalations.get(id)).toMatchObject({
    next_step: 1,
    last: { step: 0, console: new Set([nora.user_id]) },
  });

  clock.advance(60 * minute);
  await settled();
  expect(delivered.slice(1)).toMatchObject([{ target: 'boss@port.example', step: 1, user_id: null }]);
  expect(await doneSteps(id)).toEqual([0, 1]);
  expect(escalations.get(id)?.status).toBe('done');
});

it('an escalation goes on after a restart where it was, and a kill after the decision loses no delivery', async () => {
  const folder = await temporaryFolder();
  const clock = createSetClock();
  const before = await openStore({ folder, clock, adopt: null });
  const first = createWorld(before, clock, { deliver: () => undefined });
  const { nora } = first.users;
  const steps = [1, 3].map((after_min) =>
    stepOf({ after_min, user_ids: [nora.user_id], email_to: ['boss@port.example'] }),
  );
  const id = await first.open(first.rule(steps));
  clock.advance(minute);
  await expect.poll(() => first.doneSteps(id)).toEqual([0]);
  first.escalations.close();
  await before.close();

  const after = await openStore({ folder, clock, adopt: null });
  onTestFinished(() => after.close());
  const waiting = await after.waitingDeliveries();
  expect(waiting.map((it) => it.target).sort()).toEqual(['boss@port.example', 'n@example.org']);
  const second = createWorld(after, clock);
  await second.escalations.load();
  expect(second.escalations.get(id)).toMatchObject({ next_step: 1, last: { step: 0 } });
  clock.advance(2 * minute);
  await expect.poll(() => second.doneSteps(id)).toEqual([0, 1]);
  expect(second.delivered).toMatchObject([{ step: 1, target: 'boss@port.example' }]);
});

it('an acknowledgement in the instant of a step stops it, of one notification and of many', async () => {
  const world = memoryWorld();
  const steps = [stepOf({ email_to: ['boss@port.example'] })];
  const rule = world.rule(steps);
  const ids = [await world.open(rule), await world.open(rule), await world.open(rule)];
  const acknowledged = world.acknowledge(ids.slice(0, 2));
  world.clock.advance(minute);
  await acknowledged;
  await world.settled();
  expect(world.delivered).toMatchObject([{ notification_id: ids[2] }]);
  for (const id of ids.slice(0, 2)) {
    expect(await world.doneSteps(id)).toEqual([]);
    expect(world.escalations.get(id)).toBeUndefined();
  }
});

it('a step of a notification that was acknowledged, and one that was carried out, are not stored', async () => {
  const store = openMemoryStore({ now: () => 0 });
  const world = createWorld(store);
  const rule = world.rule([stepOf({ email_to: ['boss@port.example'] })]);
  const [open, taken] = [await world.open(rule), await world.open(rule)];
  await world.acknowledge([taken]);
  const moves = [open, taken].map((notification_id) => ({
    notification_id,
    from_step: 0,
    to: { base_ms: 0, next_step: 1, status: 'done' as const },
    done: { notification_id, step: 0, at_ms: 0, outcome: '{}' },
    deliveries: [deliveryRow({ notification_id, step: 0 })],
  }));
  expect((await store.moveEscalations(moves)).moved).toEqual([open]);
  expect((await store.moveEscalations(moves)).moved).toEqual([]);
  expect(await store.waitingDeliveries()).toMatchObject([{ notification_id: open }]);
  expect((await store.escalationOf(taken))?.row.status).toBe('ended');
});

it('a host that slept for an hour carries out the newest step that is due and names those before it', async () => {
  const store = openMemoryStore({ now: () => 0 });
  const world = createWorld(store);
  const steps = [1, 10, 30, 240].map((after_min) => stepOf({ after_min, email_to: ['boss@port.example'] }));
  const id = await world.open(world.rule(steps));
  world.clock.sleep(60 * minute);
  world.clock.advance(minute);
  await world.settled();
  expect(await outcomesOf(store, id)).toMatchObject([{ step: 2, missed: [0, 1] }]);
  expect(world.delivered).toHaveLength(1);
});

it('a snoozed notification does not escalate, and its minutes to the next step count anew when the snooze ends', async () => {
  const { clock, rule, open, settled, snooze, doneSteps, escalations } = memoryWorld();
  const steps = [2, 10].map((after_min) => stepOf({ after_min, email_to: ['boss@port.example'] }));
  const id = await open(rule(steps));
  clock.advance(2 * minute);
  await settled();
  snooze(clock.now() + 60 * minute);
  await settled();
  expect(escalations.get(id)?.status).toBe('paused');
  clock.advance(60 * minute);
  await settled();
  expect(await doneSteps(id)).toEqual([0]);
  snooze(null);
  await settled();
  clock.advance(8 * minute - 1);
  await settled();
  expect(await doneSteps(id)).toEqual([0]);
  clock.advance(1);
  await settled();
  expect(await doneSteps(id)).toEqual([0, 1]);
});

it('those on duty who see the vehicle are notified; with nobody of them on duty, everybody who sees it', async () => {
  const store = openMemoryStore({ now: () => 0 });
  const { users, duty, clock, rule, open, settled, delivered, escalations } = createWorld(store);
  const { nora, rita, saul, dora } = users;
  duty.push(saul.user_id);
  const steps = [1, 2].map((after_min) => stepOf({ after_min, on_duty: true, user_ids: [saul.user_id] }));
  const id = await open(rule(steps));
  clock.advance(minute);
  await settled();
  expect(await outcomesOf(store, id)).toMatchObject([
    {
      nobody_on_duty: true,
      everybody: true,
      email: [nora.user_id],
      no_address: [dora.user_id, rita.user_id],
      no_access: [saul.user_id],
    },
  ]);
  expect(delivered.map((it) => it.target)).toEqual(['n@example.org']);

  duty.push(rita.user_id);
  clock.advance(minute);
  await settled();
  expect((await outcomesOf(store, id))?.[1]).toMatchObject({
    nobody_on_duty: false,
    everybody: false,
    console: [rita.user_id],
    no_address: [rita.user_id],
  });
  expect(escalations.get(id)?.last?.console).toEqual(new Set([rita.user_id]));
});

it('an escalation names to users of the vehicle nobody of others, and to dealers all', async () => {
  const store = openMemoryStore({ now: () => 0 });
  const { users, clock, rule, open, settled, escalations } = createWorld(store);
  const named = Object.values(users).map((it) => ({ ...it, name: `Name of ${it.login}` }));
  const views = createEscalationViews({
    ...{ escalations, store },
    userOf: (id) => named.find((it) => it.user_id === id),
    seesVehicle: ({ user }, vehicleId) => vehicleId === 'north' && user.login !== 'saul',
  });
  const { nora, rita, saul, dora } = users;
  const user_ids = [rita.user_id, saul.user_id];
  const id = await open(rule([1, 2].map((after_min) => stepOf({ after_min, user_ids }))));
  clock.advance(minute);
  await settled();
  const names = async (login: typeof nora) => {
    const viewer = viewerOf(login);
    const history = await views.historyOf(id, viewer);
    const next = views.of({ notification_id: id, state: 'open' }, viewer)?.next?.people ?? [];
    const done = history?.done.flatMap((it) => [...it.no_address, ...it.no_access]) ?? [];
    return [next, done].map((people) => people.map((it) => it.name));
  };
  const all = ['Name of rita', 'Name of saul'];
  expect(await names(nora)).toEqual([
    ['Name of rita', null],
    ['Name of rita', null],
  ]);
  expect(await names(dora)).toEqual([all, all]);
});

it('a clock that is set forward or back neither hastens nor delays a step, and moves the time that is shown', async () => {
  for (const jump_ms of [-3 * 60 * minute, 3 * 60 * minute]) {
    const { clock, rule, open, settled, doneSteps, escalations } = memoryWorld();
    const id = await open(rule([stepOf({ after_min: 10, email_to: ['boss@port.example'] })]));
    const base_ms = escalations.get(id)?.base_ms ?? 0;
    clock.advance(5 * minute);
    clock.set(jump_ms);
    await escalations.clockSet(jump_ms);
    expect(escalations.get(id)?.base_ms).toBe(base_ms + jump_ms);
    clock.advance(5 * minute - 1);
    await settled();
    expect(await doneSteps(id)).toEqual([]);
    clock.advance(1);
    await settled();
    expect(await doneSteps(id)).toEqual([0]);
  }
});

it('steps that the store has kept although it failed are carried out once and sent', async () => {
  const inner = openMemoryStore({ now: () => 0 });
  let failures = 1;
  const world = createWorld({
    ...inner,
    moveEscalations: async (moves) => {
      const result = await inner.moveEscalations(moves);
      if (failures-- > 0) throw new StoreFailed('died before it could say so');
      return result;
    },
  });
  const id = await world.open(world.rule([stepOf({ email_to: ['boss@port.example'] })]));
  world.clock.advance(minute);
  await world.settled();
  expect(world.delivered).toEqual([]);
  world.clock.advance(10_000);
  await expect.poll(() => world.delivered).toMatchObject([{ notification_id: id, step: 0 }]);
  world.clock.advance(60 * minute);
  await world.settled();
  expect(world.delivered).toHaveLength(1);
});

it('a rule escalates so many notifications at once, and those beyond say that they do not', async () => {
  const store = openMemoryStore({ now: () => 0 });
  const world = createWorld(store);
  const rule = world.rule([stepOf({ email_to: ['boss@port.example'] })]);
  const ids: string[] = [];
  for (let at = 0; at <= maxRunning.ofRule; at++) ids.push(await world.open(rule));
  expect((await store.escalationOf(ids.at(-1) ?? ''))?.row.status).toBe('refused');
  expect(world.escalations.get(ids.at(-1) ?? '')).toBeUndefined();
  expect(world.escalations.get(ids.at(-2) ?? '')?.status).toBe('running');
});

it('all steps together begin 600 deliveries a minute, and those beyond come with the next minute', async () => {
  const world = memoryWorld();
  const email_to = Array.from({ length: 10 }, (_, at) => `a${at}@port.example`);
  const rule = world.rule([stepOf({ email_to })]);
  for (let at = 0; at < 100; at++) await world.open(rule);
  world.clock.advance(minute);
  await world.settled();
  expect(world.delivered).toHaveLength(600);
  world.clock.advance(minute);
  await world.settled();
  expect(world.delivered).toHaveLength(1_000);
});

it("the steps of a user's rules begin 150 deliveries a minute, and those of others come on time", async () => {
  const world = memoryWorld();
  const email_to = Array.from({ length: 10 }, (_, at) => `a${at}@port.example`);
  const { user_id } = world.users.nora;
  const ofUser = { ...world.rule([stepOf({ email_to })]), owner_id: user_id };
  for (let at = 0; at < 20; at++) await world.open(ofUser);
  const ofDepot = world.rule([stepOf({ email_to: ['boss@port.example'] })]);
  await world.open(ofDepot);
  const sent = (rule_id: string) => world.delivered.filter((it) => it.rule_id === rule_id).length;
  world.clock.advance(minute);
  await world.settled();
  expect([sent(ofUser.rule_id), sent(ofDepot.rule_id)]).toEqual([150, 1]);
  world.clock.advance(minute);
  await world.settled();
  expect(sent(ofUser.rule_id)).toBe(200);
});

const act = fc.oneof(
  fc.record({ advance: fc.integer({ min: 1, max: 20 }) }),
  fc.record({ sleep: fc.integer({ min: 1, max: 90 }) }),
  fc.record({ set: fc.integer({ min: -90, max: 90 }) }),
  fc.constant({ restart: true as const }),
  fc.constant({ acknowledge: true as const }),
);

it('whatever happens each step is carried out at most once, and without acknowledgement the last one is', async () => {
  const store = openMemoryStore({ now: () => 0 });
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
      const clock = createSetClock();
      let world = createWorld(store, clock);
      const delivered = world.delivered;
      const minutes = [1, 5, 30];
      const id = await world.open(
        world.rule(minutes.map((after_min) => stepOf({ after_min, email_to: ['boss@port.example'] }))),
      );
      let isAcknowledged = false;
      let stepsThen = 0;
      for (const it of acts) {
        if ('advance' in it) clock.advance(it.advance * minute);
        else if ('sleep' in it) clock.sleep(it.sleep * minute);
        else if ('set' in it) {
          clock.set(it.set * minute);
          void world.escalations.clockSet(it.set * minute);
        } else if ('acknowledge' in it) {
          await world.settled();
          stepsThen = isAcknowledged ? stepsThen : delivered.length;
          isAcknowledged = true;
          await world.acknowledge([id]);
        } else {
          await world.settled();
          world.escalations.close();
          world = createWorld(store, clock, { deliver: (rows) => void delivered.push(...rows) });
          await world.escalations.load();
        }
        await world.settled();
      }
      clock.advance(200 * minute);
      await world.settled();
      world.escalations.close();
      const steps = delivered.map((it) => it.step);
      expect(new Set(steps).size).toBe(steps.length);
      expect(steps).toEqual([...steps].sort());
      if (isAcknowledged) expect(delivered).toHaveLength(stepsThen);
      else expect(steps.at(-1)).toBe(minutes.length - 1);
      // Those that were not sent are named by the one that came in their place.
      const named = (await outcomesOf(store, id))?.flatMap((it) => [...it.missed, it.step]);
      if (!isAcknowledged) expect(named).toEqual([0, 1, 2]);
    }),
    { numRuns: 40 },
  );
});
