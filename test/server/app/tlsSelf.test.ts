import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dealerLogin, dealerPassword, startTestHost, type TestHost } from '../../support/testHost.ts';

let host: TestHost;
let ca: string;
let consoleFolder: string;
beforeAll(async () => {
  consoleFolder = await mkdtemp(join(tmpdir(), 'fleetdeck-'));
  await writeFile(join(consoleFolder, 'page.html'), '<!doctype html><title>console</title>');
  host = await startTestHost({
    settings: { tlsSelf: true, allowHosts: ['depot.lan'] },
    consoleFolder,
  });
  ca = await readFile(join(host.data, 'tls-self.crt'), 'utf8');
});
afterAll(async () => {
  await host.close();
  await rm(consoleFolder, { recursive: true });
});

/** One call by HTTPS that trusts this host's certificate alone. */
async function call(path: string, options: RequestOptions = {}, body?: string) {
  const asked = request(`${host.url}${path}`, { ca, agent: false, ...options });
  asked.end(body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return response;
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk as string;
  return text;
}

async function logIn(query = '?jwt=1') {
  const response = await call(
    `/auth/login${query}`,
    { method: 'POST', headers: { 'Content-Type': 'application/json', Origin: host.url } },
    JSON.stringify({ login: dealerLogin, password: dealerPassword }),
  );
  return { response, jwt: (JSON.parse(await textOf(response)) as { jwt: string }).jwt };
}

describe('a host with a certificate of its own', () => {
  it('a host with a certificate of its own shows the certificate whose fingerprint it has printed', async () => {
    const { port } = new URL(host.url);
    expect(host.url).toMatch(/^https:\/\/127\.0\.0\.1:/);
    const socket = connect({ port: Number(port), host: '127.0.0.1', ca });
    await once(socket, 'secureConnect');
    expect(socket.authorized).toBe(true);
    expect(socket.getPeerCertificate().fingerprint256).toBe(host.certificateSha256);
    expect(new X509Certificate(ca).fingerprint256).toBe(host.certificateSha256);
    socket.destroy();
    expect(host.logged.find((it) => it['msg'] === 'server accepts requests')).toMatchObject({
      urls: [host.url],
      sha256: host.certificateSha256,
    });
  });

  it('a host with a certificate of its own is trusted by the names of --allow-host too', async () => {
    const { port } = new URL(host.url);
    const socket = connect({ port: Number(port), host: '127.0.0.1', servername: 'depot.lan', ca });
    await once(socket, 'secureConnect');
    expect(socket.authorized).toBe(true);
    socket.destroy();
  });

  it('a host with a certificate of its own is refused by whoever does not trust it', async () => {
    await expect(fetch(`${host.url}/api/v1/health`)).rejects.toThrow();
  });

  it('a host with a certificate of its own takes a login, with a cookie for HTTPS alone', async () => {
    const { response, jwt } = await logIn();
    expect(response.statusCode).toBe(200);
    const web = await logIn('');
    expect(web.response.headers['set-cookie']?.join()).toMatch(/; Secure/i);
    const me = await call('/api/v1/me', { headers: { Authorization: `JWT ${jwt}` } });
    expect([me.statusCode, JSON.parse(await textOf(me))]).toMatchObject([200, { login: dealerLogin }]);
  });

  it('a host with a certificate of its own keeps a stream open', async () => {
    const { jwt } = await logIn();
    const stream = await call('/api/v1/stream', { headers: { Authorization: `JWT ${jwt}` } });
    expect(stream.statusCode).toBe(200);
    const [chunk] = (await once(stream.setEncoding('utf8'), 'data')) as [string];
    expect(chunk).toContain('event:');
    stream.destroy();
  });

  it('a host with a certificate of its own serves pages', async () => {
    const page = await call('/page.html');
    expect([page.statusCode, await textOf(page)]).toEqual([200, expect.stringContaining('console')]);
  });

  it('a host with a certificate of its own does not bind browsers to HTTPS', async () => {
    const response = await call('/api/v1/health');
    expect(response.headers).not.toHaveProperty('strict-transport-security');
    expect(JSON.parse(await textOf(response))).toMatchObject({ status: 'ok' });
  });
});
