import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStores } from '../../../server/app/openStores.ts';
import { newUser } from '../../../server/contract/users.ts';
import { createGroups } from '../../../server/groups/groups.ts';
import { createUsers } from '../../../server/users/users.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { quickHash } from '../../support/quickHash.ts';
import { temporaryFolder } from '../store/temporaryFolder.ts';

const by = { kind: 'user', id: randomUUID() } as const;

/** Users of a new folder; `meanwhile` runs while the password of a new user is hashed. */
async function openUsers() {
  const clock = createFakeClock();
  const stores = await openStores(await temporaryFolder(), clock, pino({ level: 'silent' }));
  onTestFinished(() => stores.close());
  const groups = createGroups(stores.collections.groups);
  const { group_id: shift } = await groups.add({ name: 'shift' });
  const during = { meanwhile: () => Promise.resolve() };
  const users = createUsers({
    collection: stores.collections.users,
    groupExists: (id) => groups.exists(id),
    async hash(password) {
      await during.meanwhile();
      return quickHash(password);
    },
    makeGroup: (name) => groups.addFor(name),
  });
  const add = (login: string, group_ids: string[] = []) =>
    users.add(newUser.parse({ login, password: 'a long password', group_ids }), by);
  return { users, add, groups, shift, during };
}

describe('a user that is being added', () => {
  it('a user that is being added is refused when another user takes its login meanwhile, and its group goes again', async () => {
    const { users, add, groups, shift, during } = await openUsers();
    const boris = await add('boris');
    during.meanwhile = async () => {
      await users.patch(boris.user_id, { login: 'DINA' }, null, by);
    };
    await expect(add('dina')).rejects.toMatchObject({ code: 'already_exists' });
    expect(users.all().map((it) => it.login)).toEqual(['DINA']);
    expect(groups.all().map((it) => it.group_id)).toEqual([shift, ...boris.group_ids]);
  });

  it('a user that is being added is refused when a group of its goes meanwhile', async () => {
    const { users, add, groups, shift, during } = await openUsers();
    during.meanwhile = () => groups.remove(shift, null, () => undefined);
    await expect(add('dina', [shift])).rejects.toMatchObject({ code: 'validation_failed' });
    expect(users.all()).toEqual([]);
    expect(groups.all()).toEqual([]);
  });
});
