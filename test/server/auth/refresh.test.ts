import { execFile } from 'node:child_process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authRoutes, type LoginResponse } from '../../../server/contract/auth.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { openRaw, sendRaw, type RawAnswer } from '../../support/rawConnection.ts';
import { callerFor, startTestHost, type TestHost } from '../../support/testHost.ts';

const clock = createFakeClock();
const run = promisify(execFile);
const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
);

let host: TestHost;
let hostName: string;
beforeAll(async () => {
  host = await startTestHost({ clock, users: [{ login: 'anna' }] });
  hostName = new URL(host.url).host;
});
afterAll(() => host.close());

const me = (jwt: string) => callerFor(host.url, jwt).outcome(userRoutes.me);
const login = async () => (await host.login('anna')).jwt;
const refresh = (value: string) =>
  host.anybody.post('/auth/refresh', undefined, { 'Authorization-Refresh': value });
const head = (...fields: string[]) => ['POST /auth/refresh HTTP/1.1', `Host: ${hostName}`, ...fields];
const spaced = (jwt: string) => head(`Authorization refresh: JWT ${jwt}`, 'Content-Length: 0');

async function expectNewJwt({ status, body }: Pick<RawAnswer, 'status' | 'body'>): Promise<LoginResponse> {
  expect({ status, body }).toMatchObject({ status: 200 });
  const granted = authRoutes.refresh.reply.parse(JSON.parse(body));
  expect(granted.user.login).toBe('anna');
  expect(await me(granted.jwt)).toBe(200);
  return granted;
}

describe('POST /auth/refresh with the header "Authorization refresh", as the document writes it', () => {
  it('POST /auth/refresh with the header "Authorization refresh", as the document writes it answers a new JWT that lives as long as the first did', async () => {
    const jwt = await login();
    clock.advance(600_000);
    const granted = await expectNewJwt(await sendRaw(host.url, spaced(jwt)));
    expect(granted.expires_at).toBe(new Date(clock.now() + 1_800_000).toISOString());
  });

  it('a refresh with the header works after the JWT has expired, and leaves the old one expired', async () => {
    const jwt = await login();
    clock.advance(1_800_000);
    expect(await me(jwt)).toBe('401 jwt_expired');
    await expectNewJwt(await sendRaw(host.url, spaced(jwt)));
    expect(await me(jwt)).toBe('401 jwt_expired');
  });

  it('a refresh with the header works as the second request of one connection', async () => {
    const connection = openRaw(host.url);
    const jwt = await login();
    connection.write(
      [`GET /api/v1/me HTTP/1.1`, `Host: ${hostName}`, `Authorization: JWT ${jwt}`, '', ''].join('\r\n'),
    );
    expect((await connection.answer()).status).toBe(200);
    connection.write([...spaced(jwt), '', ''].join('\r\n'));
    const { jwt: second } = await expectNewJwt(await connection.answer());
    connection.write([...spaced(second), '', ''].join('\r\n'));
    await expectNewJwt(await connection.answer());
    connection.close();
  });

  it('POST /auth/refresh with the header "Authorization refresh", as the document writes it when packets split the header at every place', async () => {
    const connection = openRaw(host.url);
    const text = [...spaced(await login()), '', ''].join('\r\n');
    for (const byte of text) {
      connection.write(byte);
      await new Promise(setImmediate);
    }
    await expectNewJwt(await connection.answer());
    connection.close();
  });

  it.skipIf(!hasCurl)('a refresh with the header works as curl sends it', async () => {
    const { stdout } = await run('curl', [
      ...['--silent', '--request', 'POST', '--header', `Authorization refresh: JWT ${await login()}`],
      `${host.url}/auth/refresh`,
    ]);
    await expectNewJwt({ status: 200, body: stdout });
  });

  it('a refresh with the header works in any letter case, and without the word JWT', async () => {
    await expectNewJwt(await sendRaw(host.url, head(`AUTHORIZATION REFRESH: ${await login()}`)));
  });

  it('POST /auth/refresh with the header "Authorization refresh", as the document writes it is understood for this operation alone', async () => {
    const lines = [
      `GET /api/v1/me HTTP/1.1`,
      `Host: ${hostName}`,
      `Authorization refresh: JWT ${await login()}`,
    ];
    expect((await sendRaw(host.url, lines)).status).toBe(400);
  });
});

describe('POST /auth/refresh', () => {
  it('POST /auth/refresh takes Authorization-Refresh from clients that cannot send a space', async () => {
    const jwt = await login();
    for (const value of [jwt, `JWT ${jwt}`, `jwt ${jwt}`]) {
      const { status, text } = await refresh(value);
      await expectNewJwt({ status, body: text });
    }
  });

  it('POST /auth/refresh takes a JWT that was itself refreshed, again and again, and the first one still', async () => {
    const first = await login();
    let jwt = first;
    for (let round = 0; round < 5; round += 1) {
      clock.advance(1_700_000);
      const { status, text } = await refresh(jwt);
      ({ jwt } = await expectNewJwt({ status, body: text }));
    }
    const { status, text } = await refresh(first);
    await expectNewJwt({ status, body: text });
  });

  it('POST /auth/refresh works up to the last millisecond of the thirtieth day and then answers 401 session_expired', async () => {
    const jwt = await login();
    for (let day = 1; day < 30; day++) {
      clock.advance(86_400_000);
      // So many timers take seconds: connections that close meanwhile are seen to close.
      await nextTurn();
    }
    clock.advance(86_400_000 - 1);
    await nextTurn();
    const answer = await refresh(jwt);
    const { jwt: late } = await expectNewJwt({ status: answer.status, body: answer.text });
    clock.advance(1);
    expect(await refresh(jwt)).toMatchObject({ status: 401, code: 'session_expired' });
    expect(await me(late)).toBe('401 session_expired');
  });

  it('POST /auth/refresh does not take the JWT in the ordinary header', async () => {
    const answer = await callerFor(host.url, await login()).post('/auth/refresh');
    expect(answer).toMatchObject({ status: 401, code: 'jwt_missing' });
  });

  it.each(['', 'JWT', 'JWT x.y.z', 'nonsense'])(
    'POST /auth/refresh answers 401 to the token "%s"',
    async (value) => {
      expect(await refresh(value)).toMatchObject({ status: 401, code: 'jwt_invalid' });
    },
  );

  it.each([
    ['{}', 'application/json'],
    ['{"jwt":', 'application/json'],
    ['a=b', 'application/x-www-form-urlencoded'],
  ])('POST /auth/refresh does not mind the body %s of the type %s', async (body, type) => {
    const headers = { 'Authorization-Refresh': await login(), 'Content-Type': type };
    const answer = await host.anybody.post('/auth/refresh', body, headers);
    await expectNewJwt({ status: answer.status, body: answer.text });
  });

  it('POST /auth/refresh returns the user as it is now', async () => {
    const jwt = await login();
    const dealer = await host.login();
    const { user_id } = await callerFor(host.url, jwt).ask(userRoutes.me);
    await dealer.ask(userRoutes.patch, {
      params: { user_id },
      body: { name: 'Anna Nova', rights: { video: 'write' } },
    });
    const granted = authRoutes.refresh.reply.parse((await refresh(jwt)).body);
    expect(granted.user).toMatchObject({ name: 'Anna Nova', rights: { video: 'write' } });
  });
});
