import { mapRegionRoutes } from '../../contract/mapRegions.ts';
import { callerOf, type Api } from '../../http/api.ts';
import type { MapRegions } from './mapRegions.ts';

/** To be added before those of maps, whose ids stand in the same place of a path. */
export function addMapRegionRoutes(api: Api, regions: MapRegions): void {
  api.handle(mapRegionRoutes.estimate, (call) => regions.estimate(call.body, callerOf(call)));

  api.handle(mapRegionRoutes.list, () => ({ items: regions.list() }));

  api.handle(mapRegionRoutes.start, async (call) => {
    const region = await regions.start(call.body, callerOf(call));
    call.response.set('Location', `/api/v1/maps/regions/${region.region_id}`);
    return region;
  });

  api.handle(mapRegionRoutes.get, ({ params }) => regions.get(params.region_id));

  api.handle(mapRegionRoutes.patch, ({ params, body }) =>
    body.paused ? regions.pause(params.region_id) : regions.resume(params.region_id),
  );

  api.handle(mapRegionRoutes.cancel, ({ params }) => regions.cancel(params.region_id));
}
