import { effectiveRights, meetsLevel } from '../contract/rights.ts';
import type { UserRecord } from '../users/userRecord.ts';
import { isOnDuty, type ShiftRecord } from './shiftRecord.ts';

/** Who may be on duty: who may acknowledge. */
export const mayBeOnDuty = (user: Pick<UserRecord, 'blocked' | 'role' | 'rights'>): boolean =>
  !user.blocked && meetsLevel(effectiveRights(user).notifications, 'write');

export interface OnDuty {
  /** The ids of the users who are on duty now and may be, who came first first; empty: nobody is. */
  usersOnDuty(): string[];
}

export function createOnDuty(deps: {
  shifts: () => readonly ShiftRecord[];
  userOf: (userId: string) => UserRecord | undefined;
}): OnDuty {
  return {
    usersOnDuty: () =>
      deps
        .shifts()
        .filter(isOnDuty)
        .flatMap(({ user_id }) => deps.userOf(user_id) ?? [])
        .filter(mayBeOnDuty)
        .map(({ user_id }) => user_id),
  };
}
