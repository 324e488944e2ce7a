import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDealer } from '../../../server/app/createDealer.ts';
import { backupRoutes } from '../../../server/contract/backups.ts';
import { healthRoutes } from '../../../server/contract/health.ts';
import { notificationRoutes } from '../../../server/contract/notifications.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { videoRoutes } from '../../../server/contract/video.ts';
import { boxOf, type SecretBox } from '../../../server/store/sealing.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

const secrets = ['ZQMAILPASSZQ', 'ZQWEBHOOKZQ-of-some-length', 'ZQCAMERAZQ'] as const;
const anns = boxOf('Keychain', randomBytes(32));
const bens = boxOf('Keychain', randomBytes(32));
let host: TestHost;
let dealer: Caller;
let data: string;
let profile_id: string;

async function start(secretBox: SecretBox | null): Promise<void> {
  host = await startTestHost({ data, secretBox });
  dealer = await host.login();
}

/** All of the documents and keys in the folder, with their copies. */
async function filesText(): Promise<string> {
  const names = (await readdir(data)).filter((name) => /json|key/.test(name));
  return (await Promise.all(names.map((name) => readFile(join(data, name), 'utf8')))).join('\n');
}
const keyText = () => readFile(join(data, 'jwt.key'), 'utf8');
const channels = () => dealer.ask(notificationRoutes.channels);
const camera = () => dealer.ask(videoRoutes.getProfile, { params: { profile_id } });
const unreadable = async () =>
  (await dealer.ask(healthRoutes.health)).reasons?.find((it) => it.code === 'secrets_unreadable')?.detail ??
  null;

beforeAll(async () => {
  host = await startTestHost();
  ({ data } = host);
  dealer = await host.login();
  const [password, webhook_secret, cameraPassword] = secrets;
  await dealer.ask(notificationRoutes.patchChannels, {
    body: {
      smtp: {
        ...{ host: 'mail.example', port: 587, security: 'starttls', username: 'ann' },
        ...{ password, from: 'depot@depot.example' },
      },
      webhook_secret,
    },
  });
  const { vehicle_id } = await dealer.ask(vehicleRoutes.create, { body: { name: 'Van', terminal_id: 'T1' } });
  ({ profile_id } = await dealer.ask(videoRoutes.createProfile, {
    body: {
      ...{ vehicle_id, kind: 'http', channels: [{ channel: 1, name: 'Front' }] },
      connection: { url: 'https://camera.example/{channel}', auth: 'basic', password: cameraPassword },
    },
  }));
});
afterAll(async () => {
  await host.stop();
  await rm(data, { recursive: true, force: true });
});

describe('secrets in the data folder', () => {
  it('without a key store they are text in files of their owner alone, and backups say so', async () => {
    const text = await filesText();
    for (const secret of secrets) expect(text).toContain(secret);
    expect((await dealer.ask(backupRoutes.list)).secrets_kept_by).toBeNull();
    await host.stop();
  });

  it('the first start with a key store encrypts all of them, in copies too, and each can be used as before', async () => {
    const key = await keyText();
    await start(anns);
    const text = await filesText();
    for (const secret of [...secrets, key.trim()]) expect(text).not.toContain(secret);
    expect(await channels()).toMatchObject({ smtp: { has_password: true }, webhook: { has_secret: true } });
    expect((await camera()).connection.has_password).toBe(true);
    expect((await dealer.ask(backupRoutes.list)).secrets_kept_by).toBe('Keychain');
    expect(await unreadable()).toBeNull();
  });

  it('a start with the same key store rewrites nothing', async () => {
    const before = await filesText();
    await host.stop();
    await start(anns);
    expect(await filesText()).toBe(before);
    expect(await unreadable()).toBeNull();
    await host.stop();
  });

  it('a dealer who is made by a command without the key store ends no session and no API token', async () => {
    const key = await keyText();
    await createDealer(data, 'second', 'a long enough password');
    expect(await keyText()).toBe(key);
    expect((await readdir(data)).filter((name) => name.startsWith('jwt.key'))).toEqual(['jwt.key']);
  });

  it('with the key of another user the host runs, names what is to be entered again, and loses nothing', async () => {
    const before = await readFile(join(data, 'channels.json'), 'utf8');
    await start(bens);
    expect(await unreadable()).toBe(
      'Encrypted for another user or computer, and to be entered again: the password of the mail server, the secret of webhooks, 1 password of cameras, the key of sessions and API tokens (all of them have ended).',
    );
    expect(await channels()).toMatchObject({ smtp: { has_password: false }, webhook: { has_secret: false } });
    expect((await camera()).connection.has_password).toBe(false);
    expect(await readFile(join(data, 'channels.json'), 'utf8')).toBe(before);
    expect((await readdir(data)).some((name) => name.startsWith('jwt.key.unreadable'))).toBe(true);
  });

  it('a secret that is entered again is encrypted by the new key, the others wait', async () => {
    await dealer.ask(notificationRoutes.patchChannels, {
      body: { webhook_secret: 'ZQNEWZQ-of-some-length' },
    });
    expect((await channels()).webhook.has_secret).toBe(true);
    expect(await unreadable()).not.toMatch(/secret of webhooks/);
    expect(await filesText()).not.toContain('ZQNEWZQ');
    await host.stop();
    await start(anns);
    expect(await channels()).toMatchObject({ smtp: { has_password: true }, webhook: { has_secret: false } });
    await host.stop();
  });

  it('a host without a key store on such a folder names them as well', async () => {
    await start(null);
    expect(await unreadable()).toMatch(/the password of the mail server/);
    expect((await camera()).connection.has_password).toBe(false);
  });
});
