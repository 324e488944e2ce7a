import { pino } from 'pino';
import type { z } from 'zod';
import { systemClock } from '../clock.ts';
import type { setDealer } from '../contract/control.ts';
import { newUser } from '../contract/users.ts';
import { createGroups } from '../groups/groups.ts';
import { ApiError } from '../http/apiError.ts';
import { asCaller, hostMachine } from '../store/caller.ts';
import { hashPassword } from '../users/password.ts';
import { createUsers, type Users } from '../users/users.ts';
import { openStores } from './openStores.ts';

/**
 * Makes a dealer, or makes an existing user a dealer with this password: unblocked, its sessions ended.
 *
 * @throws {ApiError} `not_found` for a dealer that must exist and does not, and as `users` does
 */
export async function giveDealer(
  users: Users,
  { login, password, must_exist }: z.output<typeof setDealer.request>,
): Promise<z.output<typeof setDealer.reply>> {
  const by = { kind: 'user', id: hostMachine.user_id } as const;
  const known = users.byLogin(login);
  if (must_exist && known?.role !== 'dealer') throw new ApiError('not_found', `There is no dealer ${login}.`);
  if (known === undefined) {
    await users.add(newUser.parse({ login, password, role: 'dealer' }), by);
    return 'added';
  }
  await users.patch(known.user_id, { password, role: 'dealer' }, null, by);
  await users.setBlocked(known.user_id, false);
  return 'changed';
}

/**
 * The same on the data folder of a host that does not run. Throws as a start of the host does; a folder that a host
 * holds is refused.
 */
export async function createDealer(
  folder: string,
  login: string,
  password: string,
  { must_exist = false } = {},
): Promise<'added' | 'changed'> {
  const stores = await openStores(folder, systemClock, pino({ level: 'silent' }));
  try {
    const { collections, telemetry } = stores;
    const groups = createGroups(collections.groups);
    const sessions = await telemetry.sessions();
    const users = createUsers({
      collection: collections.users,
      groupExists: (id) => groups.exists(id),
      makeGroup: (name) => groups.addFor(name),
      endSessions: (userId, act) =>
        act.write(
          'deleteSessions',
          sessions.filter((it) => it.user_id === userId).map((it) => it.session_id),
        ),
      // Nothing else runs in this process.
      hash: (password) => Promise.resolve(hashPassword(password)),
    });
    return await asCaller(hostMachine, () => giveDealer(users, { login, password, must_exist }));
  } finally {
    await stores.close();
  }
}
