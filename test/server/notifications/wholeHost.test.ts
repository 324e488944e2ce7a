import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFakeClock } from '../../support/fakeClock.ts';
import { openStream } from '../../support/streamReader.ts';
import { openDatabase } from '../../../server/store/telemetry/database.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';
import { answer, openReceiver } from './channels/receiver.ts';

const api = '/api/v1';

async function setUp(more: object = {}) {
  const clock = createFakeClock();
  const receiver = await openReceiver();
  const host = await startTestHost({ clock });
  onTestFinished(() => host.close());
  const dealer = await host.login();
  const vehicle = await dealer.post(`${api}/vehicles`, { name: 'V 17', terminal_id: '17' });
  const other = await dealer.post(`${api}/vehicles`, { name: 'V 18', terminal_id: '18' });
  const rule = await dealer.post(`${api}/notifications/rules`, {
    name: 'Button',
    event_kind: 'sos',
    scope: { all: true },
    severity: 'alarm',
    channels: ['desktop', 'webhook'],
    webhook_url: receiver.url,
    cooldown_s: 0,
    ...more,
  });
  expect([vehicle.status, other.status, rule.status]).toEqual([201, 201, 201]);

  async function press(on: TestHost, id = '17'): Promise<void> {
    clock.advance(1_000);
    const fix = `id=${id}&lat=52.5&lon=13.4&timestamp=${Math.floor(clock.now() / 1_000)}&alarm=sos`;
    expect((await fetch(`${on.intakeUrl}/?${fix}`)).status).toBe(200);
  }
  return {
    ...{ clock, receiver, host, dealer, press },
    vehicle_id: String(vehicle.body.vehicle_id),
    rule_id: String(rule.body.rule_id),
  };
}

async function newest(caller: Caller, rule_id: string) {
  const { body } = await caller.get(`${api}/notifications`);
  return body.items.find((it: { rule_id: string }) => it.rule_id === rule_id);
}

describe('a host with all its parts', () => {
  it('a host with all its parts calls a webhook when a rule fires, and explains why it did', async () => {
    const { receiver, host, dealer, press, vehicle_id, rule_id } = await setUp();
    await press(host);
    await receiver.calls(1);
    const notification = await newest(dealer, rule_id);
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
      type: 'notification',
      text: 'V 17: SOS',
      notification: { notification_id: notification.notification_id, severity: 'alarm' },
      vehicle: { vehicle_id, terminal_id: '17' },
    });
    await expect
      .poll(async () => (await dealer.get(`${api}/notifications/${notification.notification_id}/why`)).body)
      .toMatchObject({
        rule: { rule_id, name: 'Button', webhook_url: receiver.url },
        rule_now: 'same',
        events: [{ kind: 'sos', vehicle_id }],
        deliveries: [{ channel: 'webhook', target: receiver.url, status: 'sent', attempts: 1 }],
      });
  });

  it('a host with all its parts sends nothing while a rule is snoozed, and shows the snoozed rows when that is over', async () => {
    const { clock, receiver, host, dealer, press, rule_id } = await setUp();
    const stream = await openStream(host.url, dealer, { query: 'topics=notification,snooze' });
    onTestFinished(() => stream.close());
    const snooze = await dealer.post(`${api}/notifications/snoozes`, { rule_id, duration_s: 60 });
    const { snooze_id } = snooze.body;
    await stream.next('snooze', (it) => 'rule_id' in it && it.rule_id === rule_id);
    await press(host);
    const shelved = await stream.next('notification', (it) => it.rule_id === rule_id);
    expect(shelved.data).toMatchObject({ state: 'open', shelved_until: snooze.body.until });
    expect((await dealer.get(`${api}/notifications?shelved=true`)).body.items).toHaveLength(1);

    clock.advance(60_000);
    await stream.next('snooze', (it) => 'deleted' in it && it.snooze_id === snooze_id);
    const back = await stream.next('notification', (it) => it.rule_id === rule_id);
    expect(back.data).toEqual({ ...shelved.data, shelved_until: null });
    expect((await dealer.get(`${api}/notifications?shelved=true`)).body.items).toEqual([]);
    await press(host, '18');
    await receiver.calls(1);
    expect(receiver.received).toHaveLength(1);
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ text: 'V 18: SOS' });
  });

  it('a host with all its parts sends after a restart what it could not send before, and keeps its snoozes', async () => {
    const { clock, receiver, host, dealer, press, vehicle_id, rule_id } = await setUp();
    receiver.react(answer(503), answer(204));
    await press(host);
    await receiver.calls(1);
    const { notification_id } = await newest(dealer, rule_id);
    const why = `${api}/notifications/${notification_id}/why`;
    await expect.poll(async () => (await dealer.get(why)).body.deliveries[0].attempts).toBe(1);
    const snooze = await dealer.post(`${api}/notifications/snoozes`, { vehicle_id, duration_s: 3_600 });
    await host.stop();

    clock.advance(10_000);
    const again = await startTestHost({ clock, data: host.data });
    onTestFinished(() => again.stop());
    await receiver.calls(2);
    const [first, second] = receiver.received.map((it) => it.headers['fleetdeck-delivery']);
    expect(second).toBe(first);
    const caller = await again.login();
    await expect
      .poll(async () => (await caller.get(why)).body.deliveries)
      .toMatchObject([{ status: 'sent', attempts: 2 }]);
    expect((await caller.get(`${api}/notifications/snoozes`)).body.items).toEqual([snooze.body]);
  });

  it('a host with all its parts ends the snoozes of a rule that is deleted and of a vehicle that is archived', async () => {
    const { dealer, vehicle_id, rule_id } = await setUp();
    for (const what of [{ vehicle_id }, { rule_id }]) {
      expect((await dealer.post(`${api}/notifications/snoozes`, { ...what, duration_s: 600 })).status).toBe(
        201,
      );
    }
    const left = async () =>
      (await dealer.get(`${api}/notifications/snoozes`)).body.items.map((it: object) => Object.values(it));
    expect(await left()).toHaveLength(2);
    await dealer.call('DELETE', `${api}/notifications/rules/${rule_id}`);
    await expect.poll(left).toHaveLength(1);
    await dealer.call('DELETE', `${api}/vehicles/${vehicle_id}`);
    await expect.poll(left).toHaveLength(0);
  });

  it('a host with all its parts logs who acknowledged an alarm and who snoozed a vehicle, and from where', async () => {
    const { host, dealer, press, vehicle_id, rule_id } = await setUp();
    await press(host);
    const { notification_id } = await newest(dealer, rule_id);
    await dealer.post(`${api}/notifications/${notification_id}/ack`, { note: 'false alarm' });
    await dealer.post(`${api}/notifications/snoozes`, { vehicle_id, duration_s: 60 });
    await host.stop();
    const db = openDatabase(join(host.data, 'telemetry.db'), { readOnly: true });
    const rows = db.all<Record<string, string>>(
      `SELECT topic, actor_name, address, after FROM change_log
        WHERE topic IN ('notification', 'snooze') AND actor IS NOT NULL AND after IS NOT NULL ORDER BY seq`,
    );
    db.close();
    const by = { actor_name: 'dealer', address: '127.0.0.1' };
    expect(rows.map(({ after, ...row }) => ({ ...row, after: JSON.parse(after ?? '') as unknown }))).toEqual([
      { topic: 'notification', ...by, after: { state: 'acknowledged', note: 'false alarm' } },
      { topic: 'snooze', ...by, after: expect.objectContaining({ vehicle_id, note: null }) as object },
    ]);
  });
});
