import { eventRoutes } from '../contract/events.ts';
import type { Api } from '../http/api.ts';
import { notFound } from '../http/apiError.ts';
import { beforeOf, newestFirst } from '../http/pagination.ts';
import type { EventRow } from '../store/telemetry/rows.ts';
import type { Store } from '../store/operations.ts';
import { presentEvent } from './presentEvent.ts';
import type { Sight } from './sight.ts';
import { periodOf, shownVehicles, type SeenVehicles } from './vehicleFilter.ts';

export interface EventRouteDeps {
  store: Pick<Store, 'events'>;
  vehicles: SeenVehicles;
  sight: Sight;
}

export function addEventRoutes(api: Api, { store, vehicles, sight }: EventRouteDeps): void {
  api.handle(eventRoutes.list, async ({ query, viewer }) => {
    const rows = await store.events({
      limit: query.limit + 1,
      ...beforeOf(query.cursor),
      ...shownVehicles(vehicles, viewer, query.vehicle),
      ...periodOf(query),
      ...(query.kind === undefined ? {} : { kinds: query.kind }),
      ...(query.ids === undefined ? {} : { event_ids: query.ids }),
    });
    const key = (row: EventRow) => ({ ms: row.time_ms, id: row.event_id });
    return newestFirst(rows, query.limit, key, (row) => presentEvent(row, viewer, sight));
  });

  api.handle(eventRoutes.get, async ({ params, viewer }) => {
    const [row] = await store.events({ limit: 1, event_ids: [params.event_id] });
    if (row === undefined || !vehicles.sees(viewer, row.vehicle_id)) throw notFound('event');
    return presentEvent(row, viewer, sight);
  });
}
