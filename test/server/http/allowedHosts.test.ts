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

describe('a request that names two hosts', () => {
  const me = (target: string, ...fields: string[]) =>
    sendRaw(host.url, [
      `GET ${target} HTTP/1.1`,
      ...fields.map((it) => it.replaceAll('PORT', port)),
      `Authorization: JWT ${jwt}`,
    ]);

  it.each([
    [['Host: localhost:PORT', 'Host: evil.test']],
    [['Host: localhost:PORT', 'Host: localhost:PORT']],
    [['hOsT: localhost:PORT', 'HOST: evil.test']],
    [['Host: evil.test', 'Host: localhost:PORT']],
    [['Host: localhost:PORT', 'Accept: */*', 'Host:']],
  ])('a request that names two hosts by two fields is answered 400: %j', async (fields) => {
    for (const path of ['/api/v1/me', '/api/v1/health', '/']) {
      const answer = await me(path, ...fields);
      expect([answer.status, answer.body]).toEqual([400, expect.stringContaining('validation_failed')]);
    }
  });

  it('a request that names two hosts is refused as well where the front repairs the header of a refresh', async () => {
    const lines = ['POST /auth/refresh HTTP/1.1', `Host: localhost:${port}`, 'Host: evil.test'];
    const answer = await sendRaw(host.url, [...lines, `Authorization refresh: JWT ${jwt}`]);
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining('validation_failed')]);
  });

  it.each([
    ['http://evil.test/api/v1/me', 403],
    ['http://evil.test:PORT/api/v1/me', 403],
    ['http://localhost:1/api/v1/me', 403],
    ['http://user@localhost:PORT/api/v1/me', 403],
    ['http://localhost:PORT@evil.test/api/v1/me', 403],
    ['http://localhost.:PORT/api/v1/me', 403],
    ['https://localhost:PORT/api/v1/me', 403],
    ['ftp://localhost:PORT/api/v1/me', 403],
    ['HTTP://LocalHost:PORT/api/v1/me', 200],
    ['http://127.0.0.1:PORT/api/v1/vehicles?limit=1', 200],
    ['http://depot.lan:PORT/api/v1/me', 200],
    ['http://localhost:PORT/api/v1/nothing', 404],
  ])('a request that names two hosts by its target %s is answered %d', async (target, status) => {
    const answer = await me(target.replace('PORT', port), 'Host: localhost:PORT');
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.body).toContain('host_not_allowed');
  });

  it('a request that names two hosts is refused for its Host however well its target is named', async () => {
    const answer = await me(`http://localhost:${port}/api/v1/me`, 'Host: evil.test');
    expect([answer.status, answer.body]).toEqual([403, expect.stringContaining('host_not_allowed')]);
  });

  it.each(['localhost.:PORT', 'user@localhost:PORT', 'user:x@localhost:PORT'])(
    'a request that names two hosts by a Host of %s is answered 403',
    async (name) => {
      const answer = await me('/api/v1/me', `Host: ${name}`);
      expect([answer.status, answer.body]).toEqual([403, expect.stringContaining('host_not_allowed')]);
    },
  );

  it('a request that names two hosts or none, by HTTP/1.0, is answered 403', async () => {
    const answer = await sendRaw(host.url, ['GET /api/v1/me HTTP/1.0', `Authorization: JWT ${jwt}`]);
    expect([answer.status, answer.body]).toEqual([403, expect.stringContaining('host_not_allowed')]);
  });

  it('a request that names two hosts or none, by HTTP/1.1, is answered 400', async () => {
    expect((await sendRaw(host.url, ['GET /api/v1/me HTTP/1.1'])).status).toBe(400);
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

  it('the Origin of a request is checked before another page may send anything at all', async () => {
    const answer = await host.anybody.call('OPTIONS', '/api/v1/positions', undefined, {
      Origin: 'http://evil.test',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,content-type',
    });
    expect(answer).toMatchObject({ status: 403, code: 'origin_not_allowed' });
  });
});
