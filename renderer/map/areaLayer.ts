import type { LayerSpecification, MapMouseEvent } from 'maplibre-gl';
import type { MapArea } from '../../server/contract/maps.ts';
import type { MapPalette } from './mapPalette.ts';
import { geoJsonSource, NOTHING, type MapStage, type Undo } from './mapStage.ts';

export const AREA_SOURCE = 'area';

export function areaLayers(palette: MapPalette): LayerSpecification[] {
  return [
    {
      id: 'area-fill',
      type: 'fill',
      source: AREA_SOURCE,
      paint: { 'fill-color': palette.accent, 'fill-opacity': 0.14 },
    },
    {
      id: 'area-outline',
      type: 'line',
      source: AREA_SOURCE,
      paint: { 'line-color': palette.accent, 'line-width': 2 },
    },
  ];
}

/** A box between a west and an east, a south and a north, which is drawn by dragging from corner to corner. */
export function createAreaLayer(stage: MapStage, onFault: (error: Error) => void) {
  const { map } = stage;
  let area: MapArea | null = null;
  let stopDrawing: Undo | null = null;

  const draw = (): void => {
    const data: GeoJSON.FeatureCollection = area === null ? NOTHING : collectionOf(area);
    geoJsonSource(map, AREA_SOURCE).setData(data).catch(onFault);
  };
  const set = (next: MapArea | null): void => {
    area = next;
    stage.whenReady(draw);
  };

  return {
    set,
    /** The next drag draws a box, which ends the drawing; the map stays where it is meanwhile. Returns its undo. */
    draw(onDrawn: (area: MapArea) => void): Undo {
      stopDrawing?.();
      const canvas = map.getCanvas();
      let from: MapMouseEvent['lngLat'] | null = null;
      const boxTo = (to: MapMouseEvent['lngLat']): MapArea | null =>
        from === null
          ? null
          : {
              west: clamp(Math.min(from.lng, to.lng), 180),
              south: clamp(Math.min(from.lat, to.lat), 90),
              east: clamp(Math.max(from.lng, to.lng), 180),
              north: clamp(Math.max(from.lat, to.lat), 90),
            };
      const onDown = ({ lngLat }: MapMouseEvent) => (from = lngLat);
      const onMove = ({ lngLat }: MapMouseEvent) => {
        const box = boxTo(lngLat);
        if (box !== null) set(box);
      };
      const onUp = ({ lngLat }: MapMouseEvent) => {
        const box = boxTo(lngLat);
        from = null;
        if (box === null || box.west >= box.east || box.south >= box.north) return;
        end();
        set(box);
        onDrawn(box);
      };
      const end = (): void => {
        map.off('mousedown', onDown);
        map.off('mousemove', onMove);
        map.off('mouseup', onUp);
        map.dragPan.enable();
        canvas.style.cursor = '';
        stopDrawing = null;
      };
      map.dragPan.disable();
      canvas.style.cursor = 'crosshair';
      map.on('mousedown', onDown);
      map.on('mousemove', onMove);
      map.on('mouseup', onUp);
      stopDrawing = end;
      return () => stopDrawing === end && end();
    },
    /** What the map shows. */
    shown(): MapArea {
      const bounds = map.getBounds();
      return {
        west: clamp(bounds.getWest(), 180),
        south: clamp(bounds.getSouth(), 90),
        east: clamp(bounds.getEast(), 180),
        north: clamp(bounds.getNorth(), 90),
      };
    },
    stop: () => stopDrawing?.(),
  };
}

/** Three decimals are a hundred metres. */
const clamp = (degrees: number, most: number) =>
  Math.max(-most, Math.min(most, Math.round(degrees * 1_000) / 1_000));

function collectionOf({ west, south, east, north }: MapArea): GeoJSON.FeatureCollection {
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  const geometry: GeoJSON.Polygon = { type: 'Polygon', coordinates: [ring] };
  return { type: 'FeatureCollection', features: [{ type: 'Feature', properties: {}, geometry }] };
}
