import type { RasterTileSource, VectorTileSource } from 'maplibre-gl';
import type { ComposedMap, Map as MapFile, MapArea } from '../../../server/contract/maps.ts';
import type { MapStage, Undo } from '../mapStage.ts';
import { drawnFrom, PLACE_LAYERS, placeFilter } from './baseMapLayers.ts';
import { overlaps, type MapFiles, type serveTiles } from './mapTiles.ts';

/** Tiles that soon may be others are asked for again after this time. */
const AGAIN_MS = 60_000;

// Natural Earth asks for none; GeoNames is CC BY 4.0.
const WORLD_CREDIT = 'Natural Earth · GeoNames (CC BY 4.0)';

/**
 * Keeps a map's tiles, the names of the world map and the credits to the map files that the depot has. Reports whether
 * imagery lies in the view.
 */
export function startStreetMaps(
  stage: MapStage,
  files: MapFiles,
  tiles: ReturnType<typeof serveTiles>,
  credit: HTMLElement,
  imagery: { isOn: () => boolean; onView: (isInView: boolean) => void },
): { renewCredit: () => void; stop: Undo } {
  const { map } = stage;
  let version = files.list().version;
  const shown = () => files.list().maps.filter((it) => it.shown);

  function renew(): void {
    const now = files.list();
    if (now.version !== version) {
      version = now.version;
      for (const source of ['streets', 'imagery'] as const) readAnew(source);
    }
    nameWorld();
    showCredit();
  }

  /** A tile that is on its way would keep what it was asked for by: MapLibre only parses it again. So it comes first. */
  function readAnew(source: ComposedMap): void {
    if (map.isSourceLoaded(source)) {
      map.off('sourcedata', waiting[source]);
      map.getSource<VectorTileSource | RasterTileSource>(source)?.setTiles(tiles.tilesOf(source));
    } else map.on('sourcedata', waiting[source]);
  }
  const waiting = { streets: () => readAnew('streets'), imagery: () => readAnew('imagery') };

  const later = new Map<ComposedMap, Undo>();
  tiles.onPassing((source) => {
    if (later.has(source)) return;
    // It says whether an online source is away.
    files.reload();
    const again = () => {
      later.delete(source);
      files.reload();
      readAnew(source);
    };
    later.set(source, files.clock.after(AGAIN_MS, again));
  });

  function nameWorld(): void {
    const naming = shown().filter(namesPlaces);
    for (const layer of PLACE_LAYERS) map.setFilter(layer, placeFilter(naming));
  }

  function showCredit(): void {
    const bounds = map.getBounds();
    const view = {
      ...{ west: bounds.getWest(), east: bounds.getEast() },
      ...{ south: bounds.getSouth(), north: bounds.getNorth() },
    };
    const maps = shown().filter((it) => it.kind === 'streets' || imagery.isOn());
    imagery.onView(mapsInView(maps, view, map.getZoom()).some((it) => it.kind === 'imagery'));
    const text = creditOf(maps, view, map.getZoom());
    if (credit.textContent === text) return;
    credit.textContent = text;
    credit.title = text;
  }

  showCredit();
  stage.whenReady(() => {
    renew();
    map.on('moveend', showCredit);
  });
  const offChange = files.onChange(() => stage.whenReady(renew));
  return {
    renewCredit: () => stage.whenReady(showCredit),
    stop() {
      offChange();
      for (const stopTimer of later.values()) stopTimer();
      map.off('moveend', showCredit);
    },
  };
}

/** The maps that draw something in a view. */
function mapsInView<M extends Pick<MapFile, 'kind' | 'area' | 'min_zoom'>>(
  maps: readonly M[],
  view: MapArea,
  zoom: number,
): M[] {
  return maps.filter(
    (it) => overlaps(it.area, view) && zoom >= (it.kind === 'streets' ? drawnFrom(it) : it.min_zoom),
  );
}

/** Whether a map is relied on for the names of places; one that is away is not. */
export const namesPlaces = ({ kind, format, fault }: Pick<MapFile, 'kind' | 'format' | 'fault'>): boolean =>
  kind === 'streets' && (format !== 'online' || fault === null);

/**
 * The licences of all that may be drawn in a view. A map that lies behind another is credited, too: the one in front may
 * lack the tiles of a part of its area. The world map is credited where its names are drawn.
 */
export function creditOf(
  maps: readonly Pick<MapFile, 'kind' | 'area' | 'format' | 'fault' | 'licence' | 'min_zoom' | 'name'>[],
  view: MapArea,
  zoom: number,
): string {
  const drawn = mapsInView(maps, view, zoom);
  // A file that states no licence is named, so that the operator knows whose it is.
  const credits = drawn.map(({ licence, name }) => (licence === '' ? name : licence));
  const isNamed = drawn.some((it) => namesPlaces(it) && contains(it.area, view));
  return [...new Set([...credits, ...(isNamed ? [] : [WORLD_CREDIT])])].join(' · ');
}

function contains(area: MapArea, view: MapArea): boolean {
  const { west, south, east, north } = view;
  return area.west <= west && area.south <= south && area.east >= east && area.north >= north;
}
