import { pino } from 'pino';
import type { z } from 'zod';
import { endTokens } from '../auth/apiTokens.ts';
import { systemClock } from '../clock.ts';
import type { grantApi, setDealer } from '../contract/control.ts';
import { newUser } from '../contract/users.ts';
import { createGroups } from '../groups/groups.ts';
import { ApiError } from '../http/apiError.ts';
import { asCaller, hostMachine } from '../store/caller.ts';
import { hashPassword } from '../users/password.ts';
import { createUsers, type Users } from '../users/users.ts';
import { openStores } from './openStores.ts';

/**
 * Makes a dealer, or makes an existing user a dealer with this password: unblocked, its sessions ended and its API tokens
 * revoked.
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

/** @throws {ApiError} `not_found` when nobody has this login */
export async function giveApiAccess(
  users: Pick<Users, 'byLogin' | 'setApiAccess'>,
  { login, granted }: z.output<typeof grantApi.request>,
): Promise<z.output<typeof grantApi.reply>> {
  const user = users.byLogin(login);
  if (user === undefined) throw new ApiError('not_found', `There is no user ${login}.`);
  await users.setApiAccess(user.user_id, granted);
  return granted ? 'granted' : 'revoked';
}

/**
 * Makes a dealer on the data folder of a host that does not run. Throws as a start of the host does; a folder that a host
 * holds is refused.
 */
export const createDealer = (
  folder: string,
  login: string,
  password: string,
  { must_exist = false } = {},
): Promise<'added' | 'changed'> =>
  onFolder(folder, (users) => giveDealer(users, { login, password, must_exist }));

/** The same for the access to the API. */
export const giveApiAccessOn = (folder: string, asked: z.output<typeof grantApi.request>) =>
  onFolder(folder, (users) => giveApiAccess(users, asked));

async function onFolder<T>(folder: string, act: (users: Users) => Promise<T>): Promise<T> {
  const stores = await openStores(folder, systemClock, pino({ level: 'silent' }), { replacesKey: false });
  try {
    const { collections, telemetry } = stores;
    const groups = createGroups(collections.groups);
    const sessions = await telemetry.sessions();
    const users = createUsers({
      collection: collections.users,
      groupExists: (id) => groups.exists(id),
      makeGroup: (name) => groups.addFor(name),
      endSessions(userId, act) {
        const own = sessions.filter((it) => it.user_id === userId);
        act.write(
          'deleteSessions',
          own.map((it) => it.session_id),
        );
        endTokens(collections.apiTokens, userId);
      },
      // Nothing else runs in this process.
      hash: (password) => Promise.resolve(hashPassword(password)),
    });
    return await asCaller(hostMachine, () => act(users));
  } finally {
    await stores.close();
  }
}
