import { reaches } from '../../server/contract/rights.ts';
import type { User } from '../../server/contract/users.ts';

export const mayDrawFences = ({ user }: { user: User }): boolean =>
  user.role === 'dealer' || reaches(user.rights.geofences, 'write');
