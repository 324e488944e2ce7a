import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { emptyBatch, type EventRow } from '../../../server/store/telemetry/rows.ts';
import { applyRules } from '../../../server/notifications/ruleEngine.ts';
import { groups, openDepot, start_ms, type Depot, type Login } from './depot.ts';
import { eventRow, noDetails, notificationRow } from './rows.ts';

const rulesPath = '/notifications/rules';
const why = z.looseObject({
  notification: z.looseObject({ notification_id: z.string() }),
  rule: z.looseObject({ name: z.string() }).nullable(),
  rule_now: z.string(),
  events: z.array(z.looseObject({ event_id: z.string() })),
  deliveries: z.array(z.looseObject({ target: z.string(), last_error: z.string().nullable() })),
});

/** A depot in which a rule has fired on these events, as the road of a position leaves it. */
async function openFired(as: Login, ruleMore: object, ...moments: Partial<EventRow>[]) {
  const depot = await openDepot();
  const { vehicle_id } = await depot.addVehicle('North 1', [groups.north]);
  const wanted = { name: 'Button', event_kind: 'sos', scope: { all: true }, ...ruleMore };
  const { body } = await depot.call(as, `POST ${rulesPath}`, wanted);
  const rule_id = String(body.rule_id);
  const events = moments.map((more) => eventRow({ kind: 'sos', vehicle_id, ...more }));
  const rule = depot.rules.get(rule_id) ?? expect.fail();
  const published = applyRules({
    updates: events.map((event) => ({ event, isNew: true })),
    rules: [rule],
    inScope: (it, vehicle) => depot.rules.inScope(it, vehicle),
    snoozedUntil: () => null,
    recent: depot.recent,
    newId: randomUUID,
    now_ms: depot.clock.now(),
  });
  await depot.store.commit({
    ...emptyBatch(),
    events,
    notifications: published.rows,
    rules: published.versions,
    deliveries: published.deliveries,
  });
  return {
    depot,
    vehicle_id,
    rule_id,
    events,
    published,
    id: published.rows[0]?.notification_id ?? '',
  };
}

async function whyOf(depot: Depot, as: Login, id: string) {
  const { status, body } = await depot.call(as, `GET /notifications/${id}/why`);
  expect(status).toBe(200);
  return why.parse(body);
}

describe('a notification', () => {
  it('a notification is shown alone as in the list, to users who see its vehicle', async () => {
    const { depot, id } = await openFired('dora', {}, { time_ms: start_ms });
    const { body } = await depot.call('nora', `GET /notifications/${id}`);
    expect((await depot.call('nora', 'GET /notifications')).body.items).toEqual([body]);
    for (const path of [id, `${id}/why`, randomUUID(), `${randomUUID()}/why`]) {
      expect((await depot.call('saul', `GET /notifications/${path}`)).body.code).toBe('not_found');
    }
    expect((await depot.call('saul', 'GET /notifications/no-id')).body.code).toBe('not_found');
  });
});

describe('the explanation of a notification', () => {
  it('the explanation of a notification gives the rule as it was, and its events with their values, oldest first', async () => {
    const details = { ...noDetails, measured: 94, threshold: 60, unit: 'km/h' };
    const { depot, id, rule_id, events } = await openFired(
      'dora',
      { cooldown_s: 600 },
      { time_ms: start_ms, details },
      { time_ms: start_ms + 20_000 },
      { time_ms: start_ms + 10_000 },
    );
    const before = await depot.call('dora', `GET ${rulesPath}/${rule_id}`);
    const first = await whyOf(depot, 'dora', id);
    expect(first.rule).toEqual(before.body);
    expect(first.rule_now).toBe('same');
    expect(first.notification).toMatchObject({ notification_id: id, count: 3 });
    expect(first.events.map((it) => it.event_id)).toEqual(
      [events[0], events[2], events[1]].map((it) => it?.event_id),
    );
    expect(first.events[0]).toEqual((await depot.call('dora', `GET /events/${events[0]?.event_id}`)).body);
    expect(first.deliveries).toEqual([]);

    await depot.call('dora', `PATCH ${rulesPath}/${rule_id}`, { name: 'Renamed', cooldown_s: 1 });
    expect(await whyOf(depot, 'dora', id)).toMatchObject({ rule: before.body, rule_now: 'changed' });
    await depot.call('dora', `DELETE ${rulesPath}/${rule_id}`);
    expect(await whyOf(depot, 'dora', id)).toMatchObject({ rule: before.body, rule_now: 'deleted' });
  });

  it('the explanation of a notification gives the results of its deliveries; their recipients only to the rule’s owner and dealers', async () => {
    const published = { channels: ['email'], email_to: ['n@example.org'] };
    const { depot, id, published: step } = await openFired('nora', published, { time_ms: start_ms });
    const [delivery] = step.deliveries;
    await depot.store.saveDeliveries([
      {
        ...(delivery ?? expect.fail()),
        attempts: 2,
        last_error: '550 n@example.org',
        next_attempt_ms: start_ms + 9_000,
      },
    ]);
    const shown = {
      channel: 'email',
      target: 'n@example.org',
      step: null,
      status: 'waiting',
      attempts: 2,
      last_error: '550 n@example.org',
      next_attempt_at: '2026-11-21T04:43:09.000Z',
      sent_at: null,
    };
    for (const as of ['dora', 'nora'] as const) {
      const { rule, deliveries } = await whyOf(depot, as, id);
      expect([rule, deliveries]).toMatchObject([published, [shown]]);
    }
    const foreign = await whyOf(depot, 'rita', id);
    expect(foreign.deliveries).toEqual([{ ...shown, target: '', last_error: null }]);
    expect(foreign.rule).toBeNull();
  });

  it('the explanation of a notification shows the status alone of an answer that an older version has kept', async () => {
    const published = { channels: ['webhook'], webhook_url: 'https://hooks.example/1' };
    const { depot, id, published: step } = await openFired('dora', published, { time_ms: start_ms });
    const [delivery] = step.deliveries;
    const last_error = 'It answered 404: <title>Router\nof the depot';
    await depot.store.saveDeliveries([{ ...(delivery ?? expect.fail()), last_error }]);
    const { deliveries } = await whyOf(depot, 'dora', id);
    expect(deliveries).toMatchObject([{ last_error: 'It answered 404.' }]);
  });

  it('the explanation of a notification shows a rule of the depot without its addresses to users who may not change it', async () => {
    const published = { channels: ['email'], email_to: ['d@example.org'] };
    const { depot, id } = await openFired('dora', published, { time_ms: start_ms });
    const { rule, deliveries } = await whyOf(depot, 'nora', id);
    expect([rule, deliveries]).toMatchObject([{ name: 'Button', email_to: [] }, [{ target: '' }]]);
  });

  it('the explanation of a notification reads a rule that an older host has stored, and omits an unreadable one', async () => {
    const { depot, vehicle_id } = await openFired('dora', {}, { time_ms: start_ms });
    const rule_id = randomUUID();
    const old = {
      rule_id,
      name: 'Old',
      event_kind: 'sos',
      scope: { all: true },
      disabled_reason: null,
      owner_id: null,
      version: 1,
      created_at: '2025-01-01T00:00:00.000Z',
      updated_at: '2025-01-01T00:00:00.000Z',
      forgotten: true,
    };
    const rows = [1, 2].map((rule_version) => notificationRow({ vehicle_id, rule_id, rule_version }));
    await depot.store.commit({
      ...emptyBatch(),
      notifications: rows,
      rules: [
        { rule_id, version: 1, rule: JSON.stringify(old) },
        { rule_id, version: 2, rule: JSON.stringify({ ...old, event_kind: 'weather' }) },
      ],
    });
    const [readable, unreadable] = await Promise.all(
      rows.map((row) => whyOf(depot, 'dora', row.notification_id)),
    );
    expect(readable?.rule).toMatchObject({
      name: 'Old',
      webhook_url: null,
      params: {},
      channels: ['desktop'],
    });
    expect(readable?.rule).not.toHaveProperty('forgotten');
    expect(unreadable).toMatchObject({ rule: null, rule_now: 'deleted' });
  });
});
