import { geofenceRoutes, type Geofence, type GeofencePatch } from '../../server/contract/geofences.ts';
import type { BodyFor } from '../../server/contract/route.ts';
import type { Api } from '../api/client.ts';

export interface GeofenceActions {
  /** Throws ApiProblem (`validation_failed` with the place of the fault) and Unreachable. */
  create(geofence: BodyFor<typeof geofenceRoutes.create>): Promise<Geofence>;
  /** Throws ApiProblem (`version_conflict` when somebody else changed it since) and Unreachable. */
  change(geofence: Geofence, patch: GeofencePatch): Promise<Geofence>;
  /** Throws ApiProblem (`in_use` while a rule names it) and Unreachable. */
  remove(geofence: Geofence): Promise<void>;
}

export function createGeofenceActions(api: Api): GeofenceActions {
  return {
    create: (geofence) => api.request(geofenceRoutes.create, { body: geofence }),
    change: (geofence, patch) =>
      api.request(geofenceRoutes.patch, {
        params: { geozone_id: geofence.geozone_id },
        body: patch,
        ifMatch: geofence.version,
      }),
    remove: (geofence) =>
      api.request(geofenceRoutes.remove, {
        params: { geozone_id: geofence.geozone_id },
        ifMatch: geofence.version,
      }),
  };
}
