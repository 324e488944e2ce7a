import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newRule } from '../../../server/contract/rules.ts';
import { start_ms, startText, viewerOf, type Login } from './depot.ts';
import { listed, openQueue } from './queue.ts';
import { notificationRow } from './rows.ts';

describe('the queue of notifications', () => {
  it('the queue of notifications shows the newest first, with times as text', async () => {
    const { depot, ids, rows } = await openQueue(
      { of: 'north', minute: 0, ongoing_until_ms: null, lat: 52.5, lon: 13.4 },
      { of: 'south', minute: 2 },
      { of: 'north', minute: 1 },
    );
    expect(await listed(depot, 'dora')).toEqual([ids[1], ids[2], ids[0]]);
    const { body } = await depot.call('dora', 'GET /notifications?to=2026-11-21T04:43:30Z');
    const [first] = rows;
    expect(body.items).toEqual([
      {
        notification_id: first?.notification_id,
        rule_id: first?.rule_id,
        rule_name: 'Rule',
        rule_version: 1,
        event_kind: 'sos',
        vehicle_id: first?.vehicle_id,
        geozone_id: null,
        severity: 'alarm',
        quiet: false,
        sound: 'default',
        state: 'open',
        count: 1,
        late: false,
        first_time: startText,
        last_time: startText,
        ongoing_until: null,
        details: first?.details,
        lat: 52.5,
        lon: 13.4,
        event_ids: first?.event_ids,
        ack: null,
        shelved_until: null,
        escalation: null,
        updated_at: startText,
      },
    ]);
  });

  it('the queue of notifications shows users only what concerns vehicles that they see', async () => {
    const { depot, ids } = await openQueue({ of: 'north', minute: 0 }, { of: 'south', minute: 1 });
    await depot.store.saveNotifications([notificationRow({ vehicle_id: randomUUID() })]);
    expect(await listed(depot, 'nora')).toEqual([ids[0]]);
    expect(await listed(depot, 'rita')).toEqual([ids[0]]);
    expect(await listed(depot, 'saul')).toEqual([ids[1]]);
    expect(await listed(depot, 'dora')).toHaveLength(3);
  });

  it('the queue of notifications is filtered by state, severity, vehicle and period', async () => {
    const { depot, ids, vehicles } = await openQueue(
      {
        of: 'north',
        minute: 0,
        state: 'acknowledged',
        ack: { user_id: randomUUID(), at_ms: start_ms, note: 'seen' },
      },
      { of: 'north', minute: 10, severity: 'warning' },
      { of: 'south', minute: 20, severity: 'info' },
    );
    const [a, b, c] = ids;
    expect(await listed(depot, 'dora', '?state=acknowledged')).toEqual([a]);
    expect(await listed(depot, 'dora', '?state=open')).toEqual([c, b]);
    expect(await listed(depot, 'dora', '?severity=warning,info')).toEqual([c, b]);
    expect(await listed(depot, 'dora', '?severity=warning&severity=alarm')).toEqual([b, a]);
    expect(await listed(depot, 'dora', '?vehicle=North-1')).toEqual([b, a]);
    expect(await listed(depot, 'dora', `?vehicle=${vehicles.south.vehicle_id}`)).toEqual([c]);
    expect(await listed(depot, 'dora', '?from=2026-11-21T04:50:00Z&to=2026-11-21T04:55:00Z')).toEqual([b]);
    expect(await listed(depot, 'dora', '?from=2026-11-21T06:00:00%2B01:00')).toEqual([c]);
    expect(await listed(depot, 'dora', '?quiet=true')).toEqual([c]);
    expect(await listed(depot, 'dora', '?state=open&quiet=false')).toEqual([b]);
    const { status, body } = await depot.call('dora', 'GET /notifications?severity=loud');
    expect([status, body.code]).toEqual([400, 'validation_failed']);
  });

  it('the queue of notifications is filtered by rule, also of a vehicle and page by page', async () => {
    const rule_id = randomUUID();
    const { depot, ids } = await openQueue(
      { of: 'north', minute: 0, rule_id },
      { of: 'north', minute: 1 },
      { of: 'south', minute: 2, rule_id, state: 'acknowledged' },
      { of: 'north', minute: 3, rule_id },
    );
    const [a, , b, c] = ids;
    const ofRule = `?rule=${rule_id}`;
    expect(await listed(depot, 'dora', ofRule)).toEqual([c, b, a]);
    expect(await listed(depot, 'dora', `${ofRule}&vehicle=North-1`)).toEqual([c, a]);
    expect(await listed(depot, 'dora', `${ofRule}&state=acknowledged`)).toEqual([b]);
    expect(await listed(depot, 'nora', ofRule)).toEqual([c, a]);
    const { body } = await depot.call('dora', `GET /notifications${ofRule}&limit=2`);
    expect(body.items?.map((it) => it.notification_id)).toEqual([c, b]);
    expect(await listed(depot, 'dora', `${ofRule}&limit=2&cursor=${body.next_cursor}`)).toEqual([a]);
    const { status, body: problem } = await depot.call('dora', 'GET /notifications?rule=r1');
    expect([status, problem.errors?.[0]?.path]).toEqual([400, 'rule']);
  });

  it('the queue of notifications has nothing of the rule of another user, as of an unknown one', async () => {
    const { depot, vehicles } = await openQueue();
    const rule = await depot.rules.add(
      newRule.parse({ name: 'Mine', event_kind: 'sos', scope: { all: true } }),
      viewerOf(depot.users.rita),
    );
    const { vehicle_id } = vehicles.north;
    const row = notificationRow({ vehicle_id, rule_id: rule.rule_id });
    await depot.store.saveNotifications([row]);
    const answer = async (as: Login, id: string) =>
      (await depot.call(as, `GET /notifications?rule=${id}`)).body;
    // Nora sees the notification, not whose rule it is of.
    expect(await listed(depot, 'nora')).toEqual([row.notification_id]);
    expect(await answer('nora', rule.rule_id)).toEqual(await answer('nora', randomUUID()));
    for (const as of ['rita', 'dora'] as const)
      expect(await listed(depot, as, `?rule=${rule.rule_id}`)).toEqual([row.notification_id]);
  });

  it('the queue of notifications says of a vehicle out of sight what it says of one that is not there', async () => {
    const { depot } = await openQueue({ of: 'south', minute: 0 });
    const answers = await Promise.all(
      ['South-1', 'Nowhere', randomUUID()].map((it) =>
        depot.call('nora', `GET /notifications?vehicle=${it}`),
      ),
    );
    for (const { status, body } of answers) {
      expect(status).toBe(404);
      expect(body.detail).toBe('There is no such vehicle.');
    }
  });

  it('the queue of notifications is paged without a gap or a repeat, also where several have one time', async () => {
    const { depot, ids } = await openQueue(
      ...[3, 1, 1, 1, 2].map((minute) => ({ of: 'north' as const, minute })),
    );
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { body } = await depot.call('nora', `GET /notifications?limit=2${query}`);
      seen.push(...(body.items ?? []).map((it) => String(it.notification_id)));
      cursor = body.next_cursor ?? null;
    } while (cursor !== null);
    expect(seen).toHaveLength(5);
    expect(new Set(seen)).toEqual(new Set(ids));
    const foreign = Buffer.from(JSON.stringify(['name', 'id'])).toString('base64url');
    expect((await depot.call('nora', `GET /notifications?cursor=${foreign}`)).body.errors?.[0]?.path).toBe(
      'cursor',
    );
  });
});

describe('an acknowledgement', () => {
  it('an acknowledgement is shared by all users who see the notification', async () => {
    const { depot, ids, rows } = await openQueue({ of: 'north', minute: 0 });
    depot.clock.advance(5_000);
    const { status, body } = await depot.call('nora', `POST /notifications/${ids[0]}/ack`, {
      note: ' On it ',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      state: 'acknowledged',
      ack: { user_id: depot.users.nora.user_id, at: '2026-11-21T04:43:05.000Z', note: 'On it' },
      updated_at: '2026-11-21T04:43:05.000Z',
      count: 1,
    });
    expect((await depot.call('rita', 'GET /notifications')).body.items).toEqual([body]);
    expect(depot.saved).toHaveLength(1);
    expect(depot.saved[0]).toMatchObject([{ notification_id: ids[0], state: 'acknowledged' }]);
    expect(depot.recent.open(`${rows[0]?.rule_id} ${rows[0]?.vehicle_id} `)).toEqual([]);
  });

  it('an acknowledgement needs no body', async () => {
    const { depot, ids } = await openQueue({ of: 'north', minute: 0 });
    const { status, body } = await depot.call('nora', `POST /notifications/${ids[0]}/ack`);
    expect([status, body.ack]).toMatchObject([200, { note: null }]);
  });

  it('an acknowledgement of what is acknowledged changes nothing and answers it as it is', async () => {
    const { depot, ids } = await openQueue({ of: 'north', minute: 0 });
    const first = await depot.call('nora', `POST /notifications/${ids[0]}/ack`, { note: 'mine' });
    depot.clock.advance(60_000);
    const second = await depot.call('dora', `POST /notifications/${ids[0]}/ack`, { note: 'too late' });
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(depot.saved).toHaveLength(1);
  });

  it('an acknowledgement of many answers them in the order asked for', async () => {
    const { depot, ids } = await openQueue(
      { of: 'north', minute: 0 },
      {
        of: 'north',
        minute: 1,
        state: 'acknowledged',
        ack: { user_id: randomUUID(), at_ms: start_ms, note: 'old' },
      },
      { of: 'north', minute: 2 },
    );
    const asked = [ids[2], ids[1], ids[0], ids[2]];
    const { status, body } = await depot.call('nora', 'POST /notifications/ack', {
      notification_ids: asked,
      note: 'all',
    });
    expect(status).toBe(200);
    expect(body.results?.map((it) => [it.notification_id, it.result])).toEqual([
      [ids[2], 'acknowledged'],
      [ids[1], 'already_acknowledged'],
      [ids[0], 'acknowledged'],
      [ids[2], 'acknowledged'],
    ]);
    expect(body.results?.[1]?.notification).toMatchObject({ ack: { note: 'old' } });
    expect(depot.saved).toHaveLength(1);
    expect(depot.saved[0]?.map((row) => row.notification_id).sort()).toEqual([ids[0], ids[2]].sort());
  });

  it('an acknowledgement of many passes over what is out of sight, as over what is not there', async () => {
    const { depot, ids } = await openQueue({ of: 'north', minute: 0 }, { of: 'south', minute: 1 });
    const gone = randomUUID();
    const { status, body } = await depot.call('nora', 'POST /notifications/ack', {
      notification_ids: [ids[1], gone, ids[0]],
    });
    expect(status).toBe(200);
    expect(body.results).toMatchObject([
      { notification_id: ids[1], result: 'not_found', notification: null },
      { notification_id: gone, result: 'not_found', notification: null },
      { notification_id: ids[0], result: 'acknowledged', notification: { state: 'acknowledged' } },
    ]);
    expect((await depot.call('nora', `POST /notifications/${ids[1]}/ack`)).body.code).toBe('not_found');
    expect((await depot.call('nora', `POST /notifications/${gone}/ack`)).body.code).toBe('not_found');
    expect(await listed(depot, 'dora', '?state=open')).toEqual([ids[1]]);
  });

  it('an acknowledgement needs the right to write', async () => {
    const { depot, ids } = await openQueue({ of: 'north', minute: 0 });
    expect((await depot.call('rita', `POST /notifications/${ids[0]}/ack`)).body.code).toBe('forbidden');
    const many = await depot.call('rita', 'POST /notifications/ack', { notification_ids: ids });
    expect(many.body.code).toBe('forbidden');
  });
});
