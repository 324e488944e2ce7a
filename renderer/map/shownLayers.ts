import type { LayerSpecification } from 'maplibre-gl';
import type { MapLayerChoice } from '../../server/contract/mapViews.ts';
import { IMAGERY_SOURCE, STREETS_SOURCE } from './basemap/mapTiles.ts';
import { PLACE_LAYERS } from './basemap/baseMapLayers.ts';
import type { MapPalette } from './mapPalette.ts';
import { TRAIL_SOURCE } from './vehicles/vehicleLayers.ts';

/** What the operator has the map draw of itself; geofences are given to it or not. */
export type ShownLayers = Pick<MapLayerChoice, 'labels' | 'poi' | 'trails' | 'imagery'>;

export const ALL_SHOWN: ShownLayers = { labels: true, poi: true, trails: true, imagery: true };

/** Names over pictures need more of a ground of their own than over the plain map. */
const IMAGERY_HALO_PX = 2.2;

/**
 * The style layers as the operator wants them: those of what is off are invisible, and MapLibre asks for no tiles that
 * only they would draw. Over imagery, names have the strongest colour and a wider halo, and buildings leave the picture
 * free.
 *
 * @param overImagery whether imagery is drawn in the view
 */
export function chooseLayers(
  layers: readonly LayerSpecification[],
  shown: ShownLayers,
  overImagery: boolean,
  palette: MapPalette,
): LayerSpecification[] {
  return layers.map((layer) => {
    const choice = choiceOf(layer);
    const isHidden =
      (choice !== null && !shown[choice]) || (overImagery && sourceLayerOf(layer) === 'building');
    const chosen = {
      ...layer,
      layout: { ...layer.layout, visibility: isHidden ? 'none' : 'visible' },
    } as LayerSpecification;
    if (overImagery && chosen.type === 'symbol' && (choice === 'labels' || choice === 'poi')) {
      const halo = chosen.paint?.['text-halo-width'] === 0 ? 0 : IMAGERY_HALO_PX;
      chosen.paint = {
        ...chosen.paint,
        'text-color': palette.text,
        'text-halo-color': palette.land,
        'text-halo-width': halo,
      };
    }
    return chosen;
  });
}

const sourceLayerOf = (layer: LayerSpecification): string | undefined =>
  'source-layer' in layer ? layer['source-layer'] : undefined;

/** By which choice a layer comes and goes; null for one that is always drawn. */
function choiceOf(layer: LayerSpecification): keyof ShownLayers | null {
  if (!('source' in layer)) return null;
  if (layer.source === IMAGERY_SOURCE) return 'imagery';
  if (layer.source === TRAIL_SOURCE) return 'trails';
  if (PLACE_LAYERS.includes(layer.id)) return 'labels';
  if (layer.source !== STREETS_SOURCE || layer.type !== 'symbol') return null;
  return sourceLayerOf(layer) === 'poi' ? 'poi' : 'labels';
}
