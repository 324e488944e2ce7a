import type { GeoJSONSource, LayerSpecification, Map as MapLibreMap } from 'maplibre-gl';
import type { MapPalette } from './mapPalette.ts';

type PaintValue = Parameters<MapLibreMap['setPaintProperty']>[2];

export type Undo = () => void;

/** What every layer of the console's map stands on. */
export interface MapStage {
  map: MapLibreMap;
  container: HTMLElement;
  palette: () => MapPalette;
  /** Runs once the style's sources and layers exist; at once when they do. Never runs after the map's end. */
  whenReady: (run: () => void) => void;
  /** Runs at every change of theme, after the new colours are in force. */
  onPalette: (run: (palette: MapPalette) => void) => Undo;
}

/** Brings the colours of layers that exist already up to date, and which are visible; their data stays where it is. */
export function repaint(map: MapLibreMap, layers: readonly LayerSpecification[]): void {
  for (const layer of layers) {
    map.setLayoutProperty(layer.id, 'visibility', layer.layout?.visibility ?? 'visible', { validate: false });
    const paint: Record<string, PaintValue | undefined> = { ...layer.paint };
    for (const name of Object.keys(paint)) {
      // The paint of another palette differs in colours alone: names and kinds of values are the layer's own.
      if (isPaintName(name, paint)) map.setPaintProperty(layer.id, name, paint[name], { validate: false });
    }
  }
}

function isPaintName(name: string, paint: object): name is Parameters<MapLibreMap['setPaintProperty']>[1] {
  return name in paint;
}

export function geoJsonSource(map: MapLibreMap, id: string): GeoJSONSource {
  const source = map.getSource<GeoJSONSource>(id);
  if (!source) throw new Error(`the map has no source ${id}`);
  return source;
}

export const NOTHING: GeoJSON.FeatureCollection = { type: 'FeatureCollection', features: [] };
