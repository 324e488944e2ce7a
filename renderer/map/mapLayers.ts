import type { LayerSpecification, StyleSpecification } from 'maplibre-gl';
import type { ComposedMap } from '../../server/contract/maps.ts';
import { DETAIL_SOURCE, OVERVIEW_SOURCE, baseMapLayers, placeLayers } from './basemap/baseMapLayers.ts';
import { IMAGERY_SOURCE, imageryZooms, STREETS_SOURCE, streetZooms } from './basemap/mapTiles.ts';
import { streetLabelLayers } from './basemap/streetLabels.ts';
import { streetLayers } from './basemap/streetLayers.ts';
import { startBlockOverlay, type BlockText, type Insets } from './callouts/blockOverlay.ts';
import type { CameraControl } from './camera.ts';
import { AREA_SOURCE, areaLayers, createAreaLayer } from './areaLayer.ts';
import { drawingLayers, PREVIEW_SOURCE } from './drawing/drawingTool.ts';
import { createGeofenceDrawing } from './drawing/geofenceDrawing.ts';
import {
  GEOFENCE_LABEL_SOURCE,
  GEOFENCE_SOURCE,
  createGeofenceLayer,
  geofenceLabelLayers,
  geofenceLayers,
  type GeofenceLayer,
} from './geofences/geofenceLayer.ts';
import { knownFontFaces } from './mapFonts.ts';
import type { MapPalette } from './mapPalette.ts';
import { ALL_SHOWN, chooseLayers, type ShownLayers } from './shownLayers.ts';
import { NOTHING, type MapStage, type Undo, geoJsonSource } from './mapStage.ts';
import { createPointLayer, POINT_SOURCE, pointLayers } from './pointLayer.ts';
import { createTrackLayer, TRACK_SOURCE, trackLayers } from './trackLayer.ts';
import type { MapVehicle, VehicleDiff } from './vehicles/vehicleFeatures.ts';
import { createVehicleLayer } from './vehicles/vehicleLayer.ts';
import {
  VEHICLE_BUFFER_PX,
  VEHICLE_SOURCE,
  VEHICLE_SOURCES,
  vehicleLayers,
} from './vehicles/vehicleLayers.ts';
import type { LatLon } from './geodesy.ts';

const DOT_SOURCE = 'dots';

function dotLayers(palette: MapPalette): LayerSpecification[] {
  return [
    {
      id: 'dot',
      type: 'circle',
      source: DOT_SOURCE,
      filter: ['!', ['get', 'marked']],
      paint: {
        'circle-radius': 3,
        'circle-color': palette.accent,
        'circle-stroke-color': palette.land,
        'circle-stroke-width': 1,
      },
    },
    {
      id: 'dot-mark',
      type: 'circle',
      source: DOT_SOURCE,
      filter: ['get', 'marked'],
      paint: {
        'circle-radius': 10,
        'circle-opacity': 0,
        'circle-stroke-color': palette.accent,
        'circle-stroke-width': 2,
      },
    },
  ];
}

/** Places of the past that a pane speaks of. */
function createDotLayer(stage: MapStage, onFault: (error: Error) => void) {
  let dots: readonly LatLon[] = [];
  let markedPlace: LatLon | null = null;

  const draw = (): void => {
    const features = dots.map((place) => feature(place, false));
    if (markedPlace !== null) features.push(feature(markedPlace, true));
    geoJsonSource(stage.map, DOT_SOURCE).setData({ type: 'FeatureCollection', features }).catch(onFault);
  };
  return {
    /** Draws these in place of those before. */
    set(places: readonly LatLon[]) {
      dots = places;
      stage.whenReady(draw);
    },
    /** Rings one of them, or none. */
    mark(place: LatLon | null) {
      markedPlace = place;
      stage.whenReady(draw);
    },
  };
}

function feature({ lat, lon }: LatLon, marked: boolean): GeoJSON.Feature {
  return { type: 'Feature', properties: { marked }, geometry: { type: 'Point', coordinates: [lon, lat] } };
}

/** What a declared layer is started with. */
export interface LayerStage extends MapStage {
  camera: CameraControl;
  onFault: (error: Error) => void;
}

/** One layer of a map as its owner declares it: what it draws with, and what starts it. */
export interface MapLayer<Control extends object = object> {
  sources: readonly string[];
  /** What lies on the ground, under the names of all layers. */
  ground?: (palette: MapPalette) => LayerSpecification[];
  /** Its names, and what stands above the ground. */
  above?: (palette: MapPalette) => LayerSpecification[];
  /** `below` are the controls of the layers that were declared before it, by their names. */
  start: (stage: LayerStage, below: never) => Control & { stop?: Undo };
}

export type MapLayers = Readonly<Record<string, MapLayer>>;
export type LayerControls<Layers extends MapLayers> = {
  [Name in keyof Layers]: ReturnType<Layers[Name]['start']>;
};

/** How a map looks: its colours, and the language of its names (BCP 47). */
export interface MapLook {
  palette: MapPalette;
  language: string;
}

/**
 * All style layers from the ground up: the order of drawing stands here alone.
 *
 * @param overImagery whether imagery is drawn in the view
 */
export function styleLayersOf(
  layers: MapLayers,
  { palette, language }: MapLook,
  shown: ShownLayers,
  overImagery = false,
): LayerSpecification[] {
  const declared = Object.values(layers);
  const all = [
    ...baseMapLayers(palette),
    ...streetLayers(palette),
    ...declared.flatMap((layer) => layer.ground?.(palette) ?? []),
    ...streetLabelLayers(palette, language),
    ...placeLayers(palette),
    ...declared.flatMap((layer) => layer.above?.(palette) ?? []),
  ];
  return chooseLayers(all, shown, overImagery, palette);
}

/**
 * The style that a map begins with: all sources empty but those of map files.
 *
 * @param tilesOf the addresses of their tiles
 */
export function styleOf(
  layers: MapLayers,
  look: MapLook,
  tilesOf: (of: ComposedMap) => string[],
  shown = ALL_SHOWN,
): StyleSpecification {
  const sources: StyleSpecification['sources'] = {
    [STREETS_SOURCE]: { type: 'vector', tiles: tilesOf('streets'), ...streetZooms },
    [IMAGERY_SOURCE]: { type: 'raster', tiles: tilesOf('imagery'), tileSize: 256, ...imageryZooms },
  };
  const declared = Object.values(layers).flatMap((layer) => layer.sources);
  for (const id of [OVERVIEW_SOURCE, DETAIL_SOURCE, ...declared]) {
    sources[id] = {
      type: 'geojson',
      data: NOTHING,
      ...(id === VEHICLE_SOURCE && { buffer: VEHICLE_BUFFER_PX }),
    };
  }
  const fontFaces = knownFontFaces();
  return {
    version: 8,
    ...(fontFaces === null ? {} : { 'font-faces': fontFaces }),
    sources,
    layers: styleLayersOf(layers, look, shown),
    transition: { duration: 0, delay: 0 },
  };
}

/** Where no vehicles are gathered any more. */
const CLUSTER_OPEN_ZOOM = 18;

export interface VehicleOptions {
  /** The words of a vehicle's data block. */
  describe: (vehicle: MapVehicle) => BlockText;
  /** The count of alarms whose labels have no free place. */
  describeRest: (count: number) => string;
  /** Room that the owner's tools take at the edges; data blocks keep out of it. */
  insets: Insets;
}

/** Vehicles with their trails and data blocks. */
export const vehicles = ({ describe, describeRest, insets }: VehicleOptions) => ({
  sources: VEHICLE_SOURCES,
  above: vehicleLayers,
  start(stage: LayerStage) {
    const { camera } = stage;
    let selectedId: string | null = null;
    const layer = createVehicleLayer(stage, stage.onFault);
    const blocks = startBlockOverlay(stage, layer, describe, describeRest, (id) => id === selectedId, insets);
    return {
      get: layer.get,
      setTrail: (...trail: Parameters<typeof layer.setTrail>) => layer.setTrail(...trail),
      blockAt: (point: Parameters<typeof blocks.at>[0]) => blocks.at(point),
      /** Asks `describe` for the words of all data blocks again. */
      refreshBlocks: blocks.refresh,
      update(diff: VehicleDiff) {
        layer.update(diff);
        if (camera.follows(diff.changed)) camera.vehiclesMoved();
      },
      select(id: string | null) {
        selectedId = id;
        layer.select(id);
        blocks.refresh();
      },
      ring: (ids: ReadonlySet<string>) => layer.ring(ids),
      /** Those that can be distinguished on what the map shows. */
      seen: () =>
        layer.seenIn(camera.view(), {
          width: stage.container.clientWidth,
          height: stage.container.clientHeight,
        }),
      /** Shows all vehicles; with none, nothing moves. */
      fit: () => camera.fitAll([...layer.all()]),
      openCluster: (id: string) => camera.fitAll(layer.members(id), CLUSTER_OPEN_ZOOM),
      stop() {
        blocks.stop();
        layer.stop();
      },
    };
  },
});

const geofences = ({ ownColours = false } = {}) => ({
  sources: [GEOFENCE_SOURCE, GEOFENCE_LABEL_SOURCE],
  ground: geofenceLayers,
  above: geofenceLabelLayers,
  start(stage: LayerStage) {
    const layer = createGeofenceLayer(stage, stage.onFault);
    layer.showColours(ownColours);
    return layer;
  },
});

/** The drawing of geofences, over those that are there. */
const drawing = {
  sources: [PREVIEW_SOURCE],
  above: drawingLayers,
  start: (stage: LayerStage, below: { geofences: GeofenceLayer }) =>
    createGeofenceDrawing(stage, below.geofences, stage.onFault),
};

const dots = {
  sources: [DOT_SOURCE],
  above: dotLayers,
  start: (stage: LayerStage) => createDotLayer(stage, stage.onFault),
};

const point = {
  sources: [POINT_SOURCE],
  above: pointLayers,
  start: (stage: LayerStage) => createPointLayer(stage, stage.onFault),
};

/** A box that is drawn on the map. */
export const area = {
  sources: [AREA_SOURCE],
  above: areaLayers,
  start: (stage: LayerStage) => createAreaLayer(stage, stage.onFault),
};

const track = {
  sources: [TRACK_SOURCE],
  above: trackLayers,
  start: (stage: LayerStage) => createTrackLayer(stage, stage.onFault),
};

/** What one row of a report is about: a track, places, and the geofences around them. */
export const reportLayers = { geofences: geofences(), dots, track };
export type ReportLayers = typeof reportLayers;

/** Everything that Live, History and Geofences draw, from the ground up. */
export const consoleLayers = (options: VehicleOptions & { ownColours?: boolean }) => ({
  geofences: geofences(options),
  drawing,
  dots,
  point,
  track,
  vehicles: vehicles(options),
});
export type ConsoleLayers = ReturnType<typeof consoleLayers>;
