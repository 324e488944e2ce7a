import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStores } from '../../../server/app/openStores.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { userRecord } from '../../../server/users/userRecord.ts';
import { createUsers, type Users } from '../../../server/users/users.ts';
import { createFakeClock, type FakeClock } from '../../support/fakeClock.ts';
import { quickHash } from '../../support/quickHash.ts';
import { callerFor, startTestHost, type TestHost } from '../../support/testHost.ts';

const by = { kind: 'user', id: 'npm run dealer' } as const;

let clock: FakeClock;
let host: TestHost;
beforeEach(async () => {
  clock = createFakeClock();
  host = await startTestHost({ clock, users: [{ login: 'anna' }] });
});
afterEach(() => host.close());

/** Changes Anna's record alone, as a host does that is killed before it deletes her sessions; then starts again. */
async function killedAfter(change: (users: Users, annaId: string) => Promise<unknown>): Promise<void> {
  await host.stop();
  const stores = await openStores(host.data, clock, pino({ level: 'silent' }));
  const users = createUsers({
    collection: stores.collections.users,
    groupExists: () => true,
    makeGroup: () => {
      throw new Error('no user is added');
    },
    hash: (password) => Promise.resolve(quickHash(password)),
  });
  await change(users, users.byLogin('anna')?.user_id ?? '');
  await stores.close();
  host = await startTestHost({ clock, data: host.data });
}
const me = (jwt: string) => callerFor(host.url, jwt).outcome(userRoutes.me);
const refresh = async (jwt: string) =>
  (await host.anybody.post('/auth/refresh', undefined, { 'Authorization-Refresh': jwt })).code ?? 'refreshed';

describe('sessions that a killed host could not delete', () => {
  it('sessions that a killed host could not delete stay ended after a block, also when the user is unblocked', async () => {
    const { jwt } = await host.login('anna');
    clock.advance(1);
    await killedAfter(async (users, id) => {
      await users.setBlocked(id, true);
      await users.setBlocked(id, false);
    });
    expect([await me(jwt), await refresh(jwt)]).toEqual(['401 session_revoked', 'session_revoked']);
    expect(await me((await host.login('anna')).jwt)).toBe(200);
  });

  it('sessions that a killed host could not delete stay ended after a new password', async () => {
    const { jwt } = await host.login('anna');
    clock.advance(1);
    await killedAfter((users, id) => users.patch(id, { password: 'another password' }, null, by));
    expect([await me(jwt), await refresh(jwt)]).toEqual(['401 session_revoked', 'session_revoked']);
    expect(await me((await host.login('anna', 'another password')).jwt)).toBe(200);
  });

  it('sessions that a killed host could not delete stay when something else of the user changes', async () => {
    const { jwt } = await host.login('anna');
    clock.advance(1);
    await killedAfter((users, id) => users.patch(id, { name: 'Anna' }, null, by));
    expect(await me(jwt)).toBe(200);
  });
});

describe('the time from which sessions count', () => {
  it('the time from which sessions count is not shown to any user', async () => {
    const dealer = await host.login();
    expect((await dealer.get(userRoutes.list.path)).text).not.toContain('sessions_since');
    expect((await dealer.get(userRoutes.me.path)).text).not.toContain('sessions_since');
  });

  it('the time from which sessions count locks no user out when the clock is put back', async () => {
    const day_ms = 86_400_000;
    clock.advance(day_ms);
    await killedAfter((users, id) => users.patch(id, { password: 'another password' }, null, by));
    await host.stop();
    clock = createFakeClock();
    host = await startTestHost({ clock, data: host.data });
    expect(await me((await host.login('anna', 'another password')).jwt)).toBe(200);
  });

  it('the time from which sessions count need not be in a document of an earlier version', () => {
    const at = '2026-11-21T04:43:00.000Z';
    const stamps = { version: 1, created_at: at, updated_at: at };
    const anna = {
      ...{ user_id: 'a', login: 'anna', name: null, email: null, role: 'user', rights: {} },
      ...{ group_ids: [], blocked: false, password_hash: '', ...stamps },
    };
    expect(userRecord.parse(anna).sessions_since).toBe('1970-01-01T00:00:00.000Z');
  });
});
