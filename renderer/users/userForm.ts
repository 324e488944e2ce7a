import { rightNames, type RightLevel, type Rights } from '../../server/contract/rights.ts';
import type { NewUser, User, UserPatch } from '../../server/contract/users.ts';

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
    rights: user?.rights ?? newRights,
    group_ids: user?.group_ids ?? [],
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
  const patch: UserPatch = {};
  if (form.login.trim() !== base.login) patch.login = form.login.trim();
  if (form.password !== '') patch.password = form.password;
  if (orNull(form.name) !== base.name) patch.name = orNull(form.name);
  if (orNull(form.email) !== base.email) patch.email = orNull(form.email);
  if (form.role !== base.role) patch.role = form.role;
  const rights = Object.fromEntries(
    rightNames
      .filter((name) => form.rights[name] !== base.rights[name])
      .map((name) => [name, form.rights[name]]),
  ) as Partial<Record<keyof Rights, RightLevel>>;
  if (Object.keys(rights).length > 0) patch.rights = rights;
  if (!isSameSet(form.group_ids, base.group_ids)) patch.group_ids = [...form.group_ids];
  return Object.keys(patch).length === 0 ? null : patch;
}

function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id) => b.includes(id));
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

/** By login, name and address, without regard to case. */
export function findUsers(users: Iterable<User>, typed: string): User[] {
  const words = typed
    .toLocaleLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return [...users].filter(({ login, name, email }) => {
    const text = `${login} ${name ?? ''} ${email ?? ''}`.toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  });
}
