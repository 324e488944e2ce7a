import { pino } from 'pino';
import { systemClock } from '../clock.ts';
import { newUser } from '../contract/users.ts';
import { createGroups } from '../groups/groups.ts';
import { hashPassword } from '../users/password.ts';
import { createUsers } from '../users/users.ts';
import { openStores } from './openStores.ts';

/**
 * Makes a dealer out of band, or makes an existing user a dealer with this password: unblocked, its sessions ended.
 * Throws as a start of the host does; a folder that a host holds is refused.
 */
export async function createDealer(
  folder: string,
  login: string,
  password: string,
): Promise<'added' | 'changed'> {
  const log = pino({ level: 'silent' });
  const stores = await openStores(folder, systemClock, log);
  try {
    const { collections, telemetry } = stores;
    const groups = createGroups(collections.groups);
    const by = { kind: 'user', id: 'npm run dealer' } as const;
    const users = createUsers({
      collection: collections.users,
      groupExists: (id) => groups.exists(id),
      makeGroup: (name) => groups.addFor(name),
      // Nothing else runs in this process.
      hash: (password) => Promise.resolve(hashPassword(password)),
    });
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
  } finally {
    await stores.close();
  }
}
