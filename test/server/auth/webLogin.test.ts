import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { authRoutes } from '../../../server/contract/auth.ts';
import { serviceRoutes } from '../../../server/contract/settings.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import {
  callerFor,
  dealerPassword,
  startTestHost,
  type Caller,
  type TestHost,
} from '../../support/testHost.ts';

const clock = createFakeClock();
let host: TestHost;
let dealer: Caller;
beforeAll(async () => {
  host = await startTestHost({ clock, users: [{ login: 'anna' }] });
  dealer = await host.login();
});
afterAll(() => host.close());

async function webLogin(): Promise<string> {
  const answer = await host.anybody.post('/auth/login', { login: 'anna', password: dealerPassword });
  expect(answer.status).toBe(200);
  return answer.headers.get('set-cookie') ?? '';
}
const pairOf = (setCookie: string) => setCookie.split(';', 1)[0] ?? '';
const refresh = (headers: Record<string, string>) => host.anybody.post('/auth/refresh', undefined, headers);

describe('POST /auth/login without jwt=1, the web login', () => {
  it('POST /auth/login without jwt=1, the web login answers as the other does, with a session cookie that scripts, other sites and other paths never get', async () => {
    const { instance_id } = await dealer.ask(serviceRoutes.settings);
    const [pair, ...attributes] = (await webLogin()).split('; ');
    expect(pair).toMatch(new RegExp(`^fleetdeck_${instance_id}=[\\w-]+\\.[\\w-]+\\.[\\w-]+$`));
    expect(attributes.sort()).toEqual([
      'HttpOnly',
      `Max-Age=${30 * 86_400}`,
      'Path=/auth',
      'SameSite=Strict',
    ]);
  });

  it('POST /auth/login without jwt=1, the web login sets the same cookie with jwt=0', async () => {
    const answer = await host.anybody.post('/auth/login?jwt=0', { login: 'anna', password: dealerPassword });
    expect(answer.headers.get('set-cookie')).toMatch(/^fleetdeck_/);
  });

  it('POST /auth/login without jwt=1, the web login sets no cookie when the password is wrong', async () => {
    const answer = await host.anybody.post('/auth/login', { login: 'anna', password: 'not the password' });
    expect(answer.headers.has('set-cookie')).toBe(false);
  });
});

describe('the session cookie', () => {
  let Cookie: string;
  let Origin: string;
  beforeEach(async () => {
    Cookie = pairOf(await webLogin());
    Origin = host.url;
  });

  it('the session cookie gets a new JWT without the header, again and again, until the session ends', async () => {
    for (let day = 0; day < 30; day += 1) {
      const answer = await refresh({ Cookie, Origin });
      expect(answer.status).toBe(200);
      const { jwt } = authRoutes.refresh.reply.parse(answer.body);
      expect(await callerFor(host.url, jwt).outcome(userRoutes.me)).toBe(200);
      clock.advance(86_400_000);
    }
    expect(await refresh({ Cookie, Origin })).toMatchObject({ status: 401, code: 'session_expired' });
    dealer = await host.login();
  });

  it('the session cookie of a display that may change nothing has all its days again with each renewal', async () => {
    clock.advance(3_600_000);
    const ofOthers = await host.anybody.post('/auth/refresh', undefined, { Cookie, Origin });
    expect([ofOthers.status, ofOthers.headers.has('set-cookie')]).toEqual([200, false]);
    const renew = (pair: string) =>
      host.anybody.post('/auth/refresh?unattended=1', undefined, { Cookie: pair, Origin });
    const renewed = (await renew(Cookie)).headers.get('set-cookie') ?? '';
    expect(renewed).toContain(`Max-Age=${30 * 86_400};`);
    const { jwt } = authRoutes.refresh.reply.parse((await renew(pairOf(renewed))).body);
    const { user_id } = await callerFor(host.url, jwt).ask(userRoutes.me);
    dealer = await host.login();
    const sessions = await dealer.ask(userRoutes.sessions, { params: { user_id } });
    const lastDay = new Date(clock.now() + 30 * 86_400_000).toISOString();
    expect(sessions.items.map(({ expires_at }) => expires_at)).toContain(lastDay);
  });

  it('the session cookie of a user who may change something ends on its day, on a display too', async () => {
    dealer = await host.login();
    const { user_id } = await dealer.ask(userRoutes.create, {
      body: { login: 'omar', password: dealerPassword, rights: { notifications: 'write' } },
    });
    const answer = await host.anybody.post('/auth/login', { login: 'omar', password: dealerPassword });
    clock.advance(60_000);
    const pair = pairOf(answer.headers.get('set-cookie') ?? '');
    const renewed = await host.anybody.post('/auth/refresh?unattended=1', undefined, {
      Cookie: pair,
      Origin,
    });
    expect([renewed.status, renewed.headers.has('set-cookie')]).toEqual([200, false]);
    await dealer.ask(userRoutes.remove, { params: { user_id } });
  });

  it('the session cookie is found among others', async () => {
    const answer = await refresh({ Cookie: `a=b; ${Cookie}; fleetdeck_other=x`, Origin });
    expect(answer.status).toBe(200);
  });

  it('the session cookie counts for nothing when the header is there', async () => {
    const answer = await refresh({ Cookie, Origin, 'Authorization-Refresh': 'JWT x.y.z' });
    expect(answer).toMatchObject({ status: 401, code: 'jwt_invalid' });
  });

  it('the session cookie is not accepted without an Origin', async () => {
    expect(await refresh({ Cookie })).toMatchObject({ status: 401, code: 'jwt_missing' });
  });

  it.each([
    ['a page on another port of this machine', 'http://127.0.0.1:1'],
    ['a page of another scheme', 'https://127.0.0.1'],
    ['a page elsewhere', 'http://example.test'],
    ['a page without an origin', 'null'],
  ])('the session cookie is not accepted from %s', async (_, foreign) => {
    expect(await refresh({ Cookie, Origin: foreign })).toMatchObject({
      status: 403,
      code: 'origin_not_allowed',
    });
  });

  it('the session cookie is read by no other call', async () => {
    for (const [method, path] of [
      ['GET', '/api/v1/me'],
      ['GET', '/api/v1/stream'],
      ['POST', '/auth/logout'],
      ['GET', '/service/vsvc/api/tasks'],
    ] as const) {
      const answer = await host.anybody.call(method, path, undefined, { Cookie, Origin });
      expect(answer).toMatchObject({ status: 401, code: 'jwt_missing' });
    }
  });

  it('the session cookie is no JWT', async () => {
    const value = Cookie.slice(Cookie.indexOf('=') + 1);
    expect(await callerFor(host.url, value).outcome(userRoutes.me)).toBe('401 jwt_invalid');
    expect(await refresh({ 'Authorization-Refresh': value })).toMatchObject({ code: 'jwt_invalid' });
  });

  it('a JWT is not accepted as a session cookie', async () => {
    const { jwt } = await host.login('anna');
    const name = Cookie.slice(0, Cookie.indexOf('='));
    expect(await refresh({ Cookie: `${name}=${jwt}`, Origin })).toMatchObject({
      status: 401,
      code: 'jwt_invalid',
    });
  });

  it('the session cookie is worth nothing once its session has ended', async () => {
    const answer = await refresh({ Cookie, Origin });
    await callerFor(host.url, authRoutes.refresh.reply.parse(answer.body).jwt).ask(authRoutes.logout);
    expect(await refresh({ Cookie, Origin })).toMatchObject({ status: 401, code: 'session_revoked' });
  });
});
