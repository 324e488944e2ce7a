import type { LayerSpecification, StyleSpecification } from 'maplibre-gl';
import { Map as MapLibreMap, setWorkerUrl } from 'maplibre-gl';
import 'maplibre-gl/dist/maplibre-gl.css';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import { loadMapFonts } from '../theme/fonts.ts';
import { DETAIL_SOURCE, OVERVIEW_SOURCE, baseMapLayers, placeLayers } from './basemap/baseMapLayers.ts';
import { startBaseMap } from './basemap/baseMap.ts';
import { TOWN_SOURCE, townLabelLayers, townLayers } from './basemap/townLayers.ts';
import type { BlockText, Insets } from './callouts/blockOverlay.ts';
import { startBlockOverlay } from './callouts/blockOverlay.ts';
import type { Camera } from './camera.ts';
import { createCamera } from './camera.ts';
import type { DotLayer } from './dots/dotLayer.ts';
import { createDotLayer, dotLayers, DOT_SOURCE } from './dots/dotLayer.ts';
import type { GeofenceDrawing } from './drawing/geofenceDrawing.ts';
import { createGeofenceDrawing } from './drawing/geofenceDrawing.ts';
import { drawingLayers, PREVIEW_SOURCE } from './drawing/drawingLayers.ts';
import type { GeofenceLayer } from './geofences/geofenceLayer.ts';
import {
  GEOFENCE_LABEL_SOURCE,
  GEOFENCE_SOURCE,
  createGeofenceLayer,
  geofenceLabelLayers,
  geofenceLayers,
} from './geofences/geofenceLayer.ts';
import './map.css';
import type { MapPalette } from './mapPalette.ts';
import { readMapPalette } from './mapPalette.ts';
import type { MapStage, Undo } from './mapStage.ts';
import { NOTHING, repaint } from './mapStage.ts';
import type { Pick } from './picking.ts';
import { startPicking } from './picking.ts';
import type { MapVehicle, TrailPoint, VehicleDiff } from './vehicles/mapVehicle.ts';
import { createVehicleLayer } from './vehicles/vehicleLayer.ts';
import { VEHICLE_SOURCES, vehicleLayers } from './vehicles/vehicleLayers.ts';

export interface ConsoleMapOptions {
  /** The words of a vehicle's data block. */
  describe: (vehicle: MapVehicle) => BlockText;
  /** Where the map looks at first. */
  view: { lat: number; lon: number; zoom: number };
  /** Called with parts of the base map that could not be read, geofences that cannot be drawn, and MapLibre's errors. */
  onFault: (error: Error) => void;
  /** Spoken name of the map. */
  label: string;
  /** Room that the caller's tools take at the edges; data blocks keep out of it. */
  insets?: Insets;
}

export interface ConsoleMap {
  vehicles: {
    update: (diff: VehicleDiff) => void;
    setTrail: (id: string, points: readonly TrailPoint[]) => void;
  };
  geofences: GeofenceLayer;
  drawing: GeofenceDrawing;
  dots: DotLayer;
  camera: Camera;
  select: (id: string | null) => void;
  /** Shows all vehicles; with none, nothing moves. */
  fitVehicles: () => void;
  /** A street map of a town over the base map. */
  setTown: (town: GeoJSON.FeatureCollection | null) => void;
  /** Reports what the operator clicked: a vehicle, a geofence, or the bare ground. Clusters open by themselves. */
  onPick: (run: (pick: Pick) => void) => Undo;
  /** Reads the colours again. The map does so by itself when `data-theme` of the document changes. */
  setTheme: () => void;
  /** Asks `describe` for the words of all data blocks again. */
  refreshBlocks: () => void;
  destroy: Undo;
}

const NO_INSETS: Insets = { top: 8, right: 8, bottom: 8, left: 8 };

// Natural Earth asks for none; GeoNames is CC BY 4.0.
const CREDIT = 'Natural Earth · GeoNames (CC BY 4.0)';

/** Where no vehicles are gathered any more. */
const CLUSTER_OPEN_ZOOM = 18;

setWorkerUrl(workerUrl);

/** Builds the console's map in an element. The element must be laid out; the design tokens must be loaded. */
export function createConsoleMap(parent: HTMLElement, options: ConsoleMapOptions): ConsoleMap {
  const { onFault } = options;
  const container = document.createElement('div');
  container.className = 'console-map';
  const ground = document.createElement('div');
  container.append(ground, credit());
  parent.append(container);

  let palette = readMapPalette();
  const paletteListeners = new Set<(palette: MapPalette) => void>();
  const map = new MapLibreMap({
    container: ground,
    style: styleOf(palette),
    center: [options.view.lon, options.view.lat],
    zoom: options.view.zoom,
    attributionControl: false,
    // North is up, always: courses on the map are compared with courses in words.
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    maxPitch: 0,
    rollEnabled: false,
    fadeDuration: 0,
    locale: { 'Map.Title': options.label },
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  map.on('error', ({ error }) => onFault(error instanceof Error ? error : new Error(error.message)));

  const ready = createReadiness();
  const stage: MapStage = {
    map,
    container,
    palette: () => palette,
    whenReady: (run) => ready.when(run),
    onPalette(run) {
      paletteListeners.add(run);
      return () => paletteListeners.delete(run);
    },
  };
  map.once('style.load', () => {
    // Letters that are drawn before their font is there stay wrong; the first data waits for the fonts.
    loadMapFonts()
      .catch(onFault)
      .finally(() => ready.now());
  });

  let selectedId: string | null = null;
  const baseMap = startBaseMap(stage, onFault);
  const geofences = createGeofenceLayer(stage, onFault);
  const vehicles = createVehicleLayer(stage, onFault);
  const drawing = createGeofenceDrawing(stage, geofences, onFault);
  const dots = createDotLayer(stage, onFault);
  const blocks = startBlockOverlay(
    stage,
    vehicles,
    options.describe,
    (id) => id === selectedId,
    options.insets ?? NO_INSETS,
  );
  const reducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)');
  const camera = createCamera(
    stage,
    (id) => vehicles.get(id),
    () => reducedMotion.matches,
  );
  const picking = startPicking(stage, {
    blockAt: blocks.at,
    isBusy: drawing.isActive,
    openCluster: (id) => camera.fitAll(vehicles.members(id), CLUSTER_OPEN_ZOOM),
  });

  const setTheme = (): void => {
    palette = readMapPalette();
    ready.when(() => {
      repaint(map, layersOf(palette));
      for (const run of paletteListeners) run(palette);
    });
  };
  const themeWatch = new MutationObserver(setTheme);
  themeWatch.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });

  return {
    vehicles: {
      update(diff) {
        vehicles.update(diff);
        const followed = camera.following();
        if (followed !== null && diff.changed.some(({ id }) => id === followed)) camera.vehicleMoved();
      },
      setTrail: vehicles.setTrail,
    },
    geofences,
    drawing,
    dots,
    camera,
    select(id) {
      selectedId = id;
      vehicles.select(id);
      blocks.refresh();
    },
    fitVehicles: () => camera.fitAll([...vehicles.all()]),
    setTown: baseMap.setTown,
    onPick: picking.onPick,
    setTheme,
    refreshBlocks: blocks.refresh,
    destroy() {
      ready.never();
      themeWatch.disconnect();
      picking.stop();
      drawing.stop();
      blocks.stop();
      camera.stop();
      vehicles.stop();
      baseMap.stop();
      map.remove();
      container.remove();
    },
  };
}

/** All layers from the ground up: the order of drawing stands here alone. */
function layersOf(palette: MapPalette): LayerSpecification[] {
  return [
    ...baseMapLayers(palette),
    ...townLayers(palette),
    ...geofenceLayers(palette),
    ...placeLayers(palette),
    ...townLabelLayers(palette),
    ...geofenceLabelLayers(palette),
    ...drawingLayers(palette),
    ...dotLayers(palette),
    ...vehicleLayers(palette),
  ];
}

function styleOf(palette: MapPalette): StyleSpecification {
  const sources: StyleSpecification['sources'] = {};
  for (const id of [
    OVERVIEW_SOURCE,
    DETAIL_SOURCE,
    TOWN_SOURCE,
    GEOFENCE_SOURCE,
    GEOFENCE_LABEL_SOURCE,
    PREVIEW_SOURCE,
    DOT_SOURCE,
    ...VEHICLE_SOURCES,
  ]) {
    sources[id] = { type: 'geojson', data: NOTHING };
  }
  return { version: 8, sources, layers: layersOf(palette), transition: { duration: 0, delay: 0 } };
}

function credit(): HTMLElement {
  const element = document.createElement('div');
  element.className = 'map-credit';
  element.textContent = CREDIT;
  return element;
}

/** Holds calls back until `now`; after `never`, drops them. */
function createReadiness() {
  let state: 'waiting' | 'ready' | 'over' = 'waiting';
  const held: (() => void)[] = [];
  return {
    when(run: () => void) {
      if (state === 'ready') run();
      else if (state === 'waiting') held.push(run);
    },
    now() {
      if (state !== 'waiting') return;
      state = 'ready';
      for (const run of held.splice(0)) run();
    },
    never() {
      state = 'over';
      held.length = 0;
    },
  };
}
