import { vehicleRoutes, type Vehicle, type VehiclePatch } from '../../server/contract/vehicles.ts';
import type { BodyFor } from '../../server/contract/route.ts';
import { type Api, newIdempotencyKey } from '../api/client.ts';

export const createVehicleActions = (api: Api) => ({
  /** Throws ApiProblem (`already_exists` for a terminal that has a vehicle) and Unreachable. */
  create: (vehicle: BodyFor<typeof vehicleRoutes.create>): Promise<Vehicle> =>
    api.request(vehicleRoutes.create, { body: vehicle, idempotencyKey: newIdempotencyKey() }),
  /** Throws ApiProblem (`version_conflict` when somebody else changed it since) and Unreachable. */
  change: ({ vehicle_id, version }: Vehicle, patch: VehiclePatch): Promise<Vehicle> =>
    api.request(vehicleRoutes.patch, { params: { vehicle: vehicle_id }, body: patch, ifMatch: version }),
});

export type VehicleActions = ReturnType<typeof createVehicleActions>;
