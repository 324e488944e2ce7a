import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import { createFeatureSet, type FeatureSet } from '../featureSet.ts';
import { MEDIUM } from '../mapFonts.ts';
import type { MapPalette } from '../mapPalette.ts';
import { type MapStage, geoJsonSource } from '../mapStage.ts';
import { geofenceArea, type MapGeofence } from './geofenceShapes.ts';

export const GEOFENCE_SOURCE = 'geofences';
export const GEOFENCE_LABEL_SOURCE = 'geofence-labels';
export const GEOFENCE_FILL_LAYER = 'geofence-fill';

export function geofenceLayers(palette: MapPalette): LayerSpecification[] {
  const own: ExpressionSpecification = ['get', 'own'];
  return [
    {
      id: GEOFENCE_FILL_LAYER,
      type: 'fill',
      source: GEOFENCE_SOURCE,
      paint: {
        'fill-color': ['coalesce', own, palette.accent],
        'fill-opacity': 0.07,
        'fill-antialias': false,
      },
    },
    {
      id: 'geofence-outline',
      type: 'line',
      source: GEOFENCE_SOURCE,
      paint: {
        'line-color': ['coalesce', own, palette.text2],
        'line-width': 1.3,
        'line-dasharray': [3.8, 2.3],
      },
    },
  ];
}

export function geofenceLabelLayers(palette: MapPalette): LayerSpecification[] {
  const paint = {
    'text-color': palette.text2,
    'text-halo-color': palette.land,
    'text-halo-width': 1.5,
  };
  const name: ExpressionSpecification = ['get', 'name'];
  return [
    {
      id: 'geofence-name',
      type: 'symbol',
      source: GEOFENCE_LABEL_SOURCE,
      filter: ['==', ['geometry-type'], 'Point'],
      layout: {
        'text-field': name,
        'text-font': MEDIUM,
        'text-size': 11,
        'text-anchor': 'bottom',
        'text-offset': [0, -0.4],
        'text-max-width': 20,
      },
      paint,
    },
    {
      id: 'geofence-line-name',
      type: 'symbol',
      source: GEOFENCE_LABEL_SOURCE,
      filter: ['==', ['geometry-type'], 'LineString'],
      layout: {
        'symbol-placement': 'line',
        'symbol-spacing': 200,
        'text-max-angle': 60,
        'text-field': name,
        'text-font': MEDIUM,
        'text-size': 11,
      },
      paint,
    },
  ];
}

/** What one version of a geofence looks like; null for one that cannot be drawn. */
interface Computed {
  geofence: MapGeofence;
  drawn: { area: GeoJSON.Geometry; label: GeoJSON.Geometry } | null;
}

export function createGeofenceLayer(stage: MapStage, onFault: (error: Error) => void) {
  let computed = new Map<string, Computed>();
  const outlines = createFeatureSet();
  const labels = createFeatureSet();
  let visible = new Set<string>();
  let selectedId: string | null = null;
  let hiddenId: string | null = null;
  let colours = false;
  let isAsked = false;

  const compute = (geofence: MapGeofence): Computed => {
    try {
      const area = geofenceArea(geofence);
      return { geofence, drawn: { area, label: labelPlace(geofence, area) } };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      onFault(new Error(`the geofence ${geofence.name} cannot be drawn: ${error.message}`));
      return { geofence, drawn: null };
    }
  };
  const draw = (): void => {
    const before = visible;
    visible = new Set();
    for (const [id, { geofence, drawn }] of computed) {
      if (drawn === null || id === hiddenId) continue;
      visible.add(id);
      const own = (colours || id === selectedId) && geofence.color;
      outlines.put({
        type: 'Feature',
        id,
        properties: { id, ...(typeof own === 'string' ? { own } : {}) },
        geometry: drawn.area,
      });
      labels.put({ type: 'Feature', id, properties: { name: geofence.name }, geometry: drawn.label });
    }
    for (const id of before) {
      if (visible.has(id)) continue;
      outlines.remove(id);
      labels.remove(id);
    }
    send(GEOFENCE_SOURCE, outlines);
    send(GEOFENCE_LABEL_SOURCE, labels);
  };
  const send = (source: string, set: FeatureSet): void => {
    const diff = set.takeDiff();
    if (diff !== null) geoJsonSource(stage.map, source).updateData(diff).catch(onFault);
  };
  const redraw = (): void => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      stage.whenReady(draw);
    });
  };

  return {
    /** Draws these geofences in place of those before. One that cannot be drawn is reported to the map's `onFault`. */
    set(geofences: readonly MapGeofence[]) {
      const before = computed;
      computed = new Map();
      for (const geofence of geofences) {
        const known = before.get(geofence.id);
        const isSame = known?.geofence.version === geofence.version;
        computed.set(geofence.id, isSame ? known : compute(geofence));
      }
      redraw();
    },
    /** Shows one in its own colour. */
    select(id: string | null) {
      if (id === selectedId) return;
      selectedId = id;
      redraw();
    },
    /** Shows all in their own colours, as the Geofences screen does. */
    showColours(on: boolean) {
      if (on === colours) return;
      colours = on;
      redraw();
    },
    /** Leaves one out: the one that is being edited. */
    hide(id: string | null) {
      if (id === hiddenId) return;
      hiddenId = id;
      redraw();
    },
  };
}

export type GeofenceLayer = ReturnType<typeof createGeofenceLayer>;

/** Along a corridor, else above the top of the shape. */
function labelPlace(geofence: MapGeofence, area: GeoJSON.Geometry): GeoJSON.Geometry {
  if (geofence.geometry.type === 'LineString') return geofence.geometry;
  const rings =
    area.type === 'Polygon' ? area.coordinates : area.type === 'MultiPolygon' ? area.coordinates.flat() : [];
  let west = Infinity;
  let east = -Infinity;
  let north = -Infinity;
  for (const [lon = 0, lat = 0] of rings.flat()) {
    west = Math.min(west, lon);
    east = Math.max(east, lon);
    north = Math.max(north, lat);
  }
  return { type: 'Point', coordinates: [(west + east) / 2, north] };
}
