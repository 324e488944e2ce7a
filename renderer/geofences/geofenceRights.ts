import { meetsLevel } from '../../server/contract/rights.ts';
import type { User } from '../../server/contract/users.ts';

export const mayDrawGeofences = ({ user }: { user: User }): boolean =>
  user.role === 'dealer' || meetsLevel(user.rights.geofences, 'write');
