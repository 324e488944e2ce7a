import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { groupRoutes } from '../../../server/contract/groups.ts';
import { userRoutes, type NewUser } from '../../../server/contract/users.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

let host: TestHost;
let dealer: Caller;
let dealerId: string;
beforeAll(async () => {
  host = await startTestHost({
    users: [{ login: 'anna', rights: { video: 'read' } }, { login: 'boris' }, { login: 'clara' }],
  });
  dealer = await host.login();
  dealerId = (await dealer.ask(userRoutes.me)).user_id;
});
afterAll(() => host.close());

const password = 'a long password';
const create = (body: Partial<NewUser> & { login: string }) =>
  dealer.ask(userRoutes.create, { body: { password, ...body } });
const find = async (login: string) => {
  const { items } = await dealer.ask(userRoutes.list, { query: { q: login } });
  const user = items.find((it) => it.login === login);
  if (user === undefined) throw new Error(`there is no ${login}`);
  return user;
};
const patch = (user_id: string, body: object, headers: Record<string, string> = {}) =>
  dealer.outcome(userRoutes.patch, { params: { user_id }, body, headers });

describe('a new user', () => {
  it('a new dealer is answered with the rights in effect, which are all', async () => {
    const made = await create({ login: 'Dora', role: 'dealer' });
    expect(new Set(Object.values(made.rights))).toEqual(new Set(['write']));
    expect((await find('Dora')).rights).toEqual(made.rights);
    expect(await patch(made.user_id, { role: 'user' })).toBe(200);
    expect((await find('Dora')).rights).toMatchObject({ vehicles: 'read', video: 'none' });
  });

  it('a new user needs login and password alone, has the default rights, and a group of its name which it sees', async () => {
    const made = await create({ login: 'Dina' });
    expect(made).toMatchObject({
      login: 'Dina',
      name: null,
      email: null,
      role: 'user',
      rights: { vehicles: 'read', geofences: 'read', notifications: 'read', reports: 'read', video: 'none' },
      blocked: false,
      version: 1,
    });
    const { items } = await (await host.login('dina', password)).ask(groupRoutes.list);
    expect(items).toMatchObject([{ name: 'Dina', group_id: made.group_ids[0], user_ids: [made.user_id] }]);
  });

  it('a new user gets a group name (2), (3) and so on when the name is taken, whatever its letter case', async () => {
    await dealer.ask(groupRoutes.create, { body: { name: 'NIGHT SHIFT' } });
    const [first, second] = [
      await create({ login: 'night1', name: 'Night shift' }),
      await create({ login: 'night2', name: 'Night shift' }),
    ];
    const nameOf = async (group_id = '') =>
      (await dealer.ask(groupRoutes.get, { params: { group_id } })).name;
    expect(await nameOf(first.group_ids[0])).toBe('Night shift (2)');
    expect(await nameOf(second.group_ids[0])).toBe('Night shift (3)');
  });

  it('a new user is shown as it was made, and never its password', async () => {
    const group_ids = (await find('boris')).group_ids;
    const answer = await dealer.post('/api/v1/users', {
      login: 'elena',
      password,
      name: 'Elena',
      email: 'elena@depot.test',
      rights: { video: 'write' },
      group_ids,
    });
    expect(answer.status).toBe(201);
    expect(answer.text).not.toMatch(/scrypt|password/);
    const made = userRoutes.create.reply.parse(answer.body);
    expect(answer.headers.get('location')).toBe(`/api/v1/users/${made.user_id}`);
    expect(made.group_ids).toHaveLength(2);
    expect(made.group_ids).toContain(group_ids[0]);
    expect(await dealer.ask(userRoutes.get, { params: { user_id: made.user_id } })).toEqual(made);
  });

  it('a new user cannot have a login that is taken, whatever its letter case, not even when both are made at once', async () => {
    const answers = await Promise.all(
      ['twice', 'TWICE'].map((login) => dealer.outcome(userRoutes.create, { body: { login, password } })),
    );
    expect(answers.sort()).toEqual([201, '409 already_exists']);
    const groups = await dealer.ask(groupRoutes.list);
    expect(groups.items.filter((it) => /twice/i.test(it.name))).toHaveLength(1);
  });

  it.each([
    [{ login: 'two words' }, 'login'],
    [{ login: '' }, 'login'],
    [{ login: 'x'.repeat(65) }, 'login'],
    [{ login: 'short', password: '123456789' }, 'password'],
    [{ login: 'x', email: 'no address' }, 'email'],
    [{ login: 'x', role: 'boss' }, 'role'],
    [{ login: 'x', rights: { video: 'all' } }, 'rights.video'],
    [{ login: 'x', rights: { flying: 'read' } }, 'rights.flying'],
    [{ login: 'x', group_ids: ['00000000-0000-4000-8000-000000000000'] }, 'group_ids.0'],
    [{ login: 'x', blocked: true }, 'blocked'],
  ])('%j is refused, naming the field', async (body, path) => {
    const answer = await dealer.post('/api/v1/users', { password, ...body });
    expect(answer).toMatchObject({ status: 400, code: 'validation_failed', body: { errors: [{ path }] } });
  });
});

describe('changing a user', () => {
  it('changing a user merges rights, and puts back to its default what is null', async () => {
    const { user_id } = await find('anna');
    const changed = await dealer.ask(userRoutes.patch, {
      params: { user_id },
      body: { name: 'Anna', rights: { vehicles: 'write' } },
    });
    expect(changed).toMatchObject({
      name: 'Anna',
      rights: { vehicles: 'write', video: 'read', reports: 'read' },
      version: 2,
    });
    const back = await dealer.ask(userRoutes.patch, {
      params: { user_id },
      body: { name: null, rights: { video: null } },
    });
    expect(back).toMatchObject({ name: null, rights: { vehicles: 'write', video: 'none' }, version: 3 });
    expect(
      (await dealer.ask(userRoutes.patch, { params: { user_id }, body: { rights: null } })).rights.vehicles,
    ).toBe('read');
  });

  it('changing a user is refused with 412 when another change was quicker', async () => {
    const { user_id, version } = await find('anna');
    expect(await patch(user_id, { name: 'A' }, { 'If-Match': `"${version}"` })).toBe(200);
    expect(await patch(user_id, { name: 'B' }, { 'If-Match': `"${version}"` })).toBe('412 version_conflict');
    expect((await find('anna')).name).toBe('A');
    const stale = { params: { user_id }, headers: { 'If-Match': `"${version}"` } };
    expect(await dealer.outcome(userRoutes.remove, stale)).toBe('412 version_conflict');
  });

  it('changing a user cannot take a login that another user has, and can change the letter case of its own', async () => {
    const { user_id } = await find('boris');
    expect(await patch(user_id, { login: 'ANNA' })).toBe('409 already_exists');
    expect(await patch(user_id, { login: 'Boris' })).toBe(200);
    expect(await patch(user_id, { login: null })).toBe('400 validation_failed');
    expect(await patch(user_id, { group_ids: ['00000000-0000-4000-8000-000000000000'] })).toBe(
      '400 validation_failed',
    );
    expect(await patch(user_id, { login: 'boris' })).toBe(200);
  });

  it('changing a user is for dealers: no user raises its own rights', async () => {
    const anna = await host.login('anna');
    const { user_id } = await find('anna');
    expect(await anna.outcome(userRoutes.patch, { params: { user_id }, body: { role: 'dealer' } })).toBe(
      '403 forbidden',
    );
  });
});

describe('GET /me', () => {
  it('GET /me is the caller as the store has it, a dealer with all rights spelled out', async () => {
    expect(await dealer.ask(userRoutes.me)).toMatchObject({
      login: 'dealer',
      role: 'dealer',
      rights: {
        vehicles: 'write',
        geofences: 'write',
        notifications: 'write',
        reports: 'write',
        video: 'write',
      },
    });
    expect(await (await host.login('anna')).ask(userRoutes.me)).toEqual(await find('anna'));
  });
});

describe('the last active dealer', () => {
  it('the last active dealer can be neither blocked, demoted nor deleted, and a blocked dealer does not count', async () => {
    const { user_id } = await find('clara');
    expect(await patch(user_id, { role: 'dealer' })).toBe(200);
    await dealer.ask(userRoutes.block, { params: { user_id } });
    const params = { user_id: dealerId };
    expect(await dealer.outcome(userRoutes.block, { params })).toBe('409 in_use');
    expect(await patch(dealerId, { role: 'user' })).toBe('409 in_use');
    expect(await patch(dealerId, { role: null })).toBe('409 in_use');
    expect(await dealer.outcome(userRoutes.remove, { params })).toBe('409 in_use');
    expect((await dealer.ask(userRoutes.me)).role).toBe('dealer');
    await dealer.ask(userRoutes.unblock, { params: { user_id } });
  });

  it('the last active dealer stays one when two dealers demote each other at once', async () => {
    const { user_id } = await find('clara');
    const clara = await host.login('clara');
    const outcomes = await Promise.all([
      patch(user_id, { role: 'user' }),
      clara.outcome(userRoutes.patch, { params: { user_id: dealerId }, body: { role: 'user' } }),
    ]);
    const dealers = [await find('clara'), await find('dealer').catch(() => null)].filter(
      (it) => it?.role === 'dealer',
    );
    expect(outcomes.filter((it) => it === 200)).toHaveLength(1);
    expect(dealers.length).toBeLessThanOrEqual(1);
    // The remaining dealer gives the other its role back for the tests to come.
    const left = outcomes[0] === 200 ? dealer : clara;
    await left.ask(userRoutes.patch, { params: { user_id: dealerId }, body: { role: 'dealer' } });
    await left.ask(userRoutes.patch, { params: { user_id }, body: { role: 'dealer' } });
  });

  it('the last active dealer may go when there is another', async () => {
    const { user_id } = await find('clara');
    expect(await dealer.outcome(userRoutes.block, { params: { user_id } })).toBe(200);
    expect(await dealer.outcome(userRoutes.unblock, { params: { user_id } })).toBe(200);
    expect(await patch(user_id, { role: 'user' })).toBe(200);
  });
});

describe('a deleted user', () => {
  it('a deleted user is gone, its group stays', async () => {
    const made = await create({ login: 'fred' });
    const params = { user_id: made.user_id };
    expect(await dealer.outcome(userRoutes.remove, { params })).toBe(204);
    for (const route of [
      userRoutes.get,
      userRoutes.remove,
      userRoutes.block,
      userRoutes.unblock,
      userRoutes.sessions,
    ]) {
      expect(await dealer.outcome(route, { params })).toBe('404 not_found');
    }
    const group_id = made.group_ids[0] ?? '';
    expect(await dealer.ask(groupRoutes.get, { params: { group_id } })).toMatchObject({
      name: 'fred',
      user_ids: [],
    });
    expect((await create({ login: 'fred' })).user_id).not.toBe(made.user_id);
  });
});

describe('the list of users', () => {
  it('the list of users comes in pages by login without loss or repeat, and can be searched', async () => {
    const read: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await dealer.ask(userRoutes.list, {
        query: { limit: 2, ...(cursor === undefined ? {} : { cursor }) },
      });
      read.push(...page.items.map((it) => it.login));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    const { items } = await dealer.ask(userRoutes.list);
    expect(read).toEqual(items.map((it) => it.login));
    expect(read).toEqual([...read].sort());
    const found = await dealer.ask(userRoutes.list, { query: { q: 'NIGHT' } });
    expect(found.items.map((it) => it.login)).toEqual(['night1', 'night2']);
  });
});
