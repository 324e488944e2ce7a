import { addProtocol, removeProtocol } from 'maplibre-gl';
import { streetMapMaxZoom, streetMapMinZoom } from '../../../server/contract/mapLayers.ts';
import {
  mapRoutes,
  type ComposedMap,
  type Map as MapFile,
  type MapArea,
} from '../../../server/contract/maps.ts';
import type { Api } from '../../api/client.ts';
import type { Clock } from '../../clock/clock.ts';
import type { MapListState } from '../../mapFiles/mapList.ts';

/** Sources bear the names of the maps that they draw. */
export const STREETS_SOURCE: ComposedMap = 'streets';
export const IMAGERY_SOURCE: ComposedMap = 'imagery';

/** What the drawing of map files needs of the session. */
export interface MapFiles {
  api: Pick<Api, 'open'>;
  list: () => Pick<MapListState, 'maps' | 'version'>;
  onChange: (run: () => void) => () => void;
  reload: () => void;
  clock: Pick<Clock, 'after'>;
}

let count = 0;

/**
 * Answers MapLibre's requests of tiles by calls of the API, which bear the JWT. Where no map lies nothing is asked for.
 * Each map on the page has a scheme of its own.
 */
export function serveTiles({ api, list }: Pick<MapFiles, 'api' | 'list'>) {
  const scheme = `depot-map-${++count}`;
  let onPassing = (_of: ComposedMap): void => undefined;
  addProtocol(scheme, async ({ url }, { signal }) => {
    const [, of = '', z = '', x = '', y = ''] = /:\/\/(\w+)\/\d+\/(\d+)\/(\d+)\/(\d+)$/.exec(url) ?? [];
    const { maps, version } = list();
    const isCovered = isCoveredBy(maps, of, Number(z), Number(x), Number(y));
    const response = isCovered
      ? await api.open(mapRoutes.tile, {
          params: { map_id: of, z, x, y },
          query: { v: version },
          signal,
        })
      : null;
    if (response?.headers.get('cache-control')?.includes('no-cache') === true) onPassing(of as ComposedMap);
    if (response === null || response.status === 204) {
      // Of a picture that is missing the one above it is enlarged, as MapLibre does for what is not found.
      if (of === 'imagery') throw Object.assign(new Error('there is no tile here'), { status: 404 });
      return { data: new ArrayBuffer(0) };
    }
    return { data: await response.arrayBuffer() };
  });
  return {
    /** Addresses of tiles; others with another set of maps. */
    tilesOf: (of: ComposedMap) => [`${scheme}://${of}/${list().version}/{z}/{x}/{y}`],
    /** Called for each tile that soon may be another one: an online source is away, or has a newer one. */
    onPassing(run: (of: ComposedMap) => void): void {
      onPassing = run;
    },
    stop: () => removeProtocol(scheme),
  };
}

/** Whether a map that is drawn may have the tile. */
function isCoveredBy(maps: readonly MapFile[], of: string, z: number, x: number, y: number): boolean {
  const lonOf = (at: number) => (at / 2 ** z) * 360 - 180;
  const latOf = (at: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * at) / 2 ** z))) * 180) / Math.PI;
  const tile = { west: lonOf(x), east: lonOf(x + 1), north: latOf(y), south: latOf(y + 1) };
  return maps.some(
    (it) =>
      it.shown &&
      it.kind === of &&
      z >= it.min_zoom &&
      (of === 'streets' || z <= it.max_zoom) &&
      overlaps(it.area, tile),
  );
}

export function overlaps(a: MapArea, b: MapArea): boolean {
  return a.west < b.east && b.west < a.east && a.south < b.north && b.south < a.north;
}

/** The zooms at which tiles are asked for; beyond the last one they are enlarged. */
export const streetZooms = { minzoom: streetMapMinZoom, maxzoom: streetMapMaxZoom };
export const imageryZooms = { minzoom: 0, maxzoom: 20 };
