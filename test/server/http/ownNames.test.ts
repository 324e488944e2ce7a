import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRaw } from '../../support/rawConnection.ts';
import { dealerPassword, startTestHost, type TestHost } from '../../support/testHost.ts';

let host: TestHost;
let port: string;
let jwt: string;
beforeAll(async () => {
  host = await startTestHost({ settings: { allowHosts: ['depot.lan', 'Fleet.Example:8443'] } });
  ({ port } = new URL(host.url));
  ({ jwt } = await host.login());
});
afterAll(() => host.close());

async function ask(path: string, name: string, ...fields: string[]) {
  const lines = [`GET ${path} HTTP/1.1`, `Host: ${name}`, `Authorization: JWT ${jwt}`, ...fields];
  const answer = await sendRaw(host.url, lines);
  return { ...answer, code: /"code":"(\w+)"/.exec(answer.body)?.[1] };
}

describe('the Host of a request', () => {
  it.each([
    ['127.0.0.1:PORT', 200],
    ['localhost:PORT', 200],
    ['LocalHost:PORT', 200],
    ['[::1]:PORT', 200],
    ['depot.lan:PORT', 200],
    ['fleet.example:8443', 200],
    ['localhost', 403],
    ['127.0.0.1:1', 403],
    ['127.0.0.2:PORT', 403],
    ['0.0.0.0:PORT', 403],
    ['depot.lan', 403],
    ['depot.lan:1', 403],
    ['fleet.example:PORT', 403],
    ['evil.depot.lan:PORT', 403],
    ['localhost.evil.test:PORT', 403],
    ['localhost:PORT@evil.test', 403],
    ['localhost:PORT.evil.test', 403],
    ['evil.test', 403],
    ['', 403],
  ])('%s is answered %d, whatever is asked for', async (name, status) => {
    for (const path of ['/api/v1/me', '/openapi.json', '/api/v1/health']) {
      const answer = await ask(path, name.replace('PORT', port));
      expect({ path, status: answer.status }).toEqual({ path, status });
      if (status === 403) expect(answer.code).toBe('host_not_allowed');
    }
  });
});

describe('the Origin of a request', () => {
  const own = [
    'http://127.0.0.1:PORT',
    'http://localhost:PORT',
    'http://depot.lan:PORT',
    'http://fleet.example:8443',
  ];
  it.each(own)('%s is our own', async (origin) => {
    const answer = await ask('/api/v1/me', `localhost:${port}`, `Origin: ${origin.replace('PORT', port)}`);
    expect(answer.status).toBe(200);
    // Same origin or not at all: nothing is opened for other pages.
    expect(Object.keys(answer.headers).filter((it) => it.startsWith('access-control'))).toEqual([]);
  });

  const foreign = [
    'null',
    'http://localhost',
    'http://localhost:1',
    'https://localhost:PORT',
    'http://evil.test',
    'x',
    '',
  ];
  it.each(foreign)('"%s" is refused, GET and POST', async (origin) => {
    const Origin = origin.replace('PORT', port);
    for (const path of ['/', '/api/v1/me', '/api/v1/health', '/openapi.json']) {
      const answer = await ask(path, `localhost:${port}`, `Origin: ${Origin}`);
      expect({ path, ...answer }).toMatchObject({ path, status: 403, code: 'origin_not_allowed' });
    }
    const body = JSON.stringify({ login: 'dealer', password: dealerPassword });
    const lines = ['POST /auth/login HTTP/1.1', `Host: localhost:${port}`, `Origin: ${Origin}`];
    const type = ['Content-Type: application/json', `Content-Length: ${body.length}`];
    expect((await sendRaw(host.url, [...lines, ...type], body)).status).toBe(403);
  });

  it('is asked before a foreign page may send anything at all', async () => {
    const answer = await host.anybody.call('OPTIONS', '/api/v1/positions', undefined, {
      Origin: 'http://evil.test',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,content-type',
    });
    expect(answer).toMatchObject({ status: 403, code: 'origin_not_allowed' });
  });
});
