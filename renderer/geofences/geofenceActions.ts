import { geofenceRoutes, type Geofence, type GeofencePatch } from '../../server/contract/geofences.ts';
import type { BodyFor } from '../../server/contract/route.ts';
import type { Api } from '../api/client.ts';

export const createGeofenceActions = (api: Api) => ({
  /** Throws ApiProblem (`validation_failed` with the place of the fault) and Unreachable. */
  create: (geofence: BodyFor<typeof geofenceRoutes.create>): Promise<Geofence> =>
    api.request(geofenceRoutes.create, { body: geofence }),
  /** Throws ApiProblem (`version_conflict` when somebody else changed it since) and Unreachable. */
  change: ({ geozone_id, version }: Geofence, patch: GeofencePatch): Promise<Geofence> =>
    api.request(geofenceRoutes.patch, { params: { geozone_id }, body: patch, ifMatch: version }),
  /** Throws ApiProblem (`in_use` while a rule names it) and Unreachable. */
  remove: ({ geozone_id, version }: Geofence): Promise<void> =>
    api.request(geofenceRoutes.remove, { params: { geozone_id }, ifMatch: version }),
  /** Undoes a deletion. Throws ApiProblem (`not_found` when it is too late) and Unreachable. */
  restore: ({ geozone_id }: Geofence): Promise<Geofence> =>
    api.request(geofenceRoutes.restore, { params: { geozone_id } }),
});

export type GeofenceActions = ReturnType<typeof createGeofenceActions>;
