import type { StyleImageMetadata } from 'maplibre-gl';
import { baseMapIndex } from 'virtual:base-map';
import type { MapPalette } from '../mapPalette.ts';
import { type MapStage, type Undo, geoJsonSource } from '../mapStage.ts';
import { type BaseMapPart, DETAIL_ZOOM, cellBox, cellsInView, parseBaseMapPart } from './baseMapData.ts';
import { type BaseKind, DETAIL_SOURCE, OVERVIEW_SOURCE } from './baseMapLayers.ts';
import { POI_IMAGE, SHIELD_IMAGE } from './streetLabels.ts';

// Adding a whole dense cell at once would hold the main thread for some 60 ms.
const FEATURES_PER_STEP = 2_000;

/**
 * Fills the ground of the map from the bundled files: the overview at once, close-up cells as the view reaches them.
 * A part that cannot be read is reported to `onFault`; the rest of the map stays, and the part is tried at the next move.
 */
export function startBaseMap(stage: MapStage, onFault: (error: Error) => void): { stop: Undo } {
  const { map } = stage;
  const needed = new Set<string>();
  let stopped = false;

  const load = async (name: string, address: string, source: string): Promise<void> => {
    const part = await fetchPart(address);
    const features = featuresOf(name, part, source === DETAIL_SOURCE);
    for (let i = 0; i < features.length; i += FEATURES_PER_STEP) {
      if (stopped) return;
      // Each step waits for the worker, so frames are drawn between steps.
      await geoJsonSource(map, source).updateData({ add: features.slice(i, i + FEATURES_PER_STEP) });
    }
  };
  const want = (name: string, address: string, source: string): void => {
    if (needed.has(name)) return;
    needed.add(name);
    load(name, address, source).catch((error: unknown) => {
      needed.delete(name);
      if (!stopped) onFault(error instanceof Error ? error : new Error(String(error)));
    });
  };
  const loadView = (): void => {
    if (map.getZoom() < DETAIL_ZOOM - 0.5) return;
    const bounds = map.getBounds();
    const view = {
      west: bounds.getWest(),
      east: bounds.getEast(),
      south: bounds.getSouth(),
      north: bounds.getNorth(),
    };
    for (const cell of cellsInView(view)) {
      const address = baseMapIndex.cells[cell];
      if (address !== undefined) want(cell, address, DETAIL_SOURCE);
    }
  };

  stage.whenReady(() => {
    map.addImage(SHIELD_IMAGE, drawShield(stage.palette()), SHIELD_STRETCH);
    map.addImage(POI_IMAGE, drawDot(stage.palette()), { pixelRatio: PIXEL_RATIO });
    want('overview', baseMapIndex.overview, OVERVIEW_SOURCE);
    loadView();
    map.on('moveend', loadView);
  });
  const offPalette = stage.onPalette((palette) => {
    map.updateImage(SHIELD_IMAGE, drawShield(palette));
    map.updateImage(POI_IMAGE, drawDot(palette));
  });

  return {
    stop() {
      stopped = true;
      offPalette();
      map.off('moveend', loadView);
    },
  };
}

async function fetchPart(address: string): Promise<BaseMapPart> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`the base map's part ${address} answers ${answer.status}`);
  const part = parseBaseMapPart(await answer.json());
  if (!part) throw new Error(`the base map's part ${address} is damaged`);
  return part;
}

function featuresOf(name: string, part: BaseMapPart, close: boolean): GeoJSON.Feature[] {
  const features: GeoJSON.Feature[] = [];
  const add = (
    kind: BaseKind,
    geometry: GeoJSON.Geometry,
    properties: GeoJSON.GeoJsonProperties = {},
  ): void => {
    features.push({
      type: 'Feature',
      id: `${name}/${features.length}`,
      properties: { kind, ...properties },
      geometry,
    });
  };
  if (close) add('sea', rectangle(cellBox(name)));
  if (part.land.length > 0) add('land', { type: 'MultiPolygon', coordinates: part.land });
  if (part.borders.length > 0) add('border', { type: 'MultiLineString', coordinates: part.borders });
  for (const [placeName, lon, lat, minZoom, population] of part.places) {
    add('place', { type: 'Point', coordinates: [lon, lat] }, { name: placeName, minZoom, population });
  }
  return features;
}

function rectangle({ west, south, east, north }: ReturnType<typeof cellBox>): GeoJSON.Polygon {
  return {
    type: 'Polygon',
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  };
}

const PIXEL_RATIO = 2;
const WIDTH_PX = 24;
const HEIGHT_PX = 15;
const RADIUS_PX = 3;

/** How MapLibre may widen the shield to the road's number. */
const SHIELD_STRETCH: Partial<StyleImageMetadata> & { pixelRatio: number } = {
  pixelRatio: PIXEL_RATIO,
  stretchX: [[8, 40]],
  stretchY: [[8, 22]],
  content: [4, 4, 44, 26],
};

function drawShield(palette: MapPalette): ImageData {
  return drawn(WIDTH_PX, HEIGHT_PX, (context) => {
    context.roundRect(0.5, 0.5, WIDTH_PX - 1, HEIGHT_PX - 1, RADIUS_PX);
    context.fillStyle = palette.shield;
    context.fill();
    context.strokeStyle = palette.label;
    context.lineWidth = 0.8;
    context.stroke();
  });
}

const DOT_PX = 6;

function drawDot(palette: MapPalette): ImageData {
  return drawn(DOT_PX, DOT_PX, (context) => {
    context.arc(DOT_PX / 2, DOT_PX / 2, 2, 0, 2 * Math.PI);
    context.fillStyle = palette.label;
    context.fill();
  });
}

function drawn(
  widthPx: number,
  heightPx: number,
  draw: (context: OffscreenCanvasRenderingContext2D) => void,
): ImageData {
  const canvas = new OffscreenCanvas(widthPx * PIXEL_RATIO, heightPx * PIXEL_RATIO);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('this browser draws no canvas');
  context.scale(PIXEL_RATIO, PIXEL_RATIO);
  context.beginPath();
  draw(context);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}
