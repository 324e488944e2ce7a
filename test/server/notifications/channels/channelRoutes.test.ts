import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDepot, type Depot } from '../depot.ts';

const path = '/notifications/channels';
const smtp = {
  host: 'mail.port.example',
  port: 465,
  security: 'tls',
  username: 'fleet',
  password: 'a password of the server',
  from: 'fleetdeck@port.example',
};
const { password: _, ...shownSmtp } = { ...smtp, has_password: true };

async function patched(depot: Depot, body: object) {
  const answer = await depot.call('dora', `PATCH ${path}`, body);
  return answer.status === 200 ? answer.body : answer.body.errors?.[0]?.path;
}

describe('the channels of the depot', () => {
  it('the channels of the depot are set up by dealers, who never read a secret back', async () => {
    const depot = await openDepot();
    const none = { smtp: null, webhook: { has_secret: false } };
    expect((await depot.call('dora', `GET ${path}`)).body).toMatchObject(none);
    for (const call of [`GET ${path}`, `PATCH ${path}`]) {
      const answer = await depot.call('nora', call, call.startsWith('PATCH') ? {} : undefined);
      expect(answer.body.code).toBe('forbidden');
    }
    const set = await patched(depot, { smtp, webhook_secret: 'sixteen letters and more' });
    expect(set).toMatchObject({ smtp: shownSmtp, webhook: { has_secret: true } });
    const { body } = await depot.call('dora', `GET ${path}`);
    expect(body).toEqual(set);
    expect(JSON.stringify(body)).not.toMatch(/a password of|sixteen letters/);
    expect(await patched(depot, { webhook_secret: null })).toMatchObject({
      smtp: shownSmtp,
      webhook: { has_secret: false },
    });
    expect(await patched(depot, { smtp: null })).toMatchObject({ smtp: null });
  });

  it('the channels of the depot are kept over a restart', async () => {
    const first = await openDepot();
    await patched(first, { smtp, webhook_secret: 'sixteen letters and more' });
    await first.close();
    const again = await openDepot({ folder: first.folder });
    expect(again.channels.smtp()).toEqual(smtp);
    expect(again.channels.webhookSecret()).toBe('sixteen letters and more');
    expect((await readFile(join(first.folder, 'telemetry.db'))).includes('a password of')).toBe(false);
  });

  it('the channels of the depot keep a password that is not sent again, but for no other server and not in the open', async () => {
    const depot = await openDepot();
    await patched(depot, { smtp });
    const { password: _, ...rest } = smtp;
    expect(await patched(depot, { smtp: { ...rest, from: 'other@port.example' } })).toMatchObject({
      smtp: { has_password: true, from: 'other@port.example' },
    });
    expect(depot.channels.smtp()?.password).toBe(smtp.password);
    expect(await patched(depot, { smtp: { ...rest, host: 'mail.thief.example' } })).toBe('smtp.password');
    expect(await patched(depot, { smtp: { ...rest, port: 25 } })).toBe('smtp.password');
    expect(await patched(depot, { smtp: { ...rest, security: 'none' } })).toBe('smtp.password');
    expect(depot.channels.smtp()).toMatchObject({ host: smtp.host, port: 465, security: 'tls' });
    expect(await patched(depot, { smtp: { ...rest, password: null } })).toMatchObject({
      smtp: { has_password: false },
    });
    await patched(depot, { smtp });
    await patched(depot, { smtp: { ...rest, username: null } });
    expect(depot.channels.smtp()).toMatchObject({ username: null, password: null });
  });

  it('the channels of the depot publish a change after it was stored', async () => {
    const depot = await openDepot();
    let published = 0;
    const stop = depot.channels.onChange(() => published++);
    await patched(depot, { webhook_secret: 'sixteen letters and more' });
    expect(await patched(depot, { webhook_secret: 'short' })).toBe('webhook_secret');
    expect(published).toBe(1);
    stop();
    await patched(depot, { webhook_secret: null });
    expect(published).toBe(1);
  });
});
