import { meetsLevel } from '../../server/contract/rights.ts';
import type { User } from '../../server/contract/users.ts';

/** Acknowledging and snoozing. */
export const mayActOnAlarms = ({ user }: { user: Pick<User, 'role' | 'rights'> }): boolean =>
  user.role === 'dealer' || meetsLevel(user.rights.notifications, 'write');
