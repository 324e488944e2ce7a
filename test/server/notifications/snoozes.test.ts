import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { groups, openDepot, start_ms, type Depot, type Login } from './depot.ts';
import { listed, openQueue } from './queue.ts';
import { notificationRow } from './rows.ts';

const snoozesPath = '/notifications/snoozes';
const hour_s = 3_600;
const iso = (seconds: number) => new Date(start_ms + seconds * 1_000).toISOString();

async function snoozed(depot: Depot, as: Login, what: object, status = 201) {
  const answer = await depot.call(as, `POST ${snoozesPath}`, { duration_s: hour_s, ...what });
  expect([answer.status, answer.body.detail]).toEqual([
    status,
    status === 201 ? undefined : answer.body.detail,
  ]);
  return answer.body;
}

async function snoozeIds(depot: Depot, as: Login): Promise<string[]> {
  const { body } = await depot.call(as, `GET ${snoozesPath}`);
  return (body.items ?? []).map((it) => String(it.snooze_id));
}

/** Acts run in the order of their calls: what a timer has begun is stored before this is. */
async function settled(depot: Depot): Promise<void> {
  await new Promise(setImmediate);
  await depot.acts.run(() => null);
}

async function ruleOf(depot: Depot, as: Login): Promise<string> {
  const rule = { name: `Rule of ${as}`, event_kind: 'sos', scope: { all: true } };
  return String((await depot.call(as, 'POST /notifications/rules', rule)).body.rule_id);
}

describe('a snooze', () => {
  it('a snooze is of a vehicle or a rule, until a moment at most seven days ahead', async () => {
    const depot = await openDepot();
    const { vehicle_id } = await depot.addVehicle('North 1', [groups.north]);
    const body = await snoozed(depot, 'nora', { vehicle_id, note: ' In the workshop ' });
    expect(body).toEqual({
      snooze_id: body.snooze_id,
      vehicle_id,
      rule_id: null,
      until: iso(hour_s),
      note: 'In the workshop',
      created_by: depot.users.nora.user_id,
      created_at: iso(0),
    });
    const at = async (until: string) => {
      const answer = await depot.call('nora', `POST ${snoozesPath}`, { vehicle_id, until });
      return answer.body.errors?.[0]?.path ?? answer.status;
    };
    expect(await at(iso(0))).toBe('until');
    expect(await at(iso(-1))).toBe('until');
    expect(await at(iso(7 * 24 * hour_s + 1))).toBe('until');
    expect(await at(iso(7 * 24 * hour_s))).toBe(201);
    expect(await at(iso(1))).toBe(201);
    const rule_id = await ruleOf(depot, 'nora');
    for (const wrong of [
      {},
      { vehicle_id, rule_id },
      { vehicle_id, until: iso(9) },
      { vehicle_id, duration_s: 0 },
    ]) {
      const { status } = await depot.call('nora', `POST ${snoozesPath}`, { duration_s: 60, ...wrong });
      expect(status).toBe(400);
    }
  });

  it('a snooze takes the place of an earlier one of the same thing', async () => {
    const depot = await openDepot();
    const { vehicle_id } = await depot.addVehicle('North 1', [groups.north]);
    const first = await snoozed(depot, 'nora', { vehicle_id });
    const second = await snoozed(depot, 'dora', { vehicle_id, duration_s: 60 });
    expect(await snoozeIds(depot, 'dora')).toEqual([second.snooze_id]);
    expect((await depot.store.snoozes()).map((it) => it.snooze_id)).toEqual([second.snooze_id]);
    expect(
      depot.snoozeChanges.map(({ begun, changes }) => [begun, changes.map((it) => it.resource_id)]),
    ).toEqual([
      [[first.snooze_id], [first.snooze_id]],
      [[second.snooze_id], [second.snooze_id, first.snooze_id]],
    ]);
  });

  it('a snooze is made, seen and ended by users who see the vehicle', async () => {
    const depot = await openDepot();
    const { vehicle_id } = await depot.addVehicle('North 1', [groups.north]);
    await snoozed(depot, 'saul', { vehicle_id }, 404);
    await snoozed(depot, 'saul', { vehicle_id: randomUUID() }, 404);
    await snoozed(depot, 'rita', { vehicle_id }, 403);
    const { snooze_id } = await snoozed(depot, 'nora', { vehicle_id });
    for (const as of ['dora', 'nora', 'rita'] as const)
      expect(await snoozeIds(depot, as)).toEqual([snooze_id]);
    expect(await snoozeIds(depot, 'saul')).toEqual([]);
    const end = async (as: Login) => (await depot.call(as, `DELETE ${snoozesPath}/${snooze_id}`)).status;
    expect([await end('saul'), await end('rita'), await end('dora'), await end('dora')]).toEqual([
      404, 403, 204, 404,
    ]);
    expect(await depot.store.snoozes()).toEqual([]);
  });

  it('a snooze of a rule is for its owner and dealers to make and to end', async () => {
    const depot = await openDepot();
    await depot.addVehicle('North 1', [groups.north]);
    const [depots, noras] = [await ruleOf(depot, 'dora'), await ruleOf(depot, 'nora')];
    await snoozed(depot, 'nora', { rule_id: depots }, 403);
    await snoozed(depot, 'saul', { rule_id: noras }, 404);
    await snoozed(depot, 'nora', { rule_id: randomUUID() }, 404);
    const { snooze_id } = await snoozed(depot, 'dora', { rule_id: depots });
    expect(await snoozeIds(depot, 'nora')).toEqual([snooze_id]);
    const end = async (as: Login, id: unknown) =>
      (await depot.call(as, `DELETE ${snoozesPath}/${String(id)}`)).status;
    expect(await end('nora', snooze_id)).toBe(403);
    const own = await snoozed(depot, 'nora', { rule_id: noras });
    expect((await snoozeIds(depot, 'dora')).sort()).toEqual([snooze_id, own.snooze_id].sort());
    expect(await snoozeIds(depot, 'saul')).toEqual([]);
    expect(await end('nora', own.snooze_id)).toBe(204);
  });

  it('a snooze ends automatically at its moment, which is published and stored', async () => {
    const depot = await openDepot();
    const { vehicle_id } = await depot.addVehicle('North 1', [groups.north]);
    const { snooze_id } = await snoozed(depot, 'nora', { vehicle_id });
    const shelved = () =>
      depot.snoozes.snoozedUntil({ vehicle_id, rule_id: randomUUID(), event_kind: 'overspeed' });
    depot.clock.advance(hour_s * 1_000 - 1);
    expect(shelved()).toBe(start_ms + hour_s * 1_000);
    const before = await depot.store.lastSeq();
    depot.clock.advance(1);
    expect(shelved()).toBeNull();
    await settled(depot);
    expect(await depot.store.snoozes()).toEqual([]);
    expect(depot.snoozeChanges.at(-1)).toMatchObject({ begun: [], changes: [{ resource_id: snooze_id }] });
    expect(await depot.store.changesAfter({ seq: before, limit: 10 })).toMatchObject([
      { topic: 'snooze', resource_id: snooze_id, visible_to: [groups.north] },
    ]);
  });

  it('a snooze survives a restart; one that ended meanwhile, or whose vehicle is gone, is removed', async () => {
    const first = await openDepot();
    const [a, b, c] = [
      await first.addVehicle('A', [groups.north]),
      await first.addVehicle('B', [groups.north]),
      await first.addVehicle('C', [groups.north]),
    ];
    const short = await first.store.changeSnoozes({
      begun: [
        {
          snooze_id: randomUUID(),
          vehicle_id: b.vehicle_id,
          rule_id: null,
          until_ms: start_ms,
          note: null,
          created_by: randomUUID(),
          created_ms: 0,
        },
      ],
      ended: [],
    });
    expect(short.changes).toHaveLength(1);
    const { snooze_id } = await snoozed(first, 'nora', { vehicle_id: a.vehicle_id });
    await snoozed(first, 'nora', { vehicle_id: c.vehicle_id });
    await first.vehicles.archive(c.vehicle_id, null);
    await first.close();

    const again = await openDepot({ folder: first.folder });
    await settled(again);
    expect((await again.store.snoozes()).map((it) => it.snooze_id)).toEqual([snooze_id]);
    expect(await snoozeIds(again, 'dora')).toEqual([snooze_id]);
    again.clock.advance(hour_s * 1_000);
    await settled(again);
    expect(await again.store.snoozes()).toEqual([]);
  });

  it('a snooze ends with its vehicle or its rule', async () => {
    const depot = await openDepot();
    const { vehicle_id } = await depot.addVehicle('North 1', [groups.north]);
    const rule_id = await ruleOf(depot, 'nora');
    await snoozed(depot, 'nora', { vehicle_id });
    const ofRule = await snoozed(depot, 'nora', { rule_id });
    const before = await depot.store.lastSeq();
    await depot.vehicles.archive(vehicle_id, null);
    expect(await snoozeIds(depot, 'dora')).toEqual([ofRule.snooze_id]);
    expect((await depot.call('nora', `DELETE /notifications/rules/${rule_id}`)).status).toBe(204);
    expect(await depot.store.snoozes()).toEqual([]);
    const changes = await depot.store.changesAfter({ seq: before, limit: 10 });
    expect(changes?.map((it) => [it.topic, it.visible_to])).toEqual([
      ['vehicle', [groups.north]],
      ['snooze', [groups.north]],
      ['rule', expect.any(Array)],
      ['snooze', []],
    ]);
    await snoozed(depot, 'dora', { vehicle_id }, 404);
  });
});

describe('the snoozed part of the queue', () => {
  it('the snoozed part of the queue holds all alarms of a rule, and all of a vehicle but its SOS', async () => {
    const depot = await openDepot();
    const { vehicle_id } = await depot.addVehicle('North 1', [groups.north]);
    const rule_id = await ruleOf(depot, 'dora');
    const until = (event_kind: 'sos' | 'moving', vehicle = vehicle_id, rule = 'another') => {
      const shelved = depot.snoozes.snoozedUntil({ event_kind, vehicle_id: vehicle, rule_id: rule });
      return shelved === null ? null : (shelved - start_ms) / 1_000;
    };
    await snoozed(depot, 'dora', { vehicle_id, duration_s: 60 });
    expect([until('moving'), until('sos'), until('moving', 'other')]).toEqual([60, null, null]);
    await snoozed(depot, 'dora', { rule_id, duration_s: 90 });
    expect(until('sos', vehicle_id, rule_id)).toBe(90);
    expect(until('moving', vehicle_id, rule_id)).toBe(90);
    expect(until('moving', 'other', rule_id)).toBe(90);
    depot.clock.advance(70_000);
    expect([until('moving'), until('sos', vehicle_id, rule_id)]).toEqual([null, 90]);
  });

  it('the snoozed part of the queue is a separate part of the queue', async () => {
    const { depot, ids, vehicles } = await openQueue(
      { of: 'north', minute: 0, event_kind: 'moving' },
      { of: 'north', minute: 1, event_kind: 'sos' },
      { of: 'south', minute: 2, event_kind: 'moving' },
      { of: 'south', minute: 3, event_kind: 'moving' },
    );
    const [a, b, c, d] = ids;
    expect(await listed(depot, 'dora', '?shelved=true')).toEqual([]);
    await snoozed(depot, 'nora', { vehicle_id: vehicles.north.vehicle_id });
    expect(await listed(depot, 'dora', '?shelved=true')).toEqual([a]);
    expect(await listed(depot, 'nora', '?shelved=true')).toEqual([a]);
    expect(await listed(depot, 'saul', '?shelved=true')).toEqual([]);
    expect(await listed(depot, 'dora', '?shelved=false')).toEqual([d, c, b]);
    expect(await listed(depot, 'dora')).toEqual([d, c, b, a]);
    const { body } = await depot.call('dora', 'GET /notifications');
    expect(body.items?.map((it) => it.shelved_until)).toEqual([null, null, null, iso(hour_s)]);
    expect((await depot.call('nora', `POST /notifications/${a}/ack`)).body.shelved_until).toBe(iso(hour_s));

    depot.clock.advance(hour_s * 1_000);
    expect(await listed(depot, 'dora', '?shelved=true')).toEqual([]);
  });

  it('the snoozed part of the queue is paged without a gap or a repeat, however rare its rows are', async () => {
    const depot = await openDepot();
    const quiet = await depot.addVehicle('Quiet', [groups.north]);
    const loud = await depot.addVehicle('Loud', [groups.north]);
    const rule_id = await ruleOf(depot, 'dora');
    const rows = Array.from({ length: 2_500 }, (_, at) =>
      notificationRow({
        vehicle_id: (at % 2 === 0 ? quiet : loud).vehicle_id,
        ...(at % 500 < 2 ? { rule_id } : {}),
        last_ms: start_ms - at * 1_000,
      }),
    );
    await depot.store.saveNotifications(rows);
    await snoozed(depot, 'dora', { rule_id });
    for (const as of ['dora', 'nora'] as const) {
      for (const shelved of [true, false]) {
        const seen: string[] = [];
        let cursor = '';
        do {
          const limit = shelved ? 3 : 1_000;
          const query = `?shelved=${String(shelved)}&limit=${limit}${cursor}`;
          const { body } = await depot.call(as, `GET /notifications${query}`);
          expect(body.items?.length).toBeLessThanOrEqual(limit);
          seen.push(...(body.items ?? []).map((it) => String(it.notification_id)));
          cursor = body.next_cursor == null ? '' : `&cursor=${body.next_cursor}`;
        } while (cursor !== '');
        const meant = rows.filter((row) => (row.rule_id === rule_id) === shelved);
        expect(seen).toEqual(meant.map((row) => row.notification_id));
      }
    }
  });

  it('the snoozed part of the queue is shown again when it begins and when it ends, if it is open', async () => {
    const { depot, ids, vehicles } = await openQueue(
      { of: 'north', minute: 0, event_kind: 'moving' },
      {
        of: 'north',
        minute: 1,
        event_kind: 'moving',
        state: 'acknowledged',
        ack: { user_id: randomUUID(), at_ms: 0, note: null },
      },
      { of: 'south', minute: 2, event_kind: 'moving' },
    );
    const before = await depot.store.lastSeq();
    await snoozed(depot, 'nora', { vehicle_id: vehicles.north.vehicle_id });
    await expect.poll(() => depot.shownAgain).toHaveLength(1);
    expect(depot.shownAgain[0]?.rows.map((it) => it.notification_id)).toEqual([ids[0]]);
    depot.clock.advance(hour_s * 1_000);
    await expect.poll(() => depot.shownAgain).toHaveLength(2);
    const changes = await depot.store.changesAfter({ seq: before, limit: 10 });
    expect(changes?.map((it) => [it.topic, it.resource_id === ids[0]])).toEqual([
      ['snooze', false],
      ['notification', true],
      ['snooze', false],
      ['notification', true],
    ]);
    expect(depot.shownAgain[1]?.changes).toEqual(changes?.slice(3));
  });
});
