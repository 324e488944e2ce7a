import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStores } from '../../../server/app/openStores.ts';
import { newUser } from '../../../server/contract/users.ts';
import { createCollection } from '../../../server/store/documents/collection.ts';
import { createUsers } from '../../../server/users/users.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { quickHash } from '../../support/quickHash.ts';
import { temporaryFolder } from '../store/temporaryFolder.ts';

const shift = randomUUID();
const by = { kind: 'user', id: randomUUID() } as const;

/** Users of a new folder; `meanwhile` runs after the hash of a new user's password, while its group is made. */
async function openUsers() {
  const clock = createFakeClock();
  const stores = await openStores(await temporaryFolder(), clock, pino({ level: 'silent' }));
  onTestFinished(() => stores.close());
  const known = new Set<string>([shift]);
  const during = { meanwhile: () => Promise.resolve() };
  const users = createUsers({
    collection: createCollection(stores.documents.users, (it) => it.user_id, clock),
    groupExists: (id) => known.has(id),
    hash: (password) => Promise.resolve(quickHash(password)),
    async makeGroup() {
      const group_id = randomUUID();
      known.add(group_id);
      await during.meanwhile();
      return { group_id, undo: () => Promise.resolve(void known.delete(group_id)) };
    },
  });
  const add = (login: string, group_ids: string[] = []) =>
    users.add(newUser.parse({ login, password: 'a long password', group_ids }), by);
  return { users, add, known, during };
}

describe('a user that is being added', () => {
  it('a user that is being added is refused when another user takes its login meanwhile, and its group goes again', async () => {
    const { users, add, known, during } = await openUsers();
    const boris = await add('boris');
    during.meanwhile = async () => {
      await users.patch(boris.user_id, { login: 'DINA' }, null, by);
    };
    await expect(add('dina')).rejects.toMatchObject({ code: 'already_exists' });
    expect(users.all().map((it) => it.login)).toEqual(['DINA']);
    expect([...known]).toEqual([shift, ...boris.group_ids]);
  });

  it('a user that is being added is refused when a group of its goes meanwhile', async () => {
    const { users, add, known, during } = await openUsers();
    during.meanwhile = () => Promise.resolve(void known.delete(shift));
    await expect(add('dina', [shift])).rejects.toMatchObject({ code: 'validation_failed' });
    expect(users.all()).toEqual([]);
    expect([...known]).toEqual([]);
  });
});
