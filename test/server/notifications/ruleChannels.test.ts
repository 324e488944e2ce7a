import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { openDepot, start_ms, startText, type Depot, type Login } from './depot.ts';
import { temporaryFolder } from '../store/temporaryFolder.ts';

const rulesPath = '/notifications/rules';
const sos = { name: 'Button', event_kind: 'sos', scope: { all: true } };
const hook = { channels: ['webhook'], webhook_url: 'https://hooks.example/1' };

async function outcome(depot: Depot, as: Login, request: string, body: object): Promise<unknown> {
  const answer = await depot.call(as, request, body);
  return answer.status === 400 ? answer.body.errors?.[0]?.path : answer.status;
}

const added = (depot: Depot, as: Login, more: object) =>
  outcome(depot, as, `POST ${rulesPath}`, { ...sos, ...more });

describe('the channels of a rule', () => {
  it('the channels of a rule know where to', async () => {
    const depot = await openDepot();
    expect(await added(depot, 'dora', { channels: ['webhook'] })).toBe('webhook_url');
    expect(await added(depot, 'dora', { channels: ['email'] })).toBe('email_to');
    expect(await added(depot, 'dora', { channels: [] })).toBe(201);
    expect(await added(depot, 'dora', hook)).toBe(201);
    expect(await added(depot, 'nora', { channels: ['email'], email_to: ['n@example.org'] })).toBe(201);
    expect(await added(depot, 'dora', { ...hook, webhook_url: 'ftp://hooks.example/' })).toBe('webhook_url');
  });

  it('the channels of a rule call an address that a dealer has set, which others may keep or take away', async () => {
    const depot = await openDepot();
    expect(await added(depot, 'nora', hook)).toBe('webhook_url');
    const { body } = await depot.call('nora', `POST ${rulesPath}`, sos);
    const patch = (as: Login, change: object) =>
      outcome(depot, as, `PATCH ${rulesPath}/${String(body.rule_id)}`, change);
    expect(await patch('nora', hook)).toBe('webhook_url');
    expect(await patch('dora', hook)).toBe(200);
    expect(await patch('nora', { name: 'Renamed' })).toBe(200);
    expect(await patch('nora', { webhook_url: hook.webhook_url })).toBe(200);
    expect(await patch('nora', { webhook_url: 'https://hooks.example/2' })).toBe('webhook_url');
    expect(await patch('nora', { webhook_url: null })).toBe('webhook_url');
    expect(await patch('nora', { webhook_url: null, channels: ['desktop'] })).toBe(200);
    expect(await patch('nora', hook)).toBe('webhook_url');
  });

  it('the channels of a rule call no port of the host itself, by whatever name', async () => {
    const depot = await openDepot();
    depot.ownPorts.push(8_080, 80);
    const answers = [
      'http://127.0.0.1:8080/x',
      'http://localhost:8080',
      'http://[::1]:8080',
      'http://127.1:8080',
      'http://0x7f000001:8080',
      'http://localhost./',
    ].map((webhook_url) => added(depot, 'dora', { ...hook, webhook_url }));
    expect(await Promise.all(answers)).toEqual(answers.map(() => 'webhook_url'));
    expect(await added(depot, 'dora', { ...hook, webhook_url: 'http://127.0.0.1:8081' })).toBe(201);
  });

  it('the channels of a rule are shown with their addresses to the owner of the rule and to dealers', async () => {
    const depot = await openDepot();
    await depot.addVehicle('North 1', [Object.values(depot.users.nora.group_ids)[0] ?? '']);
    const published = { ...hook, channels: ['webhook', 'email'], email_to: ['d@example.org'] };
    const { body } = await depot.call('dora', `POST ${rulesPath}`, { ...sos, ...published });
    const shown = async (as: Login) => {
      const one = await depot.call(as, `GET ${rulesPath}/${String(body.rule_id)}`);
      const list = await depot.call(as, `GET ${rulesPath}`);
      expect(list.body.items?.find((it) => it.rule_id === body.rule_id)).toEqual(one.body);
      return one.body;
    };
    expect(await shown('dora')).toMatchObject(published);
    expect(await shown('nora')).toMatchObject({
      channels: ['webhook', 'email'],
      webhook_url: null,
      email_to: [],
    });
    const noras = await depot.call('nora', `POST ${rulesPath}`, {
      ...sos,
      channels: ['email'],
      email_to: ['n@example.org'],
    });
    expect(noras.body).toMatchObject({ email_to: ['n@example.org'] });
  });
});

describe('a rule', () => {
  it('a rule on videos orders none', async () => {
    const depot = await openDepot();
    const video = { before_s: 5, after_s: 5 };
    for (const event_kind of ['video_done', 'video_failed']) {
      expect(await added(depot, 'dora', { event_kind, video })).toBe('video');
      expect(await added(depot, 'dora', { event_kind })).toBe(201);
    }
    const { body } = await depot.call('dora', `POST ${rulesPath}`, { ...sos, video });
    const path = `PATCH ${rulesPath}/${String(body.rule_id)}`;
    expect(await outcome(depot, 'dora', path, { event_kind: 'video_done' })).toBe('video');
  });

  it('a rule that an older host has stored has the defaults of what it did not know', async () => {
    const folder = await temporaryFolder();
    const rule_id = '0b7a5f5e-8a8c-4d0f-9a59-3a6d3f1d7c11';
    const old = {
      name: 'Old',
      event_kind: 'overspeed',
      scope: { all: true },
      geozone_ids: [],
      params: { limit_kmh: 80 },
      schedule: null,
      severity: 'alarm',
      channels: ['desktop'],
      video: null,
      cooldown_s: 60,
      opens_incident: false,
      enabled: true,
      rule_id,
      disabled_reason: null,
      owner_id: null,
      version: 3,
      created_at: new Date(start_ms - 1).toISOString(),
      updated_at: startText,
    };
    const document = { schema: 1, data: { items: { [rule_id]: old } } };
    await writeFile(join(folder, 'rules.json'), JSON.stringify(document));
    const users = { schema: 1, data: { items: {} } };
    await writeFile(join(folder, 'users.json'), JSON.stringify(users));
    const depot = await openDepot({ folder });
    const { body } = await depot.call('dora', `GET ${rulesPath}`);
    expect(body.items).toEqual([
      { ...old, escalation: null, quiet: false, sound: 'default', webhook_url: null, email_to: [] },
    ]);
    const patched = await depot.call('dora', `PATCH ${rulesPath}/${rule_id}`, {
      email_to: ['d@example.org'],
    });
    expect(patched.body).toMatchObject({
      version: 4,
      email_to: ['d@example.org'],
      params: { limit_kmh: 80 },
    });
  });
});
