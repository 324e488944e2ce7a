import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authRoutes, claims } from '../../../server/contract/auth.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { createPasswordHasher } from '../../../server/users/passwordHasher.ts';
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
  host = await startTestHost({
    clock,
    passwordHasher: createPasswordHasher(),
    users: [{ login: 'anna', rights: { video: 'read' } }],
  });
  dealer = await host.login();
});
afterAll(() => host.close());

const me = (jwt: string) => callerFor(host.url, jwt).outcome(userRoutes.me);

describe('POST /auth/login?jwt=1', () => {
  it('POST /auth/login?jwt=1 answers a JWT, when it expires, and the user, and sets no cookie', async () => {
    const answer = await host.anybody.post('/auth/login?jwt=1', { login: 'anna', password: dealerPassword });
    expect(answer.status).toBe(200);
    const granted = authRoutes.login.reply.parse(answer.body);
    expect(granted.user).toMatchObject({ login: 'anna', role: 'user', blocked: false });
    expect(granted.user).not.toHaveProperty('password_hash');
    expect(granted.expires_at).toBe(new Date(clock.now() + 1_800_000).toISOString());
    expect(answer.headers.has('set-cookie')).toBe(false);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('POST /auth/login?jwt=1 finds the login whatever its letter case', async () => {
    await expect(host.login('ANNA')).resolves.toBeDefined();
  });

  it('POST /auth/login?jwt=1 gives a JWT that states the user, the rights and the expiry', async () => {
    const { jwt } = await host.login('anna');
    expect(decodeProtectedHeader(jwt)).toMatchObject({ alg: 'HS256' });
    const said = claims.parse(decodeJwt(jwt));
    const user = await dealer.ask(userRoutes.list, { query: { q: 'anna' } });
    expect(said).toMatchObject({
      sub: user.items[0]?.user_id,
      role: 'user',
      rights: { vehicles: 'read', geofences: 'read', notifications: 'read', reports: 'read', video: 'read' },
      iat: clock.now() / 1000,
      exp: clock.now() / 1000 + 1_800,
    });
  });

  it('POST /auth/login?jwt=1 spells out all rights of a dealer', () => {
    expect(new Set(Object.values(claims.parse(decodeJwt(dealer.jwt)).rights))).toEqual(new Set(['write']));
  });

  it('POST /auth/login?jwt=1 answers a wrong password and a wrong login alike, byte for byte but for the request id', async () => {
    const texts = await Promise.all(
      [
        { login: 'anna', password: 'not the password' },
        { login: 'nobody', password: 'not the password' },
      ].map(async (body) => {
        const answer = await host.anybody.post('/auth/login?jwt=1', body);
        expect(answer).toMatchObject({ status: 401, code: 'credentials_invalid' });
        expect(answer.headers.get('www-authenticate')).toBe('JWT');
        return answer.text.replace(/"request_id":"[^"]*"/, '');
      }),
    );
    expect(texts[0]).toBe(texts[1]);
  });

  it('POST /auth/login?jwt=1 spends the same work on an unknown login', async () => {
    // Both run the whole key derivation; the seeded user is too quick to compare with, so a real one is made.
    await dealer.ask(userRoutes.create, { body: { login: 'bertha', password: 'bertha has a password' } });
    const milliseconds = async (login: string): Promise<number> => {
      const start = process.cpuUsage();
      await host.anybody.post('/auth/login?jwt=1', { login, password: 'not the password' });
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1_000;
    };
    const [known, unknown] = [await milliseconds('bertha'), await milliseconds('nobody')];
    // 128 MiB of scrypt are hundreds of milliseconds; a short cut would be next to none.
    expect(unknown / known).toBeGreaterThan(0.3);
    expect(unknown / known).toBeLessThan(3);
  });

  it.each([
    ['no login', { password: dealerPassword }],
    ['a number for a password', { login: 'anna', password: 1 }],
    ['a field that is not known', { login: 'anna', password: dealerPassword, remember: true }],
    ['a list', []],
    ['null', 'null'],
  ])('POST /auth/login?jwt=1 answers 400 to %s', async (_, body) => {
    const answer = await host.anybody.post('/auth/login?jwt=1', body);
    expect(answer).toMatchObject({ status: 400, code: 'validation_failed' });
  });
});

describe('a JWT', () => {
  it('a JWT is good until the very second of its exp and not one millisecond longer', async () => {
    const { jwt } = await host.login('anna');
    const { exp = 0 } = decodeJwt(jwt);
    clock.advance(exp * 1_000 - 1 - clock.now());
    expect(await me(jwt)).toBe(200);
    clock.advance(1);
    expect(await me(jwt)).toBe('401 jwt_expired');
    dealer = await host.login();
  });

  it('a JWT is asked for in the header Authorization as the word JWT, one space and the token', async () => {
    const { jwt } = await host.login('anna');
    const outcome = async (value: string) =>
      (await host.anybody.get('/api/v1/me', { Authorization: value })).code ?? 200;
    expect(await outcome(`JWT ${jwt}`)).toBe(200);
    expect(await outcome(jwt)).toBe('jwt_invalid');
    expect(await outcome(`Bearer ${jwt}`)).toBe('jwt_invalid');
    expect(await outcome(`JWT  ${jwt}`)).toBe('jwt_invalid');
    expect(await outcome(`JWT ${jwt} x`)).toBe('jwt_invalid');
    expect(await host.anybody.outcome(userRoutes.me)).toBe('401 jwt_missing');
  });

  it('a JWT is not taken from the query', async () => {
    const { jwt } = await host.login('anna');
    expect(await host.anybody.get(`/api/v1/me?jwt=${jwt}`)).toMatchObject({
      status: 401,
      code: 'jwt_missing',
    });
  });

  describe('a session token of another host', () => {
    let key: Uint8Array;
    let genuine: ReturnType<typeof claims.parse>;
    beforeAll(async () => {
      key = Buffer.from((await readFile(join(host.data, 'jwt.key'), 'utf8')).trim(), 'base64url');
      genuine = claims.parse(decodeJwt((await host.login('anna')).jwt));
    });

    const signed = (payload: object, alg: string, by: Uint8Array) =>
      new SignJWT({ ...payload }).setProtectedHeader({ alg, typ: 'JWT' }).sign(by);
    const unsigned = (header: object, payload: object) =>
      [...[header, payload].map((it) => Buffer.from(JSON.stringify(it)).toString('base64url')), ''].join('.');

    it('the same claims by the right key are accepted', async () => {
      expect(await me(await signed(genuine, 'HS256', key))).toBe(200);
    });

    it.each<[string, () => Promise<string> | string]>([
      ['signed with another key', () => signed(genuine, 'HS256', new Uint8Array(32))],
      ['with no signature (alg none)', () => unsigned({ alg: 'none', typ: 'JWT' }, genuine)],
      ['with a signature cut off', async () => (await signed(genuine, 'HS256', key)).replace(/[^.]+$/, '')],
      ['signed with HS512', () => signed(genuine, 'HS512', Buffer.concat([key, key]))],
      ['of another installation', () => signed({ ...genuine, iss: 'fleetdeck:other' }, 'HS256', key)],
      ['for another audience', () => signed({ ...genuine, aud: 'fleetdeck-web' }, 'HS256', key)],
      ['without an expiry', () => signed({ ...genuine, exp: undefined }, 'HS256', key)],
      ['cut short', async () => (await signed(genuine, 'HS256', key)).slice(0, -1)],
      [
        'with changed claims',
        async () => {
          const [head, , signature] = (await signed(genuine, 'HS256', key)).split('.');
          const claimsText = Buffer.from(JSON.stringify({ ...genuine, role: 'dealer' })).toString(
            'base64url',
          );
          return `${head ?? ''}.${claimsText}.${signature ?? ''}`;
        },
      ],
      ['that is no token at all', () => 'x'],
    ])('%s', async (_, make) => {
      expect(await me(await make())).toBe('401 jwt_invalid');
    });

    it('a token of a session that never was is refused', async () => {
      const made = { ...genuine, sid: '00000000-0000-4000-8000-000000000000' };
      expect(await me(await signed(made, 'HS256', key))).toBe('401 session_revoked');
    });

    it('a token that claims more gives no more than the rights of its user', async () => {
      const made = callerFor(host.url, await signed({ ...genuine, role: 'dealer' }, 'HS256', key));
      expect(await made.outcome(userRoutes.list)).toBe('403 forbidden');
      expect((await made.ask(userRoutes.me)).role).toBe('user');
    });

    it('a token signed by a session of another user is refused', async () => {
      const other = claims.parse(decodeJwt(dealer.jwt));
      expect(await me(await signed({ ...genuine, sid: other.sid }, 'HS256', key))).toBe(
        '401 session_revoked',
      );
    });
  });
});
