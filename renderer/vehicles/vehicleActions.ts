import type { Vehicle, VehiclePatch } from '../../server/contract/vehicles.ts';
import { vehicleRoutes } from '../../server/contract/vehicles.ts';
import type { BodyFor } from '../../server/contract/route.ts';
import type { Api } from '../api/client.ts';
import { newIdempotencyKey } from '../api/newKey.ts';

export interface VehicleActions {
  /** Throws ApiProblem (`already_exists` for a terminal that has a vehicle) and Unreachable. */
  create(vehicle: BodyFor<typeof vehicleRoutes.create>): Promise<Vehicle>;
  /** Throws ApiProblem (`version_conflict` when somebody else changed it since) and Unreachable. */
  change(vehicle: Vehicle, patch: VehiclePatch): Promise<Vehicle>;
}

export function createVehicleActions(api: Api): VehicleActions {
  return {
    create: (vehicle) =>
      api.request(vehicleRoutes.create, { body: vehicle, idempotencyKey: newIdempotencyKey() }),
    change: (vehicle, patch) =>
      api.request(vehicleRoutes.patch, {
        params: { vehicle: vehicle.vehicle_id },
        body: patch,
        ifMatch: vehicle.version,
      }),
  };
}
