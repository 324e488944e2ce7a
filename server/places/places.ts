import { formatDecimal, parseCoordinates, type LatLon } from '../contract/coordinates.ts';
import { placeRoutes, type FoundPlace, type Place } from '../contract/places.ts';
import { callerOf, type Api } from '../http/api.ts';
import { ofWork } from '../http/apiError.ts';
import type { Maps } from '../maps/maps.ts';
import { startWorker } from '../startWorker.ts';
import { createWorkerChannel, WorkFailed, type WorkAsk } from '../workerChannel.ts';
import type { PlaceSearch } from './search/placeSearch.ts';
import type { PlacesOrder } from './places.worker.ts';

/** A thousand points of a cached region take 50 ms; scattered over the largest cities some seconds. */
const levels_ms = [2_000, 30_000];
const heap_mb = 512;
const waiting = { per_user: 6, all: 60 };

export type Places = ReturnType<typeof createPlaces>;

/** Names points by the map files, in threads of their own. */
export function createPlaces(maps: Pick<Maps, 'readable' | 'version'>) {
  const line = createWorkerChannel<PlacesOrder, (Place | null)[]>({
    start: () => startWorker(import.meta.url, 'places.worker', { heap_mb }),
    waiting,
    levels_ms,
  });

  return {
    /** @returns null for each point that is far from all streets. @throws ApiError 429, 413, 503 */
    async of(points: readonly LatLon[], caller: WorkAsk): Promise<(Place | null)[]> {
      const streets = maps.readable().filter((it) => it.shown && it.kind === 'streets');
      const isCovered = ({ lat, lon }: LatLon) =>
        streets.some(
          ({ area }) => lat >= area.south && lat <= area.north && lon >= area.west && lon <= area.east,
        );
      const covered = points.filter(isCovered);
      if (covered.length === 0) return points.map(() => null);
      try {
        const found = await line.run(
          () => ({
            version: maps.version(),
            maps: maps.readable(),
            points: Float64Array.from(covered.flatMap(({ lat, lon }) => [lat, lon])),
          }),
          caller,
        );
        let at = 0;
        return points.map((point) => (isCovered(point) ? (found[at++] ?? null) : null));
      } catch (error) {
        throw error instanceof WorkFailed ? (ofWork(error) ?? error) : error;
      }
    },
    close: (): Promise<void> => line.close(),
  };
}

export function addPlaceRoutes(
  api: Api,
  { places, search }: { places: Pick<Places, 'of'>; search: Pick<PlaceSearch, 'search' | 'indexes'> },
): void {
  api.handle(placeRoutes.search, async (call) => {
    const { q, lat, lon, limit } = call.query;
    const near = lat === undefined || lon === undefined ? null : { lat, lon };
    const point = parseCoordinates(q, near);
    if (point !== null) return { items: [atCoordinates(point)] };
    return { items: await search.search(q, near, limit, callerOf(call)) };
  });

  api.handle(placeRoutes.indexes, () => ({ items: search.indexes() }));

  api.handle(placeRoutes.reverse, async (call) => {
    const [place = null] = await places.of([call.query], callerOf(call));
    return { place };
  });

  api.handle(placeRoutes.reverseMany, async (call) => ({
    places: await places.of(call.body.points, callerOf(call)),
  }));
}

function atCoordinates(point: LatLon): FoundPlace {
  const text = formatDecimal(point);
  return { kind: 'coordinates', name: text, town: null, text, ...point };
}
