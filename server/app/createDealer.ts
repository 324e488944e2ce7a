import { pino } from 'pino';
import { endTokens } from '../auth/apiTokens.ts';
import { systemClock } from '../clock.ts';
import { ConfigError } from '../config.ts';
import { newUser } from '../contract/users.ts';
import { createGroups } from '../groups/groups.ts';
import { hashPassword } from '../users/password.ts';
import { createUsers, type Users } from '../users/users.ts';
import { openStores, type Stores } from './openStores.ts';

/**
 * Makes a dealer out of band, or makes an existing user a dealer with this password: unblocked, its sessions ended and its
 * API tokens revoked. Throws as a start of the host does; a folder that a host holds is refused.
 */
export function createDealer(folder: string, login: string, password: string): Promise<'added' | 'changed'> {
  return withUsers(folder, async (users, { telemetry }) => {
    const known = users.byLogin(login);
    if (known === undefined) {
      await users.add(newUser.parse({ login, password, role: 'dealer' }), by);
      return 'added';
    }
    await users.patch(known.user_id, { password, role: 'dealer' }, null, by);
    await users.setBlocked(known.user_id, false);
    const sessions = await telemetry.sessions();
    await telemetry.deleteSessions(
      sessions.filter((it) => it.user_id === known.user_id).map((it) => it.session_id),
    );
    return 'changed';
  });
}

/**
 * Grants JWTs for programs to a user, or takes the grant away.
 *
 * @throws {ConfigError} when nobody has this login
 */
export async function grantApi(
  users: Pick<Users, 'byLogin' | 'setApiAccess'>,
  { login, granted }: { login: string; granted: boolean },
): Promise<void> {
  const user = users.byLogin(login);
  if (user === undefined) throw new ConfigError(`There is no user ${login}.`);
  await users.setApiAccess(user.user_id, granted);
}

/** The same over a folder that no host holds. Throws as a start of the host does. */
export function grantApiIn(folder: string, grant: { login: string; granted: boolean }): Promise<void> {
  return withUsers(folder, (users) => grantApi(users, grant));
}

const by = { kind: 'user', id: 'npm run dealer' } as const;

async function withUsers<T>(folder: string, act: (users: Users, stores: Stores) => Promise<T>): Promise<T> {
  const log = pino({ level: 'silent' });
  const stores = await openStores(folder, systemClock, log);
  try {
    const { collections } = stores;
    const groups = createGroups(collections.groups);
    const users = createUsers({
      collection: collections.users,
      groupExists: (id) => groups.exists(id),
      makeGroup: (name) => groups.addFor(name),
      endSessions: (userId) => endTokens(collections.apiTokens, userId),
      // Nothing else runs in this process.
      hash: (password) => Promise.resolve(hashPassword(password)),
    });
    return await act(users, stores);
  } finally {
    await stores.close();
  }
}
