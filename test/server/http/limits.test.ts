import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { healthRoutes } from '../../../server/contract/health.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { contractLimits } from '../../../server/http/rateLimit.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import {
  callerFor,
  dealerPassword,
  startTestHost,
  type Answer,
  type Caller,
  type TestHost,
} from '../../support/testHost.ts';
import { openRaw } from '../../support/rawConnection.ts';
import { openStream } from '../../support/streamReader.ts';

const clock = createFakeClock();
const minute = 60_000;
let host: TestHost;
let anna: Caller;
let boris: Caller;
beforeAll(async () => {
  // JWTs that outlive the tests, which move the clock by many minutes.
  host = await startTestHost({
    clock,
    limits: contractLimits,
    users: [{ login: 'anna' }, { login: 'boris' }],
    settings: { jwtTtlS: 86_400 },
  });
  [anna, boris] = [await host.login('anna'), await host.login('boris')];
});
afterAll(() => host.close());
beforeEach(() => clock.advance(minute));

const me = (caller: Caller) => caller.get('/api/v1/me');
const times = (count: number, call: () => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, call));
const login = (password: string) => host.anybody.post('/auth/login?jwt=1', { login: 'anna', password });
const refresh = (jwt: string) =>
  host.anybody.post('/auth/refresh', undefined, { 'Authorization-Refresh': jwt });

/** How many answers there were of each status. */
function statuses(answers: readonly Answer[]): Record<number, number> {
  const counted: Record<number, number> = {};
  for (const { status } of answers) counted[status] = (counted[status] ?? 0) + 1;
  return counted;
}

function rateOf({ headers }: Answer) {
  const number = (name: string) => (headers.has(name) ? Number(headers.get(name)) : null);
  return {
    limit: number('ratelimit-limit'),
    remaining: number('ratelimit-remaining'),
    reset: number('ratelimit-reset'),
    retryAfter: number('retry-after'),
  };
}

describe('180 authorized calls of a user in any 60 seconds', () => {
  it('180 authorized calls of a user in any 60 seconds are counted down in the headers of every answer, whatever its status', async () => {
    expect(rateOf(await me(anna))).toEqual({ limit: 180, remaining: 179, reset: 60, retryAfter: null });
    clock.advance(15_500);
    expect(rateOf(await anna.get('/api/v1/nothing'))).toMatchObject({ remaining: 178, reset: 45 });
    expect(rateOf(await anna.get('/api/v1/users'))).toMatchObject({ remaining: 177 });
  });

  it('180 authorized calls of a user in any 60 seconds are answered, the next is refused and says when to come again', async () => {
    expect(statuses(await times(180, () => me(anna)))).toEqual({ 200: 180 });
    clock.advance(20_000);
    const refused = await me(anna);
    expect(refused).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(refused.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(rateOf(refused)).toEqual({ limit: 180, remaining: 0, reset: 40, retryAfter: 40 });
  });

  it('180 authorized calls of a user in any 60 seconds count per user: another one goes on', async () => {
    await times(181, () => me(anna));
    expect((await me(boris)).status).toBe(200);
  });

  it('180 authorized calls of a user in any 60 seconds count together whatever the session', async () => {
    const second = await host.login('anna');
    await times(100, () => me(anna));
    expect(statuses(await times(100, () => me(second)))).toEqual({ 200: 80, 429: 20 });
  });

  it('180 authorized calls of a user in any 60 seconds are not counted by the minute of the clock', async () => {
    await times(90, () => me(anna));
    clock.advance(30_000);
    await times(90, () => me(anna));
    for (let passed = 30_000; passed < minute - 1; passed += 9_999) {
      expect((await me(anna)).status).toBe(429);
      clock.advance(9_999);
    }
    clock.advance(minute - 30_000 - 4 * 9_999);
    expect(statuses(await times(100, () => me(anna)))).toEqual({ 200: 90, 429: 10 });
    clock.advance(29_999);
    expect((await me(anna)).status).toBe(429);
    clock.advance(1);
    expect((await me(anna)).status).toBe(200);
  });

  it('180 authorized calls of a user in any 60 seconds are free again when the oldest counted is 60 s old, to the millisecond, since refused ones count nothing', async () => {
    await times(180, () => me(anna));
    clock.advance(minute - 1);
    expect(statuses(await times(50, () => me(anna)))).toEqual({ 429: 50 });
    clock.advance(1);
    expect(statuses(await times(180, () => me(anna)))).toEqual({ 200: 180 });
  });

  it('180 authorized calls of a user in any 60 seconds include calls with an expired JWT, which get 401 until then and can still refresh', async () => {
    const stale = await host.login('anna');
    clock.advance(86_400_000);
    expect(statuses(await times(179, () => me(stale)))).toEqual({ 401: 179 });
    const renewed = await refresh(stale.jwt);
    expect(renewed.status).toBe(200);
    expect(rateOf(renewed)).toMatchObject({ limit: 180, remaining: 0 });
    expect((await me(stale)).status).toBe(429);
    expect((await refresh(stale.jwt)).status).toBe(429);
    [anna, boris] = [await host.login('anna'), await host.login('boris')];
  });

  it('180 authorized calls of a user in any 60 seconds count an open stream once', async () => {
    const stream = await openStream(host.url, anna);
    expect(rateOf(await me(anna))).toMatchObject({ remaining: 178 });
    stream.close();
  });
});

describe('60 unauthorized calls of an address in any 60 seconds', () => {
  it('60 unauthorized calls of an address in any 60 seconds are answered, the next is refused, logins included, and genuine JWTs go on', async () => {
    const answers = await times(61, () => me(host.anybody));
    expect(statuses(answers)).toEqual({ 401: 60, 429: 1 });
    expect(rateOf(answers[0] ?? (await me(anna)))).toMatchObject({ limit: 60 });
    expect(await login(dealerPassword)).toMatchObject({ status: 429, code: 'rate_limited' });
    expect((await me(anna)).status).toBe(200);
    expect((await refresh(anna.jwt)).status).toBe(200);
    clock.advance(minute - 1);
    expect(rateOf(await me(host.anybody))).toMatchObject({ limit: 60, remaining: 0, retryAfter: 1 });
    clock.advance(1);
    expect((await login(dealerPassword)).status).toBe(200);
  });

  it('60 unauthorized calls of an address in any 60 seconds are all that bear no genuine JWT of a live session, to whatever path of the API', async () => {
    const forged = callerFor(host.url, `${anna.jwt.slice(0, -4)}AAAA`);
    const left = async (answer: Promise<Answer>) => rateOf(await answer).remaining;
    expect(await left(me(host.anybody))).toBe(59);
    expect(await left(me(forged))).toBe(58);
    expect(await left(host.anybody.get('/service/nothing'))).toBe(57);
    expect(await left(host.anybody.call('PUT', '/auth/login'))).toBe(56);
    expect(await left(host.anybody.post('/auth/login', 'no JSON'))).toBe(55);
    expect(await left(host.anybody.get('/API/V1/ME'))).toBe(54);
    expect(await left(anna.post('/auth/login?jwt=1', { login: 'anna', password: dealerPassword }))).toBe(53);
  });

  it('60 unauthorized calls of an address in any 60 seconds leave out the files of the console, its health, the documents and the intake', async () => {
    const paths = ['/', '/assets/none.js', '/none', '/docs', '/openapi.json', healthRoutes.health.path];
    for (const path of paths) {
      const answers = await times(15, () => host.anybody.get(path));
      expect(answers.map(rateOf)).toContainEqual({
        limit: null,
        remaining: null,
        reset: null,
        retryAfter: null,
      });
      expect(statuses(answers)).not.toHaveProperty('429');
    }
    const intake = callerFor(host.intakeUrl, '');
    await times(30, () => intake.get('/?id=nobody&lat=1&lon=1', { 'User-Agent': 'terminal' }));
    expect(rateOf(await me(host.anybody))).toMatchObject({ remaining: 59 });
  });
});

it('an idle connection is kept for 65 s, longer than browsers and proxies keep theirs', async () => {
  const connection = openRaw(host.url);
  for (let request = 0; request < 2; request += 1) {
    connection.write(`GET ${healthRoutes.health.path} HTTP/1.1\r\nHost: ${new URL(host.url).host}\r\n\r\n`);
    const { status, headers } = await connection.answer();
    expect([status, headers['keep-alive']]).toEqual([200, 'timeout=65']);
  }
  connection.close();
});

describe.skipIf(process.platform !== 'linux')('another address', () => {
  it('another address is counted apart, for calls and for attempts', async () => {
    const connection = openRaw(host.url, '127.0.0.2');
    const head = [`Host: ${new URL(host.url).host}`, 'Content-Length: 0', '', ''];
    const send = async (line: string) => {
      connection.write([line, ...head].join('\r\n'));
      const { status, headers } = await connection.answer();
      return { status, remaining: headers['ratelimit-remaining'] };
    };
    await times(60, () => me(host.anybody));
    expect(await send('GET /api/v1/me HTTP/1.1')).toEqual({ status: 401, remaining: '59' });
    clock.advance(minute);
    await times(10, () => refresh('no token'));
    expect(await send('POST /auth/refresh HTTP/1.1')).toEqual({ status: 401, remaining: '9' });
    connection.close();
  });
});

describe('10 unsuccessful authorization attempts of an address in any 60 seconds', () => {
  const wrong = () => login('not the password');

  it('10 unsuccessful authorization attempts of an address in any 60 seconds are answered 401, and then not even the right password is looked at', async () => {
    for (let attempt = 1; attempt <= 9; attempt += 1) {
      const answer = await wrong();
      expect(answer.status).toBe(401);
      expect(rateOf(answer)).toMatchObject({ limit: 10, remaining: 10 - attempt });
    }
    expect((await refresh('no token')).status).toBe(401);
    const refused = await login(dealerPassword);
    expect(refused).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(rateOf(refused)).toEqual({ limit: 10, remaining: 0, reset: 60, retryAfter: 60 });
  });

  it('10 unsuccessful authorization attempts of an address in any 60 seconds block all unauthorized calls of the address, and no genuine JWT', async () => {
    await times(10, () => refresh('no token'));
    expect((await me(host.anybody)).status).toBe(429);
    expect((await me(anna)).status).toBe(200);
    expect((await refresh(anna.jwt)).status).toBe(200);
  });

  it('10 unsuccessful authorization attempts of an address in any 60 seconds are no more when they all come at once', async () => {
    expect(statuses(await times(30, wrong))).toEqual({ 401: 10, 429: 20 });
    clock.advance(minute);
    expect(statuses(await times(30, () => refresh('no token')))).toEqual({ 401: 10, 429: 20 });
  });

  it('10 unsuccessful authorization attempts of an address in any 60 seconds end their block when the oldest is 60 s old: one more attempt then, not ten', async () => {
    await wrong();
    clock.advance(40_000);
    await times(9, wrong);
    clock.advance(19_999);
    expect((await login(dealerPassword)).status).toBe(429);
    clock.advance(1);
    expect((await wrong()).status).toBe(401);
    const refused = await wrong();
    expect(refused.status).toBe(429);
    expect(rateOf(refused)).toMatchObject({ reset: 40, retryAfter: 40 });
  });

  it('10 unsuccessful authorization attempts of an address in any 60 seconds are not what succeeds, nor what is malformed, nor a call without rights', async () => {
    await times(9, wrong);
    expect((await login(dealerPassword)).status).toBe(200);
    expect((await host.anybody.post('/auth/login?jwt=1', { login: 'anna' })).status).toBe(400);
    expect((await me(host.anybody)).status).toBe(401);
    expect(await anna.outcome(userRoutes.list)).toBe('403 forbidden');
    expect((await wrong()).status).toBe(401);
    expect((await wrong()).status).toBe(429);
  });
});
