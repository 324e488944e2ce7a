import type { Event } from '../../server/contract/events.ts';
import type { Notification } from '../../server/contract/notifications.ts';
import type { FoundPlace } from '../../server/contract/places.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { noteSelection } from '../live/liveActions.ts';
import { writePoint, type MapPoint, type Measuring } from '../live/liveView.ts';
import { meetsLevel } from '../../server/contract/rights.ts';
import { startDrawing, placeShape } from '../geofences/drawingActions.ts';
import type { Measure, DrawnShape } from '../map/drawing/drawnShape.ts';
import { distanceM, type LatLon } from '../map/geodesy.ts';

/** Opens what is known of a point, in place of the vehicle; `locate` moves the map there too. */
export function showPoint(
  app: AppContext,
  point: MapPoint,
  { locate = false, zoom = undefined as number | undefined } = {},
): void {
  const { view } = app;
  view.setState({ point, passage: null, vehicleId: null, notificationId: null, geozoneId: null });
  noteSelection(app);
  if (locate) app.map.current()?.camera.flyTo(point, zoom);
}

/** A town or a lake with what lies round it. */
const AREA_ZOOM = 13;

/** Goes to a place that was found by its name. While a geofence is drawn, the map moves and nothing else. */
export function showFound(app: AppContext, { kind, text, lat, lon }: FoundPlace): void {
  const zoom = kind === 'place' || kind === 'water' ? AREA_ZOOM : undefined;
  const { geofenceEdit, measuring } = app.view.getState();
  if (geofenceEdit !== null || measuring !== null) {
    app.map.current()?.camera.flyTo({ lat, lon }, zoom);
    return;
  }
  const point = { lat, lon, name: kind === 'coordinates' ? null : text };
  app.navigation.go('live', { point: writePoint(point) });
  showPoint(app, point, { locate: true, zoom });
}

export function closePoint(app: AppContext): void {
  app.view.setState({ point: null, passage: null });
  noteSelection(app);
}

/** The right to geofences: to the server, a search for who passed is the preview of a circle. */
export const maySeePassages = ({ user }: Pick<AppContext, 'user'>): boolean =>
  user.role === 'dealer' || meetsLevel(user.rights.geofences, 'read');

/** Who passed the place of an event is looked for within so long before and after it. */
const AROUND_MS = 30 * 60_000;

/** Opens the place of an event on Live, with the vehicles that passed it about that time. */
export function showPassages(app: AppContext, { lat, lon, at }: LatLon & { at: string }): void {
  const around = Date.parse(at);
  const point = { lat, lon, name: null, period: { from: around - AROUND_MS, to: around + AROUND_MS } };
  app.navigation.go('live', { point: writePoint(point) });
  showPoint(app, point, { locate: true });
}

/** Where and when an event was; null for one without a place. */
export function momentOf(
  row: Pick<Notification, 'lat' | 'lon' | 'last_time'> | Pick<Event, 'lat' | 'lon' | 'time'>,
): (LatLon & { at: string }) | null {
  const { lat, lon } = row;
  return lat === null || lon === null ? null : { lat, lon, at: 'time' in row ? row.time : row.last_time };
}

/** Map services, and the map application of the computer, by links. */
export function linksTo({ lat, lon }: LatLon) {
  const at = `${lat.toFixed(6)},${lon.toFixed(6)}`;
  return [
    {
      id: 'osm',
      href: `https://www.openstreetmap.org/?mlat=${lat.toFixed(6)}&mlon=${lon.toFixed(6)}#map=17/${lat.toFixed(5)}/${lon.toFixed(5)}`,
    },
    { id: 'google', href: `https://www.google.com/maps/search/?api=1&query=${at}` },
    // RFC 5870; the query is what Android's applications mark.
    { id: 'geo', href: `geo:${at}?q=${at}` },
  ] as const;
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
  stopMeasuring(app);
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
  app.map.drawing()?.drawing.stop();
  app.view.setState({ measuring: null });
}

interface NearVehicle {
  vehicleId: string;
  distanceM: number;
  /** From the place, degrees clockwise from north. */
  bearingDeg: number;
}

/** The vehicles nearest to a place by their last fixes; those without one are left out. */
export function nearestVehicles(
  place: LatLon,
  vehicleIds: Iterable<string>,
  fixOf: (vehicleId: string) => LatLon | null,
  count: number,
): NearVehicle[] {
  const nearest: NearVehicle[] = [];
  for (const vehicleId of vehicleIds) {
    const fix = fixOf(vehicleId);
    if (fix === null) continue;
    const far = distanceM(place, fix);
    const last = nearest[count - 1];
    if (last !== undefined && far >= last.distanceM) continue;
    nearest.push({ vehicleId, distanceM: far, bearingDeg: bearingDeg(place, fix) });
    nearest.sort((a, b) => a.distanceM - b.distanceM);
    if (nearest.length > count) nearest.pop();
  }
  return nearest;
}

/** The course along the great circle at its beginning, -180 to 180. */
function bearingDeg(from: LatLon, to: LatLon): number {
  const [a, b] = [(from.lat * Math.PI) / 180, (to.lat * Math.PI) / 180];
  const east = ((to.lon - from.lon) * Math.PI) / 180;
  const y = Math.sin(east) * Math.cos(b);
  const x = Math.cos(a) * Math.sin(b) - Math.sin(a) * Math.cos(b) * Math.cos(east);
  return (Math.atan2(y, x) * 180) / Math.PI;
}
