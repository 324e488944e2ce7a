import type { GeoJSONSource, LayerSpecification, Map as MapLibreMap, MapSourceDataEvent } from 'maplibre-gl';
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

/** Longer than the tiles of a full map take where it is drawn fast, and hardly noticed where it is not. */
const LONGEST_HOLD_MS = 250;
/** What the operator does to a map is drawn at once. */
const GESTURES = ['movestart', 'mousedown', 'touchstart', 'wheel'] as const;

/**
 * Places a map's symbols in a task of its own, ahead of the picture that shows them. MapLibre does both in one, which is
 * the longest task of the console where there are many vehicles.
 */
function createEarlyPlacement(map: MapLibreMap) {
  const { style } = map;
  const update = style._updatePlacement.bind(style);
  let isPlaced = false;
  style._updatePlacement = (transform, boxes, fadeMs, acrossSources, force) => {
    const isEarly = isPlaced && !force && !style._placementInputsChanged(transform, boxes, acrossSources);
    isPlaced = false;
    return isEarly ? false : update(transform, boxes, fadeMs, acrossSources, force);
  };
  const outdate = (): void => {
    isPlaced = false;
  };
  map.on('styledata', outdate);
  return {
    place(): void {
      // Layers that the next picture changes are placed within it.
      if (map.isStyleLoaded() !== true || map._styleDirty) return;
      update(map._camera.transform, map.showCollisionBoxes, 0, map._crossSourceCollisions);
      isPlaced = true;
    },
    isPlaced: () => isPlaced,
    /** To be called when a tile has come: its symbols are to be placed, too. */
    outdate,
    stop(): void {
      map.off('styledata', outdate);
      style._updatePlacement = update;
    },
  };
}

/**
 * Holds a map's pictures back while the tiles of a source come from the workers, one by one: each would be a picture of
 * the whole map. When all are there, their symbols are placed, their buffers handed to the graphics card and the picture
 * drawn in a task each.
 */
export function createRepaintHold(map: MapLibreMap, sourceId: string) {
  const repaint = map.triggerRepaint.bind(map);
  const placement = createEarlyPlacement(map);
  let timer: ReturnType<typeof setTimeout> | null = null;
  let uploading: ReturnType<typeof setTimeout> | null = null;
  let isWanted = false;
  const release = (): void => {
    if (uploading !== null) clearTimeout(uploading);
    uploading = null;
    if (timer === null) return;
    clearTimeout(timer);
    timer = null;
    if (isWanted) repaint();
    isWanted = false;
  };
  const upload = (): void => {
    // Symbols can be handed over once they are placed.
    if (placement.isPlaced()) map.style.tileManagers[sourceId]?.prepare(map.painter.context);
    release();
  };
  const onData = ({ sourceId: id, isSourceLoaded, sourceDataType }: MapSourceDataEvent): void => {
    placement.outdate();
    // The first word of a change comes before its tiles are asked for.
    if (id !== sourceId || !isSourceLoaded || sourceDataType === 'metadata') return;
    if (timer === null || !isWanted || map.isMoving()) {
      release();
      return;
    }
    placement.place();
    if (placement.isPlaced()) uploading ??= setTimeout(upload);
    else release();
  };
  map.triggerRepaint = () => {
    if (timer === null || map.isMoving()) repaint();
    else isWanted = true;
  };
  map.on('sourcedata', onData);
  for (const gesture of GESTURES) map.on(gesture, release);
  return {
    /** To be called with a change of the source. */
    hold(): void {
      timer ??= setTimeout(release, LONGEST_HOLD_MS);
    },
    stop(): void {
      release();
      placement.stop();
      map.triggerRepaint = repaint;
      map.off('sourcedata', onData);
      for (const gesture of GESTURES) map.off(gesture, release);
    },
  };
}

/**
 * Spares a map without fading its second picture after each change of symbols. MapLibre places all symbols within the
 * picture that first shows the new ones, then calls what it has just placed stale, as if it had taken several pictures,
 * and places and draws all of it once more.
 */
export function drawSymbolsOnce(map: MapLibreMap): void {
  map.once('render', () => {
    // Each picture has a placement of its own: only what they have in common can be changed.
    const placements = Object.getPrototypeOf(map.style.placement) as typeof map.style.placement;
    placements.setStale = () => undefined;
  });
}

export const NOTHING: GeoJSON.FeatureCollection = { type: 'FeatureCollection', features: [] };
