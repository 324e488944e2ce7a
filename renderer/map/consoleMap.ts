import { Map as MapLibreMap, setWorkerUrl } from 'maplibre-gl';
import 'maplibre-gl/dist/maplibre-gl.css';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import { loadMapFonts } from '../theme/fonts.ts';
import { startBaseMap } from './basemap/baseMap.ts';
import { serveTiles, type MapFiles } from './basemap/mapTiles.ts';
import { startStreetMaps } from './basemap/streetMaps.ts';
import { createCamera, type Camera } from './camera.ts';
import './map.css';
import {
  styleLayersOf,
  styleOf,
  type ConsoleLayers,
  type LayerControls,
  type LayerStage,
  type MapLayers,
} from './mapLayers.ts';
import { knownFontFaces, loadFontFaces } from './mapFonts.ts';
import { ALL_SHOWN, type ShownLayers } from './shownLayers.ts';
import { readMapPalette, type MapPalette } from './mapPalette.ts';
import { drawMapPicture, type CaptionText } from './mapPicture.ts';
import { type MapStage, type Undo, drawSymbolsOnce, repaint } from './mapStage.ts';
import { startFrames, type Frame } from './frameSelection.ts';
import { startPicking, type Pick } from './picking.ts';

export interface MapOptions<Layers extends MapLayers> {
  /** What is drawn over the base map, from the ground up. */
  layers: Layers;
  /** Where the map looks at first. */
  view: { lat: number; lon: number; zoom: number };
  /** What is shown of the layers at first; all of them when it is left out. */
  shown?: ShownLayers;
  /** Called with parts of the base map that could not be read, geofences that cannot be drawn, and MapLibre's errors. */
  onFault: (error: Error) => void;
  /** The map files of the depot. */
  files: MapFiles;
  /** Spoken name of the map. */
  label: string;
  /** Of the names on the map: the console's (BCP 47). */
  language: string;
}

/** A map: the controls of its layers by their names, and what every map can do. */
export type MapOf<Layers extends MapLayers> = LayerControls<Layers> & {
  camera: Camera;
  /** Reports what the operator clicked: a vehicle, a geofence, or the bare ground. Clusters open by themselves. */
  onPick: (run: (pick: Pick) => void) => Undo;
  /** Reports frames that the operator draws with Shift; while nobody listens the map zooms to them. */
  onFrame: (run: (frame: Frame) => void) => Undo;
  /** Shows of the layers what the operator wants to see. */
  showLayers: (shown: ShownLayers) => void;
  /** A PNG of what the map shows, with these words and whose map it is below it; as `drawMapPicture`. */
  takePicture: (caption: () => Omit<CaptionText, 'credit'>) => Promise<Blob>;
  /** Of what is seen of it, in pixels. */
  size: () => { width: number; height: number };
  destroy: Undo;
};

/** The map of Live, of History and of Geofences. */
export type ConsoleMap = MapOf<ConsoleLayers>;

setWorkerUrl(workerUrl);

/**
 * Builds a map in an element. The element must be laid out; the design tokens must be loaded. The map reads its
 * colours again when `data-theme` of the document changes.
 */
export function createMap<Layers extends MapLayers>(
  parent: HTMLElement,
  { layers, view, shown = ALL_SHOWN, files, label, language, onFault }: MapOptions<Layers>,
): MapOf<Layers> {
  const container = document.createElement('div');
  container.className = 'console-map';
  const ground = document.createElement('div');
  const credit = document.createElement('div');
  credit.className = 'map-credit';
  // Where it is too long for the map it is shortened, and shown in full to who points at it.
  credit.tabIndex = 0;
  container.append(ground, credit);
  parent.append(container);

  let palette = readMapPalette();
  let shownLayers = shown;
  let overImagery = false;
  const tiles = serveTiles(files);
  const paletteListeners = new Set<(palette: MapPalette) => void>();
  const map = new MapLibreMap({
    container: ground,
    style: styleOf(layers, { palette, language }, tiles.tilesOf, shown),
    center: [view.lon, view.lat],
    zoom: view.zoom,
    attributionControl: false,
    // North is up, always: courses on the map are compared with courses in words.
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    maxPitch: 0,
    rollEnabled: false,
    fadeDuration: 0,
    locale: { 'Map.Title': label },
  });
  drawSymbolsOnce(map);
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  map.on('error', ({ error }) => onFault(error instanceof Error ? error : new Error(error.message)));

  const ready = createReadiness();
  const reducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)');
  /** Of the layers that are declared; which these are, their owner knows. */
  const controls: Partial<LayerControls<ConsoleLayers>> = {};
  const stops: Undo[] = [];
  const base: MapStage = {
    map,
    container,
    palette: () => palette,
    whenReady: (run) => ready.when(run),
    onPalette(run) {
      paletteListeners.add(run);
      return () => paletteListeners.delete(run);
    },
  };
  const camera = createCamera(
    base,
    (id) => controls.vehicles?.get(id),
    () => reducedMotion.matches,
  );
  const stage: LayerStage = { ...base, camera, onFault };
  map.once('style.load', () => {
    // Letters that are drawn before their font is there stay wrong; the first data waits for the fonts.
    loadMapFonts()
      .catch(onFault)
      .finally(() => ready.now());
  });

  map.once('load', () => {
    if (knownFontFaces() !== null) return;
    loadFontFaces().then((faces) => {
      ready.when(() => map.setFontFaces(faces));
    }, onFault);
  });

  const paintLayers = (): void =>
    ready.when(() => repaint(map, styleLayersOf(layers, { palette, language }, shownLayers, overImagery)));
  const streetMaps = startStreetMaps(stage, files, tiles, credit, {
    isOn: () => shownLayers.imagery,
    onView(isInView) {
      if (isInView === overImagery) return;
      overImagery = isInView;
      paintLayers();
    },
  });
  const baseMap = startBaseMap(stage, onFault);
  for (const [name, layer] of Object.entries(layers)) {
    const control = layer.start(stage, controls as never);
    Object.assign(controls, { [name]: control });
    stops.unshift(() => control.stop?.());
  }
  const picking = startPicking(stage, {
    blockAt: (point) => controls.vehicles?.blockAt(point) ?? null,
    isBusy: () => controls.drawing?.isActive() ?? false,
    openCluster: (id) => controls.vehicles?.openCluster(id),
  });

  const frames = startFrames(stage, () => controls.drawing?.isActive() ?? false);

  const setTheme = (): void => {
    palette = readMapPalette();
    paintLayers();
    ready.when(() => {
      for (const run of paletteListeners) run(palette);
    });
  };
  const themeWatch = new MutationObserver(setTheme);
  themeWatch.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });

  return {
    ...(controls as LayerControls<Layers>),
    camera,
    onPick: picking.onPick,
    onFrame: frames.onFrame,
    takePicture: (caption: () => Omit<CaptionText, 'credit'>) =>
      drawMapPicture(base, () => ({ ...caption(), credit: credit.textContent })),
    size: () => ({ width: container.clientWidth, height: container.clientHeight }),
    showLayers(shown: ShownLayers) {
      shownLayers = shown;
      paintLayers();
      streetMaps.renewCredit();
    },
    destroy() {
      ready.never();
      themeWatch.disconnect();
      picking.stop();
      frames.stop();
      for (const stop of stops) stop();
      camera.stop();
      baseMap.stop();
      streetMaps.stop();
      map.remove();
      tiles.stop();
      container.remove();
    },
  };
}

/** Holds calls back until `now`; after `never`, drops them. */
function createReadiness() {
  let state: 'waiting' | 'ready' | 'over' = 'waiting';
  const undos: (() => void)[] = [];
  return {
    when(run: () => void) {
      if (state === 'ready') run();
      else if (state === 'waiting') undos.push(run);
    },
    now() {
      if (state !== 'waiting') return;
      state = 'ready';
      for (const run of undos.splice(0)) run();
    },
    never() {
      state = 'over';
      undos.length = 0;
    },
  };
}
