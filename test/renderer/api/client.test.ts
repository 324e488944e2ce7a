import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { healthRoutes } from '../../../server/contract/health.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { problems, type ProblemCode } from '../../../server/contract/problem.ts';
import { createApi } from '../../../renderer/api/client.ts';
import { ApiProblem, UnexpectedAnswer, Unreachable } from '../../../renderer/api/errors.ts';
import { createTransport } from '../../../renderer/api/transport.ts';
import { createTokens, LoggedOut } from '../../../renderer/auth/tokens.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { sampleVehicle } from '../samples.ts';

const user = {
  user_id: '6f3c1c52-6d3f-4c49-9d0a-0d3f0a3b6c11',
  login: 'k.weiss',
  name: null,
  email: null,
  role: 'dealer',
  rights: { vehicles: 'write', geofences: 'write', notifications: 'write', reports: 'read', video: 'write' },
  group_ids: [],
  blocked: false,
  version: 1,
  created_at: '2026-11-21T12:00:00.000Z',
  updated_at: '2026-11-21T12:00:00.000Z',
} as const;

const vehicle = {
  ...sampleVehicle({ name: 'V 17' }),
  vehicle_id: '0e0f6f3c-1c52-4d3f-8c49-9d0a0d3f0a3b',
};

interface Call {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: unknown;
}
type Answer = (call: Call, response: ServerResponse) => void;

/** A JWT that lives for so many seconds by its own claims; `name` distinguishes them. */
function jwtOf(name: string, lifetime_s: number): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = {
    sub: 'u',
    sid: 's',
    role: 'dealer',
    rights: {},
    iat: 1_000,
    exp: 1_000 + lifetime_s,
    iss: 'i',
    aud: 'a',
  };
  return `${part({ alg: 'HS256' })}.${part(claims)}.${name}`;
}

const granted = (name: string, lifetime_s = 1_800) => ({
  jwt: jwtOf(name, lifetime_s),
  expires_at: '2026-11-21T12:30:00.000Z',
  user: { ...user, rights: { ...user.rights }, group_ids: [] },
});

function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

function refuse(response: ServerResponse, code: ProblemCode, headers: Record<string, string> = {}): void {
  const { status, title } = problems[code];
  response
    .writeHead(status, { 'Content-Type': 'application/problem+json', ...headers })
    .end(JSON.stringify({ type: 'about:blank', title, status, detail: '', code, request_id: 'req-1' }));
}

let calls: Call[];
let answer: Answer;
let baseUrl: string;
let close: () => Promise<void>;

beforeEach(async () => {
  calls = [];
  answer = (_, response) => refuse(response, 'internal');
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const body: unknown = text === '' ? null : JSON.parse(text);
      const call = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
      calls.push(call);
      answer(call, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  close = () =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
});
afterEach(() => close());

function setUp() {
  const clock = createFakeClock();
  const ended: (ProblemCode | null)[] = [];
  const transport = createTransport({ fetch, clock, baseUrl });
  const tokens = createTokens({ transport, clock, onEnd: (reason) => ended.push(reason) });
  return { clock, ended, tokens, api: createApi({ transport, tokens }) };
}

const settings = (response: ServerResponse) =>
  json(response, { ...user, rights: { ...user.rights }, group_ids: [] });

describe('the api client', () => {
  it('the api client sends the JWT, fills in the path, the query and the version, and hands on the parsed reply', async () => {
    const { api, tokens } = setUp();
    tokens.grant(granted('one'));
    answer = (_, response) => json(response, vehicle);
    const reply = await api.request(vehicleRoutes.patch, {
      params: { vehicle: 'a/b' },
      body: { name: 'V 17' },
      ifMatch: 3,
    });
    expect(reply.name).toBe('V 17');
    expect(calls[0]).toMatchObject({
      method: 'PATCH',
      url: '/api/v1/vehicles/a%2Fb',
      body: { name: 'V 17' },
    });
    expect(calls[0]?.headers).toMatchObject({
      authorization: `JWT ${jwtOf('one', 1_800)}`,
      'if-match': '"3"',
    });
  });

  it('the api client sends an Idempotency-Key and leaves out what a query does not ask for', async () => {
    const { api, tokens } = setUp();
    tokens.grant(granted('one'));
    answer = (_, response) => json(response, vehicle, 201);
    await api.request(vehicleRoutes.create, {
      body: { terminal_id: '1', name: 'V' },
      idempotencyKey: 'key-1',
    });
    answer = (_, response) => json(response, { items: [], next_cursor: null });
    await api.request(vehicleRoutes.list, { query: { limit: 5, cursor: undefined } });
    expect(calls[0]?.headers['idempotency-key']).toBe('key-1');
    expect(calls[1]?.url).toBe('/api/v1/vehicles?limit=5');
  });

  it('the api client throws the server’s problem with its code, its request id and its errors', async () => {
    const { api, tokens } = setUp();
    tokens.grant(granted('one'));
    answer = (_, response) => refuse(response, 'not_found');
    const error: unknown = await api.request(userRoutes.me).catch((it: unknown) => it);
    expect(error).toBeInstanceOf(ApiProblem);
    expect(error).toMatchObject({ code: 'not_found', requestId: 'req-1' });
  });

  it('the api client does not let a reply in that is not what the contract says', async () => {
    const { api, tokens } = setUp();
    tokens.grant(granted('one'));
    answer = (_, response) => json(response, { login: 5 });
    await expect(api.request(userRoutes.me)).rejects.toBeInstanceOf(UnexpectedAnswer);
  });

  it('the api client says that the server is unreachable when nothing answers', async () => {
    const { api, tokens } = setUp();
    tokens.grant(granted('one'));
    await close();
    await expect(api.request(userRoutes.me)).rejects.toBeInstanceOf(Unreachable);
  });

  it.each([502, 503, 504])(
    'the api client says that the server is unreachable when %i comes from what stands before it',
    async (status) => {
      const { api, tokens } = setUp();
      tokens.grant(granted('one'));
      answer = (_, response) =>
        response.writeHead(status, { 'Content-Type': 'text/html' }).end('<h1>Gateway</h1>');
      await expect(api.request(userRoutes.me)).rejects.toBeInstanceOf(Unreachable);
    },
  );

  it('the api client calls public routes without a session, and no other', async () => {
    const { api } = setUp();
    answer = (_, response) =>
      json(response, { status: 'ok', version: '1', setup_needed: false, depot_name: 'D' });
    await api.request(healthRoutes.health);
    expect(calls[0]?.headers.authorization).toBeUndefined();
    await expect(api.request(userRoutes.me)).rejects.toBeInstanceOf(LoggedOut);
    expect(calls).toHaveLength(1);
  });

  it('the api client renews an expired JWT once for all calls that wait for it, and makes them again', async () => {
    const { api, tokens } = setUp();
    tokens.grant(granted('old'));
    answer = (call, response) => {
      if (call.url === '/auth/refresh') json(response, granted('new'));
      else if (call.headers.authorization === `JWT ${jwtOf('old', 1_800)}`) refuse(response, 'jwt_expired');
      else settings(response);
    };
    await Promise.all([api.request(userRoutes.me), api.request(userRoutes.me), api.request(userRoutes.me)]);
    const renewals = calls.filter((call) => call.url === '/auth/refresh');
    expect(renewals).toHaveLength(1);
    expect(renewals[0]?.headers['authorization-refresh']).toBe(jwtOf('old', 1_800));
    expect(calls.filter((call) => call.headers.authorization === `JWT ${jwtOf('new', 1_800)}`)).toHaveLength(
      3,
    );
  });

  it('the api client renews a JWT shortly before it ends, by its lifetime and not by this computer’s time of day', async () => {
    const { api, tokens, clock } = setUp();
    tokens.grant(granted('old'));
    answer = (call, response) =>
      call.url === '/auth/refresh' ? json(response, granted('new')) : settings(response);
    clock.advance(1_769_000);
    await api.request(userRoutes.me);
    expect(calls.map((call) => call.url)).toEqual(['/api/v1/me']);
    clock.advance(2_000);
    await api.request(userRoutes.me);
    expect(calls.map((call) => call.url)).toEqual(['/api/v1/me', '/auth/refresh', '/api/v1/me']);
  });

  it('the api client does not renew before each call when a JWT lives for a few seconds only', async () => {
    const { api, tokens } = setUp();
    tokens.grant(granted('short', 5));
    answer = (_, response) => settings(response);
    await api.request(userRoutes.me);
    expect(calls.map((call) => call.url)).toEqual(['/api/v1/me']);
  });

  it.each(['session_revoked', 'session_expired'] as const)(
    'the api client ends the session on %s',
    async (code) => {
      const { api, tokens, ended } = setUp();
      tokens.grant(granted('one'));
      answer = (_, response) => refuse(response, code);
      await expect(api.request(userRoutes.me)).rejects.toMatchObject({ code });
      expect(ended).toEqual([code]);
      await expect(api.request(userRoutes.me)).rejects.toBeInstanceOf(LoggedOut);
    },
  );

  it('the api client keeps the session when a renewal finds no server', async () => {
    const { api, tokens, ended, clock } = setUp();
    tokens.grant(granted('one'));
    clock.advance(1_800_000);
    await close();
    await expect(api.request(userRoutes.me)).rejects.toBeInstanceOf(Unreachable);
    expect(ended).toEqual([]);
  });

  it('the api client takes up the session that the cookie names, and knows when there is none', async () => {
    const { tokens } = setUp();
    answer = (_, response) => refuse(response, 'jwt_missing');
    expect(await tokens.resume()).toBeNull();
    answer = (_, response) => json(response, granted('cookie'));
    expect((await tokens.resume())?.user.login).toBe('k.weiss');
    expect(calls.at(-1)?.headers['authorization-refresh']).toBeUndefined();
    expect(await tokens.current()).toBe(jwtOf('cookie', 1_800));
  });

  it('the api client does not send another attempt before Retry-After is over, and says how long that is', async () => {
    const { api, tokens, clock } = setUp();
    tokens.grant(granted('one'));
    answer = (_, response) => refuse(response, 'rate_limited', { 'Retry-After': '41' });
    await expect(api.request(userRoutes.me)).rejects.toMatchObject({ code: 'rate_limited', retryAfterS: 41 });
    clock.advance(30_500);
    await expect(api.request(userRoutes.me)).rejects.toMatchObject({ code: 'rate_limited', retryAfterS: 11 });
    expect(calls).toHaveLength(1);
    clock.advance(10_500);
    answer = (_, response) => settings(response);
    await api.request(userRoutes.me);
    expect(calls).toHaveLength(2);
  });

  it('the api client does not hold back genuine calls for a block of the address', async () => {
    const { api, tokens } = setUp();
    answer = (_, response) => refuse(response, 'rate_limited', { 'Retry-After': '41' });
    await expect(api.request(healthRoutes.health)).rejects.toMatchObject({ code: 'rate_limited' });
    tokens.grant(granted('one'));
    answer = (_, response) => settings(response);
    expect((await api.request(userRoutes.me)).login).toBe('k.weiss');
  });
});
