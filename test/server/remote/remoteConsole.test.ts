import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { apiRoutes } from '../../../server/contract/api.ts';
import { serviceRoutes } from '../../../server/contract/settings.ts';
import { compareApi, probeHost } from '../../../server/remote/hostFacts.ts';
import { startRemoteConsole, type RemoteConsole } from '../../../server/remote/remoteConsole.ts';
import { logIn, type ApiClient } from '../../support/caller.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { folderOf010, soonAfter } from '../../support/folderOf010.ts';
import { sendRaw } from '../../support/rawConnection.ts';
import { openStream } from '../../support/streamReader.ts';
import { dealerLogin, dealerPassword, startTestHost, type TestHost } from '../../support/testHost.ts';

let host: TestHost;
let remote: RemoteConsole;
let dealer: ApiClient;
let consoleFolder: string;
const log = pino({ level: 'silent' });

beforeAll(async () => {
  consoleFolder = await mkdtemp(join(tmpdir(), 'fleetdeck-'));
  await mkdir(join(consoleFolder, 'assets'));
  await writeFile(join(consoleFolder, 'index.html'), '<html><head></head><body>this console</body></html>');
  // A host with a clip.
  host = await startTestHost({
    data: await folderOf010(),
    clock: createFakeClock(soonAfter),
    settings: { tlsSelf: true },
  });
  remote = await connect(host.certificateSha256);
  dealer = await logIn(remote.url, dealerLogin, dealerPassword);
});
afterAll(async () => {
  await remote.close();
  await host.close();
  await rm(consoleFolder, { recursive: true });
});

function connect(fingerprint: string | null, id = 'a1'): Promise<RemoteConsole> {
  return startRemoteConsole({
    connection: { id, name: 'Depot "North" <1>', url: new URL(host.url), fingerprint, insecure: false },
    port: 0,
    consoleFolder,
    appVersion: '9.9.9',
    log,
  });
}

const probe = (fingerprint: string | null, url = host.url) =>
  probeHost({ url, fingerprint, insecure: false });

describe('the console of a remote host', () => {
  it('the console of a remote host is served from this machine, with the rules of its own pages', async () => {
    const page = await fetch(remote.url);
    expect(await page.text()).toBe(
      '<html><head><meta name="fleetdeck-connection" content="{&#34;name&#34;:&#34;Depot \\&#34;North\\&#34; &#60;1&#62;&#34;,' +
        `&#34;url&#34;:&#34;${host.url}&#34;}"></head><body>this console</body></html>`,
    );
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    const facts: unknown = await (await fetch(`${remote.url}/remote-host.json`)).json();
    expect(facts).toEqual({ depotName: 'Harbour depot', version: '0.1.0', api: 'same' });
  });

  it('the console of a remote host reads and changes what is there', async () => {
    await dealer.ask(serviceRoutes.patchSettings, { body: { depot_name: 'Depot South' } });
    expect(await probe(host.certificateSha256)).toMatchObject({ depotName: 'Depot South' });
    await dealer.ask(serviceRoutes.patchSettings, { body: { depot_name: 'Harbour depot' } });
    expect(await dealer.get('/api/v1/vehicles/none')).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('the console of a remote host follows its stream', async () => {
    const stream = await openStream(remote.url, dealer);
    onTestFinished(() => stream.close());
    await dealer.ask(serviceRoutes.patchSettings, { body: { moving_speed_kmh: 6 } });
    expect((await stream.next('settings')).data).toBeDefined();
  });

  it('the console of a remote host plays a clip, whole and by ranges', async () => {
    const { body } = await dealer.get('/service/vsvc/api/tasks?status=done');
    const [task] = (body as { items: { task_id: string; file: { sha256: string } }[] }).items;
    const path = `/service/vsvc/api/tasks/file/${task?.task_id ?? ''}`;
    const read = (headers: Record<string, string> = {}) =>
      fetch(remote.url + path, { headers: { Authorization: `JWT ${dealer.jwt}`, ...headers } });
    const whole = Buffer.from(await (await read()).arrayBuffer());
    expect(createHash('sha256').update(whole).digest('hex')).toBe(task?.file.sha256);
    const part = await read({ Range: 'bytes=100-299' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-299/${whole.length}`]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(100, 300));
  });

  it('the console of a remote host uploads files to it', async () => {
    const bytes = Buffer.alloc(3_000_000, 'map');
    const begun = await dealer.post('/api/v1/maps/uploads', { name: 'town', bytes: bytes.length + 1 });
    const { upload_id } = begun.body as { upload_id: string };
    const sent = await fetch(`${remote.url}/api/v1/maps/uploads/${upload_id}?from=0`, {
      method: 'PUT',
      headers: { Authorization: `JWT ${dealer.jwt}`, 'Content-Type': 'application/octet-stream' },
      body: bytes,
    });
    expect(await sent.json()).toMatchObject({ received: bytes.length });
    expect((await dealer.call('DELETE', `/api/v1/maps/uploads/${upload_id}`)).status).toBe(204);
  });

  it('the console of a remote host takes its session up again by a cookie that no other host is sent', async () => {
    const login = await fetch(`${remote.url}/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: remote.url },
      body: JSON.stringify({ login: dealerLogin, password: dealerPassword }),
    });
    const [cookie = ''] = login.headers.getSetCookie();
    expect(cookie).toMatch(
      /^ata1_fleetdeck_[\w-]+=[^;]+; Max-Age=\d+; Path=\/auth; HttpOnly; SameSite=Strict$/,
    );
    const [pair = ''] = cookie.split(';');
    const refresh = (url: string, origin: string, name = pair) =>
      fetch(`${url}/auth/refresh`, { method: 'POST', headers: { Origin: origin, Cookie: name } });
    expect((await refresh(remote.url, remote.url)).status).toBe(200);
    expect((await refresh(remote.url, 'http://127.0.0.1:1')).status).toBe(403);
    // As the browser would send it to the console of another connection to the same host.
    const other = await connect(host.certificateSha256, 'b2');
    onTestFinished(() => other.close());
    expect((await refresh(other.url, other.url)).status).toBe(401);
    expect((await refresh(other.url, other.url, pair.replace('ata1_', ''))).status).toBe(401);
  });

  it('the console of a remote host renews a JWT by the header with a space, too', async () => {
    const { host: name } = new URL(remote.url);
    const answer = await sendRaw(remote.url, [
      'POST /auth/refresh HTTP/1.1',
      `Host: ${name}`,
      `Authorization refresh: JWT ${dealer.jwt}`,
      'Content-Length: 0',
      'Connection: close',
    ]);
    expect(answer.status).toBe(200);
  });
});

describe('a host that is asked before it is connected to', () => {
  it('a host that is asked shows its certificate, and what it is once that was confirmed', async () => {
    const fingerprint = host.certificateSha256 ?? '';
    expect(await probe(null)).toEqual({ state: 'untrusted', url: host.url, fingerprint });
    expect(await probe(fingerprint)).toEqual({
      ...{ state: 'found', url: host.url, fingerprint },
      ...{ depotName: 'Harbour depot', version: '0.1.0', api: 'same' },
    });
  });

  it('a host whose certificate has changed is refused with both fingerprints', async () => {
    const expected = 'AA:'.repeat(31) + 'AA';
    const found = host.certificateSha256;
    expect(await probe(expected)).toEqual({ state: 'changed', url: host.url, expected, found });
    const changed = await connect(expected);
    onTestFinished(() => changed.close());
    const answer = await fetch(`${changed.url}/api/v1/health`);
    expect([answer.status, await answer.json()]).toMatchObject([
      502,
      { code: 'certificate_refused', detail: expect.stringMatching(`${expected}.*${found ?? ''}`) },
    ]);
  });

  it.each([
    ['http://depot.example', { state: 'insecure', url: 'http://depot.example' }],
    [
      'http://127.0.0.1:1',
      {
        state: 'unreachable',
        reason: 'it refuses the connection',
        causes: [{ code: 'outgoing.refused', values: {} }],
      },
    ],
    ['ftp://depot.example', { state: 'invalid', causes: [{ code: 'host_url.scheme' }] }],
    ['https://me@depot.example', { state: 'invalid', causes: [{ code: 'host_url.username' }] }],
  ])('a host at %s is answered without a call', async (url, answer) => {
    expect(await probe(null, url)).toMatchObject(answer);
  });
});

it.each([
  ['same', {}, []],
  ['older', {}, ['/api/v1/me']],
  ['newer', { '/api/v1/moons': { get: {} } }, []],
  ['different', { '/api/v1/moons': { get: {} } }, ['/api/v1/me']],
])('a host is %s by the operations that it and this console know', (match, more, without) => {
  const paths: Record<string, Record<string, object>> = {};
  for (const { method, path } of apiRoutes)
    if (!without.includes(path)) paths[path] = { ...paths[path], [method.toLowerCase()]: {} };
  expect(compareApi({ ...paths, ...more })).toBe(match);
});
