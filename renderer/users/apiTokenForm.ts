import { lesserRights, type ApiToken, type NewApiToken } from '../../server/contract/apiTokens.ts';
import type { Rights, Role } from '../../server/contract/rights.ts';
import type { User } from '../../server/contract/users.ts';
import { newRights } from './userForm.ts';

/** For how long a new token can be asked for. */
export const TOKEN_DAYS = [30, 90, 180, 365] as const;

export interface TokenForm {
  name: string;
  role: Role;
  rights: Rights;
  /** Empty: all groups of the owner. */
  group_ids: readonly string[];
  days: number;
}

/** @param owner who creates it: nothing is offered beyond what it may do */
export function tokenFormOf(token: ApiToken | null, owner: Pick<User, 'role' | 'rights'>): TokenForm {
  return {
    name: token?.name ?? '',
    role: token?.role ?? 'user',
    rights: lesserRights(
      { role: 'user', rights: token === null || token.role === 'dealer' ? newRights : token.rights },
      owner,
    ),
    group_ids: token?.group_ids ?? [],
    days: 90,
  };
}

export function newTokenOf(form: TokenForm, now_ms: number): NewApiToken {
  const expires_at = new Date(now_ms + form.days * 86_400_000).toISOString();
  return { ...changesOfToken(form), expires_at };
}

/** What a token may do by this form, all of it. */
export function changesOfToken({
  name,
  role,
  rights,
  group_ids,
}: TokenForm): Omit<NewApiToken, 'expires_at'> {
  const isWhole = role === 'dealer' || group_ids.length === 0;
  return { name: name.trim(), role, rights, group_ids: isWhole ? null : [...group_ids] };
}
