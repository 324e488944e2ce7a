import { groupRoutes } from '../../../server/contract/groups.ts';
import { meetsLevel } from '../../../server/contract/rights.ts';
import { vehicleRoutes, type Vehicle } from '../../../server/contract/vehicles.ts';
import type { AppContext } from '../../appContext/appContext.ts';

/** What an operator may do on the screen of vehicles; the server has the last word. */
export function vehicleRights({ user }: AppContext): { mayWrite: boolean; isDealer: boolean } {
  const isDealer = user.role === 'dealer';
  return { isDealer, mayWrite: isDealer || meetsLevel(user.rights.vehicles, 'write') };
}

/** Takes a vehicle out of service; what it recorded is kept. Throws ApiProblem, Unreachable. */
export function archiveVehicle(app: AppContext, { vehicle_id, version }: Vehicle): Promise<unknown> {
  return app.api.request(vehicleRoutes.remove, { params: { vehicle: vehicle_id }, ifMatch: version });
}

/** Deletes a vehicle with all that it recorded; dealers alone may. Throws ApiProblem, Unreachable. */
export function purgeVehicle(app: AppContext, { vehicle_id, version }: Vehicle): Promise<unknown> {
  return app.api.request(vehicleRoutes.remove, {
    params: { vehicle: vehicle_id },
    query: { purge: 'true' },
    ifMatch: version,
  });
}

/**
 * Puts a vehicle into a group or takes it out. Dealers do that to the group; others change the vehicle, and the server
 * keeps them to their own groups. Throws ApiProblem, Unreachable.
 */
export async function setInGroup(
  app: AppContext,
  vehicleId: string,
  groupId: string,
  member: boolean,
): Promise<void> {
  if (vehicleRights(app).isDealer) {
    const params = { group_id: groupId, vehicle: vehicleId };
    await app.api.request(member ? groupRoutes.addVehicle : groupRoutes.removeVehicle, { params });
    return;
  }
  const vehicle = app.vehicles.store.getState().byId.get(vehicleId);
  if (vehicle === undefined || vehicle.group_ids.includes(groupId) === member) return;
  const others = vehicle.group_ids.filter((id) => id !== groupId);
  await app.vehicleActions.change(vehicle, { group_ids: member ? [...others, groupId] : others });
}
