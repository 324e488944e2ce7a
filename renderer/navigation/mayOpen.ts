import { meetsLevel, type RightName } from '../../server/contract/rights.ts';
import type { User } from '../../server/contract/users.ts';
import type { ScreenName } from './navigation.ts';

const RIGHT_OF: Partial<Record<ScreenName, RightName>> = {
  events: 'notifications',
  video: 'video',
  geofences: 'geofences',
  rules: 'notifications',
  reports: 'reports',
  vehicles: 'vehicles',
};

/** Whether a user may open a screen; what it then sees there, the server decides. */
export function canOpen(user: Pick<User, 'role' | 'rights'>, place: ScreenName): boolean {
  if (user.role === 'dealer') return true;
  if (place === 'users') return false;
  const right = RIGHT_OF[place];
  return right === undefined || meetsLevel(user.rights[right], 'read');
}
