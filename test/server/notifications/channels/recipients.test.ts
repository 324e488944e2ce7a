import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { maxRecipients } from '../../../../server/contract/recipients.ts';
import { testLimits } from '../../../../server/notifications/channels/testRule.ts';
import { emptyBatch } from '../../../../server/store/telemetry/rows.ts';
import { depotUsers, groups, openDepot, startText, type Depot, type Login } from '../depot.ts';
import { notificationRow } from '../rows.ts';
import { temporaryFolder } from '../../store/temporaryFolder.ts';
import { openMailServer } from './mailServer.ts';
import { openReceiver } from './receiver.ts';
import { deliveryRow } from './rows.ts';

const rulesPath = '/notifications/rules';
const recipientsPath = '/notifications/recipients';
const sos = { name: 'Button', event_kind: 'sos', scope: { all: true } };
const mailTo = (...email_to: string[]) => ({ ...sos, channels: ['email'], email_to });

async function openMailDepot(folder?: string) {
  const depot = await openDepot(folder === undefined ? {} : { folder });
  const mailServer = await openMailServer({ disabledCommands: ['STARTTLS'] });
  const smtp = { host: '127.0.0.1', port: mailServer.port, security: 'none', from: 'fleet@port.example' };
  expect((await depot.call('dora', 'PATCH /notifications/channels', { smtp })).status).toBe(200);
  const sentTo = () => mailServer.mails.flatMap((it) => it.to);
  return { depot, mailServer, sentTo };
}

async function outcome(depot: Depot, as: Login, request: string, body?: object): Promise<unknown> {
  const { status, body: answer } = await depot.call(as, request, body);
  return status === 400 ? answer.errors?.map((it) => it.path) : status;
}

async function ruleBy(depot: Depot, as: Login, wanted: object): Promise<string> {
  const { status, body } = await depot.call(as, `POST ${rulesPath}`, wanted);
  expect(status).toBe(201);
  return String(body.rule_id);
}

const test = (depot: Depot, as: Login, ruleId: string) => depot.call(as, `POST ${rulesPath}/${ruleId}/test`);

async function listed(depot: Depot): Promise<Record<string, unknown>[]> {
  const { status, body } = await depot.call('dora', `GET ${recipientsPath}`);
  expect(status).toBe(200);
  return body.items ?? [];
}

async function idOf(depot: Depot, address: string): Promise<string> {
  return String((await listed(depot)).find((it) => it['address'] === address)?.['recipient_id']);
}

const nora = { ...depotUsers().nora, group_ids: [] };

/** A data folder of 0.1.0: rules with recipients that nobody was asked about, and channels without a list. */
async function olderFolder(...rules: object[]): Promise<string> {
  const folder = await temporaryFolder();
  const items = Object.fromEntries(
    rules.map((more) => {
      const rule_id = randomUUID();
      const record = {
        ...sos,
        geozone_ids: [],
        params: {},
        schedule: null,
        severity: 'alarm',
        channels: ['email'],
        webhook_url: null,
        email_to: [],
        video: null,
        cooldown_s: 0,
        enabled: true,
        disabled_reason: null,
        owner_id: null,
        rule_id,
        version: 1,
        created_at: startText,
        updated_at: startText,
        ...more,
      };
      return [rule_id, record];
    }),
  );
  await writeFile(join(folder, 'rules.json'), JSON.stringify({ schema: 1, data: { items } }));
  const users = { [nora.user_id]: nora };
  await writeFile(join(folder, 'users.json'), JSON.stringify({ schema: 1, data: { items: users } }));
  const channels = { smtp: null, webhook_secret: null };
  await writeFile(join(folder, 'channels.json'), JSON.stringify({ schema: 1, data: channels }));
  return folder;
}

describe('a user with notifications:write alone', () => {
  it('a user with notifications:write alone sends no mail to an address that no dealer has approved', async () => {
    const { depot, sentTo } = await openMailDepot();
    const refused = await depot.call(
      'nora',
      `POST ${rulesPath}`,
      mailTo('n@example.org', 'victim@example.net'),
    );
    expect(refused.status).toBe(400);
    expect(refused.body.errors).toEqual([
      {
        path: 'email_to.1',
        message: 'victim@example.net is not approved: a dealer has to approve it',
        kind: 'not_approved',
      },
    ]);
    const rule_id = await ruleBy(depot, 'nora', sos);
    const patch = mailTo('victim@example.net', 'n@example.org', 'other@example.net');
    expect(await outcome(depot, 'nora', `PATCH ${rulesPath}/${rule_id}`, patch)).toEqual([
      'email_to.0',
      'email_to.2',
    ]);
    await test(depot, 'nora', rule_id);
    expect(sentTo()).toEqual([]);
  });

  it('a user with notifications:write alone sends at most the limit of tests in a minute and in an hour, and learns when to retry', async () => {
    const { depot, sentTo } = await openMailDepot();
    const rule_id = await ruleBy(depot, 'nora', mailTo('N@Example.org'));
    const { minute, hour } = testLimits.user;
    const statuses: number[] = [];
    for (let sent = 0; sent < 100; sent++) statuses.push((await test(depot, 'nora', rule_id)).status);
    expect(statuses).toEqual([...Array<number>(minute).fill(200), ...Array<number>(100 - minute).fill(429)]);
    expect(sentTo()).toEqual(Array<string>(minute).fill('N@example.org'));
    const refused = await test(depot, 'nora', rule_id);
    expect(refused.body.code).toBe('rate_limited');
    expect(refused.headers.get('retry-after')).toBe('60');

    for (let minutes = 1; minutes < 60; minutes++) {
      depot.clock.advance(60_000);
      for (let sent = 0; sent < minute; sent++) await test(depot, 'nora', rule_id);
    }
    expect(sentTo()).toHaveLength(hour);
  });

  it('a user with notifications:write alone is one of several whose tests share a limit, and no single user takes it up', async () => {
    const depot = await openDepot();
    const users: Login[] = ['nora', 'saul', 'dora'];
    const statuses: number[] = [];
    for (const as of users) {
      const rule_id = await ruleBy(depot, as, sos);
      for (let sent = 0; sent < 10; sent++) statuses.push((await test(depot, as, rule_id)).status);
    }
    expect(statuses.filter((it) => it === 200)).toHaveLength(users.length * testLimits.user.minute);
    expect(testLimits.all.minute).toBeGreaterThan(testLimits.user.minute);
  });

  it('a user with notifications:write alone has each test logged with its name, the rule and the recipients', async () => {
    const { depot } = await openMailDepot();
    const rule_id = await ruleBy(depot, 'nora', mailTo('n@example.org'));
    await test(depot, 'nora', rule_id);
    expect(depot.logged.filter((it) => it['msg'] === 'a user tested a rule')).toMatchObject([
      {
        user_id: depot.users.nora.user_id,
        login: 'nora',
        rule_id,
        rule: 'Button',
        recipients: [{ channel: 'email', target: 'n@example.org', ok: true }],
      },
    ]);
  });

  it('a user with notifications:write alone may name addresses of users, approved addresses and those of an approved mail domain', async () => {
    const depot = await openDepot();
    depot.users.saul = { ...depot.users.saul, email: 'saul@port.example' };
    const add = (body: object) => outcome(depot, 'dora', `POST ${recipientsPath}`, body);
    const named = (address: string) => outcome(depot, 'nora', `POST ${rulesPath}`, mailTo(address));
    expect(await named('SAUL@port.example')).toBe(201);
    depot.users.saul = { ...depot.users.saul, blocked: true };
    expect(await named('saul@port.example')).toEqual(['email_to.0']);
    expect(await named('duty@yard.example')).toEqual(['email_to.0']);
    expect(await add({ kind: 'email', address: 'Duty@Yard.example' })).toBe(201);
    expect(await named('duty@yard.example')).toBe(201);
    expect(await add({ kind: 'mail_domain', address: 'Harbour.example' })).toBe(201);
    expect(await named('anybody@harbour.example')).toBe(201);
    expect(await named('anybody@sub.harbour.example')).toEqual(['email_to.0']);
    expect(await named('anybody@harbour.example.net')).toEqual(['email_to.0']);
  });

  it('a user with notifications:write alone sees of the approved recipients its own address and what dealers have added for all', async () => {
    const depot = await openDepot();
    await ruleBy(depot, 'dora', mailTo('private@yard.example'));
    await depot.call('dora', `POST ${recipientsPath}`, { kind: 'email', address: 'duty@yard.example' });
    await depot.call('dora', `POST ${recipientsPath}`, { kind: 'mail_domain', address: 'port.example' });
    expect((await depot.call('nora', `GET ${recipientsPath}/suggestions`)).body).toEqual({
      email: ['n@example.org', 'duty@yard.example'],
      mail_domains: ['port.example'],
      alarm_escalation: null,
    });
    for (const [method, path] of [
      ['GET', recipientsPath],
      ['POST', recipientsPath],
      ['PATCH', `${recipientsPath}/${randomUUID()}`],
      ['DELETE', `${recipientsPath}/${randomUUID()}`],
    ]) {
      expect(await outcome(depot, 'nora', `${method} ${path}`)).toBe(403);
    }
  });
});

describe('an approved recipient', () => {
  it('an approved recipient is entered by the rule of a dealer, with user and time, and not again by a later change of the rule', async () => {
    const depot = await openDepot();
    const wanted = { ...mailTo('d@example.org'), webhook_url: 'https://Hooks.example:443/key/1?a=b' };
    const rule_id = await ruleBy(depot, 'dora', wanted);
    const approval = {
      state: 'approved',
      origin: 'rule',
      approved_by: depot.users.dora.user_id,
      approved_at: startText,
      rules: [{ rule_id, name: 'Button' }],
      rule_count: 1,
    };
    expect(await listed(depot)).toMatchObject([
      { kind: 'email', address: 'd@example.org', ...approval },
      { kind: 'webhook_host', address: 'https://hooks.example', ...approval },
    ]);
    await depot.call('dora', `DELETE ${recipientsPath}/${await idOf(depot, 'd@example.org')}`);
    const renamed = await depot.call('dora', `PATCH ${rulesPath}/${rule_id}`, { name: 'Renamed' });
    expect(renamed.body).toMatchObject({ name: 'Renamed', unapproved: ['d@example.org'] });
    expect(await listed(depot)).toHaveLength(1);
    await depot.call('dora', `PATCH ${rulesPath}/${rule_id}`, { email_to: [], channels: [] });
    const again = await depot.call('dora', `PATCH ${rulesPath}/${rule_id}`, { email_to: ['d@example.org'] });
    expect(again.body).not.toHaveProperty('unapproved');
  });

  it('an approved recipient is not entered by a rule that is refused', async () => {
    const depot = await openDepot();
    const rule_id = await ruleBy(depot, 'dora', sos);
    const wrong = { ...mailTo('d@example.org'), geozone_ids: [randomUUID()] };
    expect(await outcome(depot, 'dora', `POST ${rulesPath}`, wrong)).toEqual(['geozone_ids']);
    const old = await depot.call('dora', `PATCH ${rulesPath}/${rule_id}`, mailTo('d@example.org'), {
      'if-match': '"7"',
    });
    expect(old.status).toBe(412);
    expect(await listed(depot)).toEqual([]);
  });

  it('an approved recipient that is removed is named with its rules, receives no test and nothing that waits', async () => {
    const { depot, sentTo } = await openMailDepot();
    const vehicle = await depot.addVehicle('V 17', [groups.north]);
    const rule_id = await ruleBy(depot, 'dora', mailTo('d@example.org'));
    const recipient_id = await idOf(depot, 'd@example.org');
    const removed = await depot.call('dora', `DELETE ${recipientsPath}/${recipient_id}`);
    expect(removed.body).toMatchObject({
      address: 'd@example.org',
      rules: [{ rule_id, name: 'Button' }],
      rule_count: 1,
    });
    expect(await outcome(depot, 'dora', `DELETE ${recipientsPath}/${recipient_id}`)).toBe(404);

    const row = notificationRow({ vehicle_id: vehicle.vehicle_id, rule_id });
    const delivery = deliveryRow({
      notification_id: row.notification_id,
      rule_id,
      vehicle_id: vehicle.vehicle_id,
      channel: 'email',
      target: 'd@example.org',
    });
    await depot.store.commit({ ...emptyBatch(), notifications: [row], deliveries: [delivery] });
    depot.deliveries.adopt([delivery]);
    const detail = 'Not sent: a dealer has to approve this recipient.';
    await expect
      .poll(async () => (await depot.store.deliveriesOf(row.notification_id))[0])
      .toMatchObject({ status: 'failed', last_error: detail });
    expect((await test(depot, 'dora', rule_id)).body).toMatchObject({
      results: [{ channel: 'email', target: 'd@example.org', ok: false, detail }],
    });
    expect((await depot.call('dora', `GET ${rulesPath}/${rule_id}`)).body).toMatchObject({
      email_to: ['d@example.org'],
      unapproved: ['d@example.org'],
    });
    expect(sentTo()).toEqual([]);
  });

  it('an approved recipient of a blocked user receives nothing more', async () => {
    const { depot, sentTo } = await openMailDepot();
    depot.users.saul = { ...depot.users.saul, email: 'saul@port.example' };
    const rule_id = await ruleBy(depot, 'nora', mailTo('saul@port.example'));
    await test(depot, 'nora', rule_id);
    depot.users.saul = { ...depot.users.saul, blocked: true };
    expect((await test(depot, 'nora', rule_id)).body).toMatchObject({ results: [{ ok: false }] });
    expect((await depot.call('nora', `GET ${rulesPath}/${rule_id}`)).body).toMatchObject({
      unapproved: ['saul@port.example'],
    });
    expect(sentTo()).toEqual(['saul@port.example']);
  });

  it('an approved recipient is no port of the host itself and no link-local address', async () => {
    const depot = await openDepot();
    depot.ownPorts.push(8_080);
    const add = (address: string) =>
      outcome(depot, 'dora', `POST ${recipientsPath}`, { kind: 'webhook_host', address });
    expect(await add('http://localhost:8080/')).toEqual(['address']);
    expect(await add('http://169.254.169.254/')).toEqual(['address']);
    expect(await add('http://127.0.0.1:8123/api')).toBe(201);
    expect(await add('http://127.0.0.1:8123')).toBe(409);
    expect((await listed(depot)).map((it) => it['address'])).toEqual(['http://127.0.0.1:8123']);
  });

  it('an approved recipient is one of a bounded number, in which a rule that names one too many is refused at its field', async () => {
    const depot = await openDepot();
    const user = depot.users.dora.user_id;
    const targets = Array.from({ length: maxRecipients }, (_, at) => ({
      channel: 'email' as const,
      target: `u${at}@example.org`,
      path: '',
    }));
    await depot.acts.run(() => depot.recipients.approve(targets, user));
    expect(
      await outcome(depot, 'dora', `POST ${rulesPath}`, mailTo('u1@example.org', 'new@example.org')),
    ).toEqual(['email_to.1']);
    const wanted = { kind: 'email', address: 'new@example.org' };
    expect(await outcome(depot, 'dora', `POST ${recipientsPath}`, wanted)).toEqual(['address']);
    expect(depot.recipients.all()).toHaveLength(maxRecipients);
  });
});

describe('a recipient in a rule of an older version', () => {
  it('a recipient in a rule of an older version is listed first for review and receives until a dealer removes it', async () => {
    const receiver = await openReceiver();
    const folder = await olderFolder(
      { name: 'Old mail', email_to: ['old@example.org', 'n@example.org'] },
      { name: 'Old hook', channels: ['webhook'], webhook_url: receiver.url },
    );
    const { depot, sentTo } = await openMailDepot(folder);
    const review = { state: 'to_review', origin: 'upgrade', approved_by: null, approved_at: null };
    const origin = new URL(receiver.url).origin;
    expect(await listed(depot)).toMatchObject([
      { kind: 'webhook_host', address: origin, ...review, rules: [{ name: 'Old hook' }] },
      { kind: 'email', address: 'old@example.org', ...review, rules: [{ name: 'Old mail' }] },
    ]);
    const rules = depot.rules.all();
    for (const { rule_id } of rules) await test(depot, 'dora', rule_id);
    expect(sentTo().sort()).toEqual(['n@example.org', 'old@example.org']);
    expect(receiver.received).toHaveLength(1);
    // No user may name it again before a dealer has kept it.
    expect(await outcome(depot, 'nora', `POST ${rulesPath}`, mailTo('old@example.org'))).toEqual([
      'email_to.0',
    ]);

    const kept = await depot.call('dora', `PATCH ${recipientsPath}/${await idOf(depot, 'old@example.org')}`, {
      state: 'approved',
    });
    expect(kept.body).toMatchObject({ state: 'approved', approved_by: depot.users.dora.user_id });
    expect(await outcome(depot, 'nora', `POST ${rulesPath}`, mailTo('old@example.org'))).toBe(201);
    await depot.call('dora', `DELETE ${recipientsPath}/${await idOf(depot, origin)}`);
    for (const { rule_id } of rules) await test(depot, 'dora', rule_id);
    expect(receiver.received).toHaveLength(1);
  });

  it('a recipient in a rule of an older version is entered once: what a dealer removed does not come back with a restart', async () => {
    const folder = await olderFolder({ email_to: ['old@example.org'] });
    const first = await openDepot({ folder });
    await first.call('dora', `DELETE ${recipientsPath}/${await idOf(first, 'old@example.org')}`);
    await first.close();
    const second = await openDepot({ folder });
    expect(await listed(second)).toEqual([]);
  });
});
