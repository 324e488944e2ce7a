import { expect, it, onTestFinished } from 'vitest';
import { createFakeClock } from '../../support/fakeClock.ts';
import { openStream } from '../../support/streamReader.ts';
import { dealerPassword, startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';
import { openMailServer } from './channels/mailServer.ts';
import { openReceiver } from './channels/receiver.ts';
import { minute } from './escalationWorld.ts';

const api = '/api/v1';

async function openHost() {
  const clock = createFakeClock();
  const [receiver, mail] = [await openReceiver(), await openMailServer()];
  const host = await startTestHost({ clock, users: [{ login: 'far' }, { login: 'near' }] });
  onTestFinished(() => host.close());
  const dealer = await host.login();
  const users = (await dealer.get(`${api}/users`)).body.items as {
    user_id: string;
    login: string;
    group_ids: string[];
  }[];
  const near = users.find((it) => it.login === 'near') ?? expect.fail();
  for (const { user_id, login } of users)
    await dealer.call('PATCH', `${api}/users/${user_id}`, {
      email: login === 'dealer' ? null : `${login}@port.example`,
      ...(login === 'dealer' ? {} : { rights: { vehicles: 'read', notifications: 'write' } }),
    });
  const group_ids = near.group_ids;
  await dealer.post(`${api}/vehicles`, { name: 'V 17', terminal_id: '17', group_ids });
  await dealer.call('PATCH', `${api}/notifications/channels`, {
    smtp: { host: '127.0.0.1', port: mail.port, security: 'none', from: 'fleet@port.example' },
  });
  // Those of a new depot.
  for (const { rule_id } of (await dealer.get(`${api}/notifications/rules`)).body.items)
    await dealer.call('DELETE', `${api}/notifications/rules/${rule_id}`);
  const rule = await dealer.post(`${api}/notifications/rules`, {
    name: 'Button',
    event_kind: 'sos',
    scope: { all: true },
    severity: 'alarm',
    cooldown_s: 0,
    escalation: {
      steps: [
        { after_min: 1, on_duty: true, channels: ['desktop', 'email'] },
        { after_min: 3, channels: ['webhook'], webhook_url: receiver.url },
        { after_min: 90, channels: ['email'], email_to: ['boss@port.example'] },
      ],
    },
  });
  expect(rule.status).toBe(201);
  async function press(on: TestHost): Promise<void> {
    clock.advance(1_000);
    const fix = `id=17&lat=52.5&lon=13.4&timestamp=${Math.floor(clock.now() / 1_000)}&alarm=sos`;
    expect((await fetch(`${on.intakeUrl}/?${fix}`)).status).toBe(200);
  }
  return { clock, receiver, mail, host, dealer, press, near };
}

const newest = async (caller: Caller) => (await caller.get(`${api}/notifications`)).body.items[0];

it('a host escalates to those who see the vehicle, shows it to them, and goes on after a restart with what was missed', async () => {
  const { clock, receiver, mail, host, dealer, press, near } = await openHost();
  const caller = await host.login('near', dealerPassword);
  const stream = await openStream(host.url, caller, { query: 'topics=notification' });
  onTestFinished(() => stream.close());
  await press(host);
  const opened = await stream.next('notification', (it) => it.state === 'open');
  expect(opened.data).toMatchObject({
    escalation: {
      steps: 3,
      step: null,
      to_me: false,
      next: { step: 1, on_duty: true, channels: ['desktop', 'email'] },
    },
  });
  const { notification_id } = await newest(dealer);
  const why = `${api}/notifications/${notification_id}/why`;

  clock.advance(minute);
  const escalated = await stream.next('notification', (it) => it.escalation !== null);
  expect(escalated.data).toMatchObject({ escalation: { step: 1, to_me: true, next: { step: 2 } } });
  await expect.poll(() => mail.mails.map((it) => it.to)).toEqual([['near@port.example']]);
  expect(mail.mails[0]?.raw).toContain('Not acknowledged for 1 min: V 17: SOS');
  expect((await dealer.get(why)).body.escalation).toMatchObject({
    done: [{ step: 1, nobody_on_duty: true, everybody: true, email: [{ user_id: near.user_id }] }],
  });
  clock.advance(2 * minute);
  await receiver.calls(1);
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
    type: 'escalation',
    escalation: { step: 2, steps: 3, missed: [] },
  });

  stream.close();
  await press(host);
  await host.stop();
  clock.advance(120 * minute);
  const again = await startTestHost({ clock, data: host.data });
  onTestFinished(() => again.stop());
  clock.advance(0);
  await expect.poll(() => mail.mails.length).toBe(3);
  const late = mail.mails.slice(1).map((it) => it.raw.replaceAll('=\r\n', ''));
  expect(late.filter((it) => it.includes('missed while the server was not running: 1, 2'))).toHaveLength(1);
  expect(receiver.received).toHaveLength(1);
});

it('a host stops an escalation at its acknowledgement, and sends no mail of it that still waits', async () => {
  const { clock, mail, host, dealer, press } = await openHost();
  await mail.close();
  await press(host);
  clock.advance(minute);
  const { notification_id } = await newest(dealer);
  const why = `${api}/notifications/${notification_id}/why`;
  await expect.poll(async () => (await dealer.get(why)).body.deliveries[0]?.attempts).toBe(1);
  const acknowledged = await dealer.post(`${api}/notifications/${notification_id}/ack`, {});
  expect(acknowledged.body.escalation).toBeNull();
  // After its first attempt it waits for 10 s.
  clock.advance(10_000);
  await expect
    .poll(async () => (await dealer.get(why)).body.deliveries)
    .toMatchObject([{ step: 1, status: 'failed', last_error: 'Not sent: it was acknowledged before.' }]);
});

it('closing the incident of an alarm ends its escalation, deleting its rule does not', async () => {
  const { clock, mail, host, dealer, press } = await openHost();
  await press(host);
  const closed = await newest(dealer);
  const [incident] = (await dealer.get(`${api}/incidents`)).body.items;
  await dealer.post(`${api}/incidents/${incident.incident_id}/close`, { reason: 'Test' });
  await press(host);
  const { notification_id, rule_id } = await newest(dealer);
  expect(notification_id).not.toBe(closed.notification_id);
  await dealer.call('DELETE', `${api}/notifications/rules/${rule_id}`);
  clock.advance(minute);
  await expect.poll(() => mail.mails.length).toBe(1);
  const done = async (id: string) =>
    (await dealer.get(`${api}/notifications/${id}/why`)).body.escalation.done.length;
  expect(await Promise.all([closed.notification_id, notification_id].map(done))).toEqual([0, 1]);
  expect((await newest(dealer)).escalation).toMatchObject({ step: 1, next: { step: 2 } });
  expect((await dealer.get(`${api}/notifications/${closed.notification_id}`)).body.escalation).toBeNull();
});

it('dealers set the escalation of the depot, which names users and approved recipients alone', async () => {
  const { host, dealer, clock, press, near } = await openHost();
  const path = `${api}/notifications/channels`;
  const steps = [
    { after_min: 2, channels: ['email'], user_ids: [near.user_id], email_to: ['boss@other.example'] },
  ];
  const refused = await dealer.call('PATCH', path, { alarm_escalation: { steps } });
  expect(refused.body.errors[0].path).toBe('alarm_escalation.steps.0.email_to.0');
  const approved = [{ ...steps[0], email_to: ['boss@port.example'] }];
  expect((await dealer.call('PATCH', path, { alarm_escalation: { steps: approved } })).status).toBe(200);
  const user = await host.login('near', dealerPassword);
  const { body } = await user.get(`${api}/notifications/recipients/suggestions`);
  expect(body.alarm_escalation.steps).toMatchObject([{ after_min: 2, user_ids: [], email_to: [] }]);

  const named = { steps: [{ after_min: 1, channels: ['desktop'], user_ids: [near.user_id] }] };
  const others = { steps: [{ ...named.steps[0], user_ids: [crypto.randomUUID()] }] };
  const own = { name: 'Own', event_kind: 'sos', scope: { all: true } };
  expect((await user.post(`${api}/notifications/rules`, { ...own, escalation: named })).status).toBe(201);
  const wrong = await user.post(`${api}/notifications/rules`, { ...own, escalation: others });
  expect(wrong.body.errors[0]).toMatchObject({
    path: 'escalation.steps.0.user_ids.0',
    message: 'is not a user',
  });
  await press(host);
  clock.advance(minute);
  const log = await dealer.get(`${api}/audit?limit=20`);
  expect(JSON.stringify(log.body)).toContain('alarm_escalation');
});
