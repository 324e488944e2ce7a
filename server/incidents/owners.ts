import { effectiveRights, meetsLevel } from '../contract/rights.ts';
import { viewerOf } from '../notifications/escalationSteps.ts';
import type { IncidentRow } from '../store/telemetry/incidentRows.ts';
import type { UserRecord } from '../users/userRecord.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';

/** Whether a user may change the incidents that it sees. */
export const mayHandle = (user: UserRecord): boolean =>
  !user.blocked && meetsLevel(effectiveRights(user).notifications, 'write');

/** Whether a user sees an incident, or will when owning it, and may change it. */
export function createMayOwn(vehicles: Pick<Vehicles, 'sees'>) {
  return (user: UserRecord, { vehicle_id }: Pick<IncidentRow, 'vehicle_id'>): boolean =>
    mayHandle(user) && (vehicle_id === null || vehicles.sees(viewerOf(user), vehicle_id));
}
