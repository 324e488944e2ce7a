import type { Rights } from '../../server/contract/rights.ts';
import type { NewUser, User, UserPatch } from '../../server/contract/users.ts';
import { changesOf, isSame } from '../resources/rebaseForm.ts';

/** What is typed of a user; nothing is checked before it is sent. */
export interface UserForm {
  login: string;
  password: string;
  name: string;
  email: string;
  role: User['role'];
  rights: Rights;
  group_ids: readonly string[];
}

export const newRights: Rights = {
  vehicles: 'read',
  geofences: 'read',
  notifications: 'read',
  reports: 'read',
  video: 'none',
};

export function formOf(user: User | null): UserForm {
  return {
    login: user?.login ?? '',
    password: '',
    name: user?.name ?? '',
    email: user?.email ?? '',
    role: user?.role ?? 'user',
    // A dealer's are all: it is made a user with those of a new one.
    rights: user?.role === 'user' ? user.rights : newRights,
    group_ids: user?.group_ids ?? [],
  };
}

/** Without letters and digits that are taken for one another. */
const PASSWORD_SIGNS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/**
 * A user of a wall display: it sees all groups, and can change nothing.
 *
 * @param random bytes, one for each letter of the password: of 20, more than 110 bits
 */
export function wallUserForm(
  name: string,
  {
    users,
    groupIds,
    random,
  }: { users: Iterable<Pick<User, 'login'>>; groupIds: readonly string[]; random: Uint8Array },
): UserForm {
  const taken = new Set([...users].map(({ login }) => login.toLowerCase()));
  let login = 'wall';
  for (let at = 2; taken.has(login); at++) login = `wall-${at}`;
  return {
    login,
    name,
    email: '',
    password: [...random].map((byte) => PASSWORD_SIGNS[byte % PASSWORD_SIGNS.length]).join(''),
    role: 'user',
    rights: { ...newRights, reports: 'none', video: 'read' },
    group_ids: groupIds,
  };
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** @returns the user to be made */
export function newUserOf(form: UserForm): NewUser {
  return {
    login: form.login.trim(),
    password: form.password,
    name: orNull(form.name),
    email: orNull(form.email),
    role: form.role,
    rights: form.rights,
    group_ids: [...form.group_ids],
  };
}

/** @returns what differs from the user as it was, null for nothing */
export function patchOf(form: UserForm, base: User): UserPatch | null {
  const { password, rights, ...fields } = newUserOf(form);
  const patch: UserPatch = {
    ...changesOf(fields, base),
    ...(password === '' ? {} : { password }),
    ...(form.role === 'dealer' || isSame(rights, base.rights)
      ? {}
      : { rights: changesOf(rights, base.rights) }),
  };
  return Object.keys(patch).length === 0 ? null : patch;
}

/** How many of the vehicles somebody with these groups sees; all of them for a dealer. */
export function visibleTo(
  { role, group_ids }: Pick<UserForm, 'role' | 'group_ids'>,
  vehicles: Iterable<{ group_ids: readonly string[] }>,
): number {
  const groups = new Set(group_ids);
  let seen = 0;
  for (const vehicle of vehicles) {
    if (role === 'dealer' || vehicle.group_ids.some((id) => groups.has(id))) seen += 1;
  }
  return seen;
}
