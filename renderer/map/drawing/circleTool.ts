import type { MapMouseEvent, MapTouchEvent } from 'maplibre-gl';
import { circleRing } from '../geofences/geofenceShapes.ts';
import { destination, latLon } from '../geodesy.ts';
import { type MapStage, NOTHING, geoJsonSource } from '../mapStage.ts';
import { PREVIEW_SOURCE, type DrawingTool, type ToolEvents } from './drawingTool.ts';
import { type DrawnShape, radiusBetween, roundPosition } from './drawnShape.ts';

/** A press this near to a handle takes it. */
const REACH_PX = 14;

type Handle = 'centre' | 'edge';

/**
 * Draws and edits a circle as a centre and a radius, never as a polygon. New: press for the centre, then drag or click
 * for the edge. Existing: drag the centre to move it, the handle at the edge to size it.
 */
export function startCircleTool(
  stage: MapStage,
  start: Extract<DrawnShape, { shape: 'circle' }> | null,
  events: ToolEvents,
): DrawingTool {
  const { map } = stage;
  const canvas = map.getCanvas();
  let centre: GeoJSON.Position | null = start ? start.geometry.coordinates : null;
  let radiusM = start ? start.radius_m : 0;
  /** Direction of the edge handle from the centre, degrees. */
  let handleDeg = 90;
  let dragged: Handle | null = null;
  /** A new circle's edge goes with the pointer until the second click. */
  let sizing = false;
  const isNew = start === null;
  /** A centre that was undone. */
  let undone: GeoJSON.Position | null = null;

  const current = (): DrawnShape | null =>
    centre && {
      shape: 'circle',
      geometry: { type: 'Point', coordinates: roundPosition(centre) },
      radius_m: radiusM,
    };
  const edgeOf = (from: GeoJSON.Position): GeoJSON.Position => {
    const { lat, lon } = destination(latLon(from), handleDeg, radiusM);
    return [lon, lat];
  };

  const draw = (): void => {
    const features: GeoJSON.Feature[] = [];
    const add = (geometry: GeoJSON.Geometry): void => {
      features.push({ type: 'Feature', properties: {}, geometry });
    };
    if (centre) {
      if (radiusM > 0) {
        add({ type: 'Polygon', coordinates: [circleRing(latLon(centre), radiusM)] });
        add({ type: 'Point', coordinates: edgeOf(centre) });
      }
      add({ type: 'Point', coordinates: centre });
    }
    geoJsonSource(map, PREVIEW_SOURCE).setData({ type: 'FeatureCollection', features }).catch(events.onFault);
  };
  const changed = (): void => {
    draw();
    events.onChange(current());
  };
  const sizeTo = (edge: GeoJSON.Position): void => {
    if (!centre) return;
    radiusM = radiusBetween(centre, edge);
    const [lon = 0, lat = 0] = edge;
    const [lon0 = 0, lat0 = 0] = centre;
    handleDeg = (Math.atan2((lon - lon0) * Math.cos((lat0 * Math.PI) / 180), lat - lat0) * 180) / Math.PI;
  };

  const handleAt = ({ x, y }: { x: number; y: number }): Handle | null => {
    if (!centre) return null;
    const near = ([lon = 0, lat = 0]: GeoJSON.Position): boolean => {
      const point = map.project([lon, lat]);
      return Math.hypot(point.x - x, point.y - y) <= REACH_PX;
    };
    if (radiusM > 0 && near(edgeOf(centre))) return 'edge';
    return near(centre) ? 'centre' : null;
  };

  const onPress = (event: MapMouseEvent | MapTouchEvent): void => {
    if (sizing) return;
    const handle = handleAt(event.point);
    if (handle === null && centre) return;
    // Otherwise the map would be dragged with the handle.
    event.preventDefault();
    if (centre) dragged = handle;
    else {
      centre = [event.lngLat.lng, event.lngLat.lat];
      sizing = true;
      undone = null;
      changed();
    }
  };
  const onPointer = (event: MapMouseEvent | MapTouchEvent): void => {
    const at: GeoJSON.Position = [event.lngLat.lng, event.lngLat.lat];
    if (sizing || dragged === 'edge') sizeTo(at);
    else if (dragged === 'centre') centre = at;
    else {
      canvas.style.cursor = centre === null ? 'crosshair' : handleAt(event.point) === null ? '' : 'grab';
      return;
    }
    changed();
  };
  const onRelease = (event: MapMouseEvent | MapTouchEvent): void => {
    if (dragged !== null) {
      dragged = null;
      events.onStep();
    }
    // A press and release at one place sets the centre alone; after a drag, or at the second click, the size stands.
    if (!sizing || !centre) return;
    const [lon = 0, lat = 0] = centre;
    const from = map.project([lon, lat]);
    if (Math.hypot(from.x - event.point.x, from.y - event.point.y) <= 4) return;
    sizing = false;
    const drawn = current();
    if (isNew && drawn) events.onFinish(drawn);
  };

  canvas.style.cursor = isNew ? 'crosshair' : '';
  map.on('mousedown', onPress);
  map.on('touchstart', onPress);
  map.on('mousemove', onPointer);
  map.on('touchmove', onPointer);
  map.on('mouseup', onRelease);
  map.on('touchend', onRelease);
  draw();

  return {
    current,
    finish() {
      const drawn = current();
      if (drawn) events.onFinish(drawn);
    },
    setSizeM(sizeM) {
      radiusM = sizeM;
      if (centre) changed();
    },
    undo() {
      if (!sizing) return false;
      undone = centre;
      centre = null;
      radiusM = 0;
      sizing = false;
      changed();
      return true;
    },
    redo() {
      if (undone === null) return false;
      centre = undone;
      undone = null;
      sizing = true;
      changed();
      return true;
    },
    canRedo: () => undone !== null,
    stop() {
      canvas.style.cursor = '';
      map.off('mousedown', onPress);
      map.off('touchstart', onPress);
      map.off('mousemove', onPointer);
      map.off('touchmove', onPointer);
      map.off('mouseup', onRelease);
      map.off('touchend', onRelease);
      geoJsonSource(map, PREVIEW_SOURCE).setData(NOTHING).catch(events.onFault);
    },
  };
}
