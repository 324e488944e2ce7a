import { createTextSearch, searchWords } from '../contract/searchText.ts';
import { geofenceRoutes } from '../contract/geofences.ts';
import type { Api } from '../http/api.ts';
import { paginate } from '../http/pagination.ts';
import { presentGeofence } from './geofenceRecord.ts';
import type { Geofences } from './geofences.ts';
import { callerOf } from './geofenceWork.ts';

const findsGeofence = createTextSearch<{ name: string }>(({ name }) => [name]);

export function addGeofenceRoutes(api: Api, geofences: Geofences): void {
  api.handle(geofenceRoutes.list, ({ query, viewer }) => {
    const words = searchWords(query.q ?? '');
    const found = geofences.visible(viewer).filter((geofence) => findsGeofence(geofence, words));
    const { items, next_cursor } = paginate(found, (geofence) => [geofence.name, geofence.geozone_id], query);
    return { items: items.map((it) => presentGeofence(it, viewer, geofences)), next_cursor };
  });

  api.handle(geofenceRoutes.create, async (call) => {
    const { body, viewer, response } = call;
    const geofence = await geofences.add(body, viewer, callerOf(call).signal);
    response.set('Location', `/api/v1/geozones/${geofence.geozone_id}`);
    return presentGeofence(geofence, viewer, geofences);
  });

  api.handle(geofenceRoutes.get, ({ params, viewer }) =>
    presentGeofence(geofences.find(params.geozone_id, viewer), viewer, geofences),
  );

  api.handle(geofenceRoutes.patch, async (call) => {
    const { params, body, viewer, ifMatch } = call;
    const { signal } = callerOf(call);
    const changed = await geofences.patch(params.geozone_id, body, viewer, ifMatch, signal);
    return presentGeofence(changed, viewer, geofences);
  });

  api.handle(geofenceRoutes.remove, ({ params, viewer, ifMatch }) =>
    geofences.remove(params.geozone_id, viewer, ifMatch),
  );
}
