import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { geofenceRoutes } from '../../../server/contract/geofences.ts';
import { groupRoutes } from '../../../server/contract/groups.ts';
import { problem, problems } from '../../../server/contract/problem.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { openRaw, sendRaw } from '../../support/rawConnection.ts';
import { bytesIn, encodings } from '../../support/textBytes.ts';
import {
  dealerPassword,
  startTestHost,
  type Answer,
  type Caller,
  type TestHost,
} from '../../support/testHost.ts';

let host: TestHost;
let dealer: Caller;
beforeAll(async () => {
  host = await startTestHost();
  dealer = await host.login();
});
afterAll(() => host.close());

const mebibyte = 1024 * 1024;
const noId = '00000000-0000-4000-8000-000000000000';

describe('a refusal', () => {
  it.each<[keyof typeof problems, () => Promise<Answer>]>([
    ['malformed_json', () => dealer.post('/api/v1/groups', '{"name":')],
    ['validation_failed', () => dealer.post('/api/v1/groups', {})],
    ['jwt_missing', () => host.anybody.get('/api/v1/me')],
    ['jwt_invalid', () => host.anybody.get('/api/v1/me', { Authorization: 'JWT x' })],
    ['credentials_invalid', () => host.anybody.post('/auth/login', { login: 'dealer', password: 'x' })],
    ['origin_not_allowed', () => dealer.get('/api/v1/me', { Origin: 'null' })],
    ['not_found', () => dealer.get(`/api/v1/users/${noId}`)],
    ['method_not_allowed', () => dealer.call('PUT', '/api/v1/me')],
    ['already_exists', () => dealer.post('/api/v1/groups', { name: 'dealer' })],
    [
      'unsupported_media_type',
      () => dealer.post('/api/v1/groups', 'name=x', { 'Content-Type': 'text/plain' }),
    ],
    ['too_large', () => dealer.post('/api/v1/groups', { name: 'x'.repeat(mebibyte) })],
  ])(
    '%s is a problem of RFC 9457 with its code, its status and the id of the request',
    async (code, call) => {
      const answer = await call();
      const body = problem.strict().parse(answer.body);
      expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
      expect(body).toMatchObject({ code, ...problems[code] });
      expect(answer.status).toBe(problems[code].status);
      expect(body.request_id).toBe(answer.headers.get('x-request-id'));
      expect(answer.headers.get('www-authenticate')).toBe(answer.status === 401 ? 'JWT' : null);
    },
  );

  it('a refusal names each field that failed', async () => {
    const answer = await dealer.post('/api/v1/vehicles', {
      terminal_id: 'a b',
      speed_limit_kmh: -1,
      size: 3,
    });
    const { errors = [] } = problem.parse(answer.body);
    expect(errors.map((it) => it.path).sort()).toEqual(['name', 'size', 'speed_limit_kmh', 'terminal_id']);
  });

  it('a refusal names the first 100 fields that failed, and of a long name the first 200 characters', async () => {
    const fields = Array.from({ length: 2_000 }, (_, i) => [`field ${i}`, 0]);
    const many = await dealer.post('/api/v1/vehicles', Object.fromEntries(fields));
    expect(many).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(problem.parse(many.body).errors).toHaveLength(100);
    const long = await dealer.post('/api/v1/vehicles', { ['x'.repeat(mebibyte / 2)]: 0 });
    expect(problem.parse(long.body).errors?.some((it) => it.path === 'x'.repeat(200))).toBe(true);
    expect(long.text.length).toBeLessThan(2_000);
  });

  it('a refusal gives away nothing of the inside', async () => {
    const { text } = await dealer.post('/api/v1/groups', '{"name":');
    expect(text).not.toMatch(/node_modules|\.ts|at \w+ \(/);
  });
});

describe('every answer', () => {
  it.each(['/', '/docs', '/openapi.json', '/api/v1/health', '/api/v1/me', '/none'])(
    'every answer of %s has a request id of its own and security headers against sniffing, framing and referrers',
    async (path) => {
      const [first, second] = await Promise.all([host.anybody.get(path), host.anybody.get(path)]);
      expect(first.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(first.headers.get('x-request-id')).not.toBe(second.headers.get('x-request-id'));
      expect(first.headers.get('x-content-type-options')).toBe('nosniff');
      expect(first.headers.get('x-frame-options')).toBe('DENY');
      expect(first.headers.get('referrer-policy')).toBe('no-referrer');
      expect(first.headers.has('x-powered-by')).toBe(false);
      const policy = first.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("script-src 'self';");
      expect(policy).not.toContain('upgrade-insecure-requests');
    },
  );

  it('every answer of the API is kept by no browser', async () => {
    for (const path of [
      '/api/v1/me',
      '/api/v1/health',
      '/auth/login',
      '/service/vsvc/api/tasks',
      '/api/v1/none',
    ]) {
      expect((await dealer.get(path)).headers.get('cache-control')).toBe('no-store');
    }
  });
});

describe('a body', () => {
  const create = (body: string, type: string) =>
    dealer.post('/api/v1/groups', body, { 'Content-Type': type });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/csv'])(
    'a body of the type %s is answered 415, which keeps forms of web pages out',
    async (type) => {
      expect(await create('{"name":"by form"}', type)).toMatchObject({ status: 415 });
      const login = { login: 'dealer', password: dealerPassword };
      const answer = await host.anybody.post('/auth/login', new URLSearchParams(login).toString(), {
        'Content-Type': type,
      });
      expect(answer).toMatchObject({ status: 415, code: 'unsupported_media_type' });
    },
  );

  it('a body of a merge patch is for PATCH alone', async () => {
    expect((await create('{"name":"x"}', 'application/merge-patch+json')).status).toBe(415);
  });

  it.each(encodings)('a body of text in %s is decoded by its bytes', async (encoding) => {
    const kml =
      '<kml><Placemark><name>Müllhof 5 €</name><Point><coordinates>13.4,52.5</coordinates></Point></Placemark></kml>';
    const type = 'application/vnd.google-earth.kml+xml';
    const path = `${geofenceRoutes.import.path}?dry_run=1&radius_m=9`;
    const answer = await dealer.post(path, bytesIn(encoding, kml), { 'Content-Type': type });
    expect(answer).toMatchObject({ status: 200, body: { results: [{ name: 'Müllhof 5 €' }] } });
  });

  it('a body of JSON is taken with a charset, and as a merge patch', async () => {
    expect((await create('{"name":"ein Näme"}', 'application/json; charset=utf-8')).status).toBe(201);
    const group = await dealer.ask(groupRoutes.create, { body: { name: 'patched' } });
    const answer = await dealer.call(
      'PATCH',
      `/api/v1/groups/${group.group_id}`,
      { name: 'patched again' },
      {
        'Content-Type': 'application/merge-patch+json',
      },
    );
    expect(answer.status).toBe(200);
  });

  it.each(['', '{', 'nonsense', '{"name":"x"}}', "{'name':'x'}"])(
    'a body that is "%s" is no group',
    async (body) => {
      expect((await create(body, 'application/json')).status).toBe(400);
    },
  );

  it.each(['null', '1', '"text"', 'true', '[]', '[{"name":"x"}]'])(
    'a body of another kind, %s, is answered 400',
    async (body) => {
      expect(await create(body, 'application/json')).toMatchObject({
        status: 400,
        code: 'validation_failed',
      });
    },
  );

  it.each([
    [{ name: 'x', colour: 'red' }, 'colour'],
    [{ name: 'x', group_id: noId }, 'group_id'],
    [{ name: 'x', version: 7 }, 'version'],
    [{ name: 7 }, 'name'],
    [{ name: '  ' }, 'name'],
    ['{"name":"x","__proto__":{"a":1}}', '__proto__'],
  ])('a body with a field that is not known or not allowed is answered 400: %j', async (body, path) => {
    const answer = await dealer.post('/api/v1/groups', body);
    expect(answer).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(problem.parse(answer.body).errors?.map((it) => it.path)).toContain(path);
  });

  it('a body is answered 413 beyond 1 MiB, and 8 MiB for positions and imports', async () => {
    const rows = (bytes: number) => `[${'"x",'.repeat(bytes / 4)}"x"]`;
    const send = async (path: string, bytes: number) => (await dealer.post(path, rows(bytes))).status;
    expect(await send('/api/v1/groups', mebibyte - 16)).toBe(400);
    expect(await send('/api/v1/groups', mebibyte)).toBe(413);
    expect(await send('/api/v1/positions', 2 * mebibyte)).toBe(400);
    expect(await send('/api/v1/positions', 8 * mebibyte)).toBe(413);
    expect(await send('/api/v1/vehicles/import', 8 * mebibyte)).toBe(413);
  });

  it('a body is answered 413 beyond 8 KiB on public routes', async () => {
    const longest = '\\u00e4'.repeat(200);
    const taken = await host.anybody.post('/auth/login', `{"login":"${longest}","password":"${longest}"}`);
    expect(taken).toMatchObject({ status: 401, code: 'credentials_invalid' });
    for (const path of ['/auth/login', '/setup']) {
      const refused = await host.anybody.post(path, { login: 'x'.repeat(8 * 1024) });
      expect(refused).toMatchObject({ status: 413, code: 'too_large' });
    }
  });

  it('a body of an unauthenticated client is not read before it is refused', async () => {
    const connection = openRaw(host.url);
    const { host: name } = new URL(host.url);
    connection.write(
      [
        'POST /api/v1/positions HTTP/1.1',
        `Host: ${name}`,
        'Content-Type: application/json',
        `Content-Length: ${7 * mebibyte}`,
        '',
        '',
      ].join('\r\n'),
    );
    expect((await connection.answer()).status).toBe(401);
    connection.close();
  });

  it('a body is refused by an operation that takes none', async () => {
    const users = await dealer.ask(userRoutes.list);
    const path = `/api/v1/users/${users.items[0]?.user_id ?? ''}/block`;
    expect(await dealer.post(path, {})).toMatchObject({ status: 400, code: 'validation_failed' });
  });
});

describe('parameters', () => {
  it.each([
    '/api/v1/vehicles?colour=red',
    '/api/v1/vehicles?limit=0',
    '/api/v1/vehicles?limit=1001',
    '/api/v1/vehicles?limit=ten',
    '/api/v1/vehicles?limit=1&limit=2',
    '/api/v1/vehicles?limit=1.5',
    '/api/v1/vehicles?cursor=nonsense',
    '/api/v1/vehicles?group_id=red',
    '/api/v1/vehicles?status=parked',
    '/api/v1/me?x=1',
    '/api/v1/positions/latest?format=xml',
    '/api/v1/events?from=yesterday',
    '/api/v1/events?from=2026-13-01T00:00:00Z',
    '/api/v1/stream?topics=weather',
    '/api/v1/vehicles?__proto__=1',
  ])('parameters that are not known or not allowed are answered 400: %s', async (path) => {
    expect(await dealer.get(path)).toMatchObject({ status: 400, code: 'validation_failed' });
  });

  it.each(['x', '1', `${noId}x`, 'null', '%00', '..%2Fme', '%zz'])(
    'parameters of a path that cannot be an id name nothing: %s',
    async (id) => {
      for (const path of ['users', 'groups', 'vehicles', 'geozones', 'notifications/rules', 'events']) {
        expect(await dealer.get(`/api/v1/${path}/${id}`)).toMatchObject({ status: 404, code: 'not_found' });
      }
    },
  );

  it('parameters may be times with any offset and are answered in UTC', async () => {
    const answer = await dealer.get('/api/v1/events?from=2026-11-21T05:43:00%2B01:00');
    expect(answer.status).toBe(200);
  });
});

describe('an address', () => {
  it('an address that is nowhere in the API is 404 to users and 401 to unauthenticated clients', async () => {
    for (const path of ['/api/v1/none', '/api', '/service/x', '/auth/x', '/api/v2/me']) {
      expect(await dealer.get(path)).toMatchObject({ status: 404, code: 'not_found' });
      expect(await host.anybody.get(path)).toMatchObject({ status: 401, code: 'jwt_missing' });
    }
    expect(await host.anybody.get('/none')).toMatchObject({ status: 404, code: 'not_found' });
  });

  it.each([
    ['PUT', '/api/v1/groups', 'GET, POST, HEAD'],
    ['DELETE', '/api/v1/me', 'GET, HEAD'],
    ['GET', '/auth/login', 'POST'],
    ['HEAD', '/auth/login', 'POST'],
    ['POST', '/api/v1/health', 'GET, HEAD'],
    ['POST', `/api/v1/groups/${noId}/users/${noId}`, 'PUT, DELETE'],
    ['DELETE', '/setup', 'GET, POST, HEAD'],
  ])('an address that does not take %s %s is 405 and says what it takes', async (method, path, allowed) => {
    const answer = await dealer.call(method, path);
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe(allowed);
  });

  it('an address is found with a slash at its end and in any letter case', async () => {
    expect((await dealer.get('/api/v1/me/')).status).toBe(200);
    expect((await dealer.get('/API/v1/Me')).status).toBe(200);
  });

  it('an address is asked with HEAD as with GET, without the body', async () => {
    const [got, headed] = await Promise.all([
      dealer.get('/api/v1/groups'),
      dealer.call('HEAD', '/api/v1/groups'),
    ]);
    expect(headed).toMatchObject({ status: 200, text: '' });
    expect(headed.headers.get('content-length')).toBe(got.headers.get('content-length'));
    expect((await host.anybody.call('HEAD', '/api/v1/me')).status).toBe(401);
  });

  it('an address is asked with HEAD also where the answer to GET has no end', async () => {
    const connection = openRaw(host.url);
    const fields = [`Host: ${new URL(host.url).host}`, `Authorization: JWT ${dealer.jwt}`];
    connection.write(['HEAD /api/v1/stream HTTP/1.1', ...fields, '', ''].join('\r\n'));
    expect((await connection.answer()).headers['content-type']).toBe('text/event-stream');
    connection.write(['GET /api/v1/me HTTP/1.1', ...fields, '', ''].join('\r\n'));
    expect((await connection.answer()).body).toContain('"login":"dealer"');
    connection.close();
  });
});

describe('If-Match and ETag', () => {
  it('an answer bears the version of its resource, and is whole whatever the client has', async () => {
    const made = await dealer.post('/api/v1/vehicles', { terminal_id: 'E1', name: 'van' });
    const { vehicle_id } = vehicleRoutes.create.reply.parse(made.body);
    expect(made.headers.get('etag')).toBe('"1"');
    expect(made.headers.get('location')).toBe(`/api/v1/vehicles/${vehicle_id}`);
    // The position moves without the version.
    const answer = await dealer.get(`/api/v1/vehicles/${vehicle_id}`, { 'If-None-Match': '"1"' });
    expect(answer).toMatchObject({ status: 200, body: { vehicle_id } });
  });

  it.each(['x', '"x"', '1.5', '"-1"', '"1", "2"'])('%s is no version', async (version) => {
    const answer = await dealer.call('PATCH', '/api/v1/settings', {}, { 'If-Match': version });
    expect(answer).toMatchObject({ status: 400, code: 'validation_failed' });
  });

  it('* is any version', async () => {
    expect((await dealer.call('PATCH', '/api/v1/settings', {}, { 'If-Match': '*' })).status).toBe(200);
  });
});

describe('a request that no parser could agree on', () => {
  it.each([
    [['GET /api/v1/health HTTP/1.1'], 400],
    [['GET /api/v1/health HTTP/1.1', 'Host: a', 'Host: b'], 400],
    [['GET /api/v1/health HTTP/1.1', 'Host : x'], 400],
    [['NONSENSE'], 400],
  ])('%j is refused', async (lines, status) => {
    expect((await sendRaw(host.url, lines)).status).toBe(status);
  });
});
