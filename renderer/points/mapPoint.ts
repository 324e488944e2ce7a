import type { AppContext } from '../appContext/appContext.ts';
import type { MapPoint, Measuring } from '../live/liveView.ts';
import { startDrawing, placeShape, endDrawing } from '../geofences/drawingActions.ts';
import { isTouched } from '../geofences/form/geofenceDraft.ts';
import type { Measure, DrawnShape } from '../map/drawing/drawnShape.ts';
import { distanceM, type LatLon } from '../map/geodesy.ts';

/** Opens what is known of a place in place of the vehicle; `locate` moves the map there too. */
export function showPoint(app: AppContext, point: MapPoint, { locate = false } = {}): void {
  const { geofenceEdit } = app.view.getState();
  if (geofenceEdit !== null) {
    if (isTouched(geofenceEdit)) return;
    endDrawing(app);
  }
  const { view } = app;
  view.setState({ point, passage: null, vehicleId: null, notificationId: null, geozoneId: null });
  if (locate) app.map.current()?.camera.flyTo(point);
}

export function closePoint(app: AppContext): void {
  app.view.setState({ point: null, passage: null });
}

/** The circle that a geofence at a place begins with. */
const NEW_CIRCLE_M = 100;

/** Begins a geofence: a circle round a place. */
export function drawCircleAt(app: AppContext, { lat, lon }: LatLon): void {
  closePoint(app);
  startDrawing(app, 'circle');
  placeShape(app, {
    shape: 'circle',
    geometry: { type: 'Point', coordinates: [lon, lat] },
    radius_m: NEW_CIRCLE_M,
  });
}

/** Measures a distance or an area by hand; a shape that is finished can still be moved. */
export function startMeasuring(app: AppContext, shape: Measuring['shape']): void {
  const map = app.map.current();
  if (map === null || app.view.getState().geofenceEdit !== null) return;
  closePoint(app);
  app.view.setState({ measuring: { shape, sizes: null } });
  const callbacks = {
    onChange: (_: DrawnShape | null, sizes: Measure | null) =>
      app.view.setState({ measuring: { shape, sizes } }),
    onStep: () => undefined,
    onFinish: (drawn: DrawnShape) => void map.drawing.edit(drawn, callbacks),
    onCancel: () => app.view.setState({ measuring: null }),
  };
  map.drawing.draw(shape, callbacks, MEASURED_WIDTH_M);
}

/** A measured line is as thin as the tool draws one. */
const MEASURED_WIDTH_M = 1;

export function stopMeasuring(app: AppContext): void {
  app.map.current()?.drawing.stop();
  app.view.setState({ measuring: null });
}

export interface NearVehicle {
  vehicleId: string;
  distanceM: number;
  /** From the place, degrees clockwise from north. */
  bearingDeg: number;
}

/** The vehicles nearest to a place by their last fixes. */
export function nearestVehicles(
  place: LatLon,
  fixes: Iterable<readonly [vehicleId: string, fix: LatLon]>,
  count: number,
): NearVehicle[] {
  const nearest: NearVehicle[] = [];
  for (const [vehicleId, fix] of fixes) {
    const far = distanceM(place, fix);
    const last = nearest[count - 1];
    if (last !== undefined && far >= last.distanceM) continue;
    nearest.push({ vehicleId, distanceM: far, bearingDeg: bearingDeg(place, fix) });
    nearest.sort((a, b) => a.distanceM - b.distanceM);
    if (nearest.length > count) nearest.pop();
  }
  return nearest;
}

/** The course along the great circle at its beginning. */
function bearingDeg(from: LatLon, to: LatLon): number {
  const [a, b] = [(from.lat * Math.PI) / 180, (to.lat * Math.PI) / 180];
  const east = ((to.lon - from.lon) * Math.PI) / 180;
  const y = Math.sin(east) * Math.cos(b);
  const x = Math.cos(a) * Math.sin(b) - Math.sin(a) * Math.cos(b) * Math.cos(east);
  return (Math.atan2(y, x) * 180) / Math.PI;
}
