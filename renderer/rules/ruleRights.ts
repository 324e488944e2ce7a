import { meetsLevel } from '../../server/contract/rights.ts';
import type { Rule } from '../../server/contract/rules.ts';
import type { User } from '../../server/contract/users.ts';

type Operator = Pick<User, 'role' | 'rights' | 'user_id'>;

export function mayMakeRules(user: Operator): boolean {
  return user.role === 'dealer' || meetsLevel(user.rights.notifications, 'write');
}

/** Dealers change every rule, users their own. */
export function mayChangeRule(user: Operator, rule: Pick<Rule, 'owner_id'>): boolean {
  return user.role === 'dealer' || (mayMakeRules(user) && rule.owner_id === user.user_id);
}
