import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authRoutes } from '../../../server/contract/auth.ts';
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
let user_id: string;
beforeAll(async () => {
  host = await startTestHost({ clock, users: [{ login: 'anna' }, { login: 'boris' }, { login: 'clara' }] });
  dealer = await host.login();
  user_id = await idOf('anna');
});
afterAll(() => host.close());

const me = (caller: Caller) => caller.outcome(userRoutes.me);
const refresh = async ({ jwt }: Caller) =>
  (await host.anybody.post('/auth/refresh', undefined, { 'Authorization-Refresh': jwt })).code ?? 'refreshed';
const login = async (name: string, password: string) => {
  const { status, code } = await host.anybody.post('/auth/login?jwt=1', { login: name, password });
  return code === undefined ? status : `${status} ${code}`;
};
const idOf = async (name: string) => (await (await host.login(name)).ask(userRoutes.me)).user_id;

async function expectEnded(caller: Caller): Promise<void> {
  expect(await me(caller)).toBe('401 session_revoked');
  expect(await refresh(caller)).toBe('session_revoked');
}

describe('logging out', () => {
  it('logging out ends this session and no other of the user, and takes the cookie away', async () => {
    const [here, there] = [await host.login('anna'), await host.login('anna')];
    const answer = await here.post('/auth/logout');
    expect(answer.status).toBe(204);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^fleetdeck_\w+=; Max-Age=0; Path=\/auth; HttpOnly; SameSite=Strict$/,
    );
    await expectEnded(here);
    expect(await me(there)).toBe(200);
  });

  it('logging out needs a JWT', async () => {
    expect(await host.anybody.outcome(authRoutes.logout)).toBe('401 jwt_missing');
  });
});

describe('the sessions of a user', () => {
  it('the sessions of a user are listed with their beginning, last refresh, end, address and program', async () => {
    const boris = await idOf('boris');
    await dealer.ask(userRoutes.revokeSessions, { params: { user_id: boris } });
    const begun = clock.now();
    const { jwt } = await host.login('boris');
    clock.advance(60_000);
    await host.anybody.post('/auth/refresh', undefined, { 'Authorization-Refresh': jwt });
    const { items } = await dealer.ask(userRoutes.sessions, { params: { user_id: boris } });
    expect(items).toMatchObject([
      {
        user_id: boris,
        created_at: new Date(begun).toISOString(),
        last_seen_at: new Date(begun + 60_000).toISOString(),
        expires_at: new Date(begun + 30 * 86_400_000).toISOString(),
        ip_address: '127.0.0.1',
        user_agent: expect.any(String) as string,
      },
    ]);
  });

  it('the sessions of a user are ended by a dealer one by one or all together, at once', async () => {
    const callers = await Promise.all([1, 2, 3].map(() => host.login('anna')));
    const before = await dealer.ask(userRoutes.sessions, { params: { user_id } });
    const [first] = before.items;
    await dealer.ask(userRoutes.revokeSessions, {
      params: { user_id },
      query: { session_id: first?.session_id },
    });
    const left = await dealer.ask(userRoutes.sessions, { params: { user_id } });
    expect(left.items).toEqual(before.items.slice(1));
    await dealer.ask(userRoutes.revokeSessions, { params: { user_id } });
    for (const caller of callers) await expectEnded(caller);
    expect((await dealer.ask(userRoutes.sessions, { params: { user_id } })).items).toEqual([]);
    expect(await me(await host.login('anna'))).toBe(200);
  });

  it('the sessions of a user are not ended by naming them under the wrong user', async () => {
    const clara = await host.login('clara');
    const { items } = await dealer.ask(userRoutes.sessions, { params: { user_id: await idOf('clara') } });
    const query = { session_id: items[0]?.session_id };
    await dealer.ask(userRoutes.revokeSessions, { params: { user_id }, query });
    expect(await me(clara)).toBe(200);
  });

  it('sessions and their end are still known after a restart', async () => {
    const [kept, ended] = [await host.login('clara'), await host.login('clara')];
    await ended.ask(authRoutes.logout);
    await host.stop();
    host = await startTestHost({ clock, data: host.data });
    dealer = await host.login();
    expect(await me(callerFor(host.url, kept.jwt))).toBe(200);
    await expectEnded(callerFor(host.url, ended.jwt));
  });
});

describe('a blocked user', () => {
  it('a blocked user gets 403 user_blocked with the right password, and with a wrong one what everybody gets', async () => {
    await dealer.ask(userRoutes.block, { params: { user_id } });
    expect(await login('anna', dealerPassword)).toBe('403 user_blocked');
    expect(await login('anna', 'not the password')).toBe('401 credentials_invalid');
    await dealer.ask(userRoutes.unblock, { params: { user_id } });
  });

  it('a blocked user loses its sessions at once, and unblocking revives none', async () => {
    const anna = await host.login('anna');
    await dealer.ask(userRoutes.block, { params: { user_id } });
    await expectEnded(anna);
    await dealer.ask(userRoutes.unblock, { params: { user_id } });
    await expectEnded(anna);
    expect(await me(await host.login('anna'))).toBe(200);
  });
});

describe('a new password', () => {
  it('a new password ends all sessions of the user, and the old one is good no longer', async () => {
    const anna = await host.login('anna');
    await dealer.ask(userRoutes.patch, { params: { user_id }, body: { password: 'a new one for anna' } });
    await expectEnded(anna);
    expect(await login('anna', dealerPassword)).toBe('401 credentials_invalid');
    expect(await login('anna', 'a new one for anna')).toBe(200);
  });

  it('a new password leaves no session to logins with the old one that were under way', async () => {
    const attempts = [1, 2, 3].map(() =>
      host.anybody.post('/auth/login?jwt=1', { login: 'anna', password: 'a new one for anna' }),
    );
    await dealer.ask(userRoutes.patch, { params: { user_id }, body: { password: 'the third of anna' } });
    for (const { status, body } of await Promise.all(attempts)) {
      if (status !== 200) continue;
      await expectEnded(callerFor(host.url, authRoutes.login.reply.parse(body).jwt));
    }
    expect((await dealer.ask(userRoutes.sessions, { params: { user_id } })).items).toEqual([]);
  });

  it('a new password cannot be set to nothing', async () => {
    const anna = await host.login('anna', 'the third of anna');
    const answer = await dealer.call('PATCH', `/api/v1/users/${user_id}`, { password: null });
    expect(answer).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(await me(anna)).toBe(200);
  });
});

describe('any other change of a user', () => {
  it('any other change of a user leaves its sessions alive, with the new rights at once', async () => {
    const boris = await host.login('boris');
    const params = { user_id: await idOf('boris') };
    await dealer.ask(userRoutes.patch, { params, body: { role: 'dealer' } });
    expect(await boris.outcome(userRoutes.list)).toBe(200);
    await dealer.ask(userRoutes.patch, { params, body: { role: 'user' } });
    expect(await boris.outcome(userRoutes.list)).toBe('403 forbidden');
  });
});

describe('a deleted user', () => {
  it('a deleted user is out at once', async () => {
    const clara = await host.login('clara');
    await dealer.ask(userRoutes.remove, { params: { user_id: await idOf('clara') } });
    await expectEnded(clara);
    expect(await login('clara', dealerPassword)).toBe('401 credentials_invalid');
  });
});
