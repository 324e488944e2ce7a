import { expect, test } from 'vitest';
import { loadSessions } from '../../../server/auth/sessions.ts';
import { createUsers } from '../../../server/users/users.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { openMemoryStore } from '../../../server/store/memoryStore.ts';
import { openDepot, openFile, storeOver, user } from '../store/entities/depotBench.ts';

const by = { kind: 'user', id: 'dealer' } as const;

async function openUsers() {
  const { db } = await openFile();
  const store = storeOver(db);
  const depot = await openDepot({ store });
  const clock = createFakeClock();
  const sessions = await loadSessions(openMemoryStore(clock), clock, () => 30);
  const users = createUsers({
    collection: depot.user,
    groupExists: () => true,
    makeGroup: () => ({ group_id: '' }),
    endSessions: (userId, act) => sessions.endAll(userId, act),
    hash: (password) => Promise.resolve(password),
  });
  await depot.user.add([user('dealer'), user('anna', { role: 'user' })]);
  const [annas, dealers] = [
    await sessions.begin('anna', { address: null, userAgent: null }),
    await sessions.begin('dealer', { address: null, userAgent: null }),
  ];
  store.sent.length = 0;
  return { users, sessions, store, annas, dealers };
}

test.each([
  ['blocks', (users: ReturnType<typeof createUsers>) => users.setBlocked('anna', true)],
  ['removes', (users: ReturnType<typeof createUsers>) => users.remove('anna', null)],
  [
    'gives a password to',
    (users: ReturnType<typeof createUsers>) =>
      users.patch('anna', { password: 'another password' }, null, by),
  ],
])('what %s a user ends its sessions in the same transaction', async (_what, change) => {
  const { users, sessions, store, annas, dealers } = await openUsers();
  await change(users);
  expect(store.sent).toMatchObject([
    [{ entities: [{ id: 'anna' }], writes: [{ op: 'deleteSessions', args: [annas.session_id] }] }],
  ]);
  expect(sessions.state(annas.session_id, 'anna')).toBe('ended');
  expect(sessions.state(dealers.session_id, 'dealer')).toBe('live');
});

test('a user who cannot be blocked keeps its sessions', async () => {
  const { users, sessions, dealers } = await openUsers();
  await expect(users.setBlocked('dealer', true)).rejects.toMatchObject({ code: 'in_use' });
  expect(sessions.state(dealers.session_id, 'dealer')).toBe('live');
});

test('a patch without a password ends no session', async () => {
  const { users, sessions, store, annas } = await openUsers();
  await users.patch('anna', { name: 'Anna' }, null, by);
  expect(store.sent).toMatchObject([[{ writes: [] }]]);
  expect(sessions.state(annas.session_id, 'anna')).toBe('live');
});
