import type { LngLatBoundsLike } from 'maplibre-gl';
import { fromUnit, inUnit } from '../format/units.ts';
import { type LatLon, metresPerPixel } from './geodesy.ts';
import { keepInView } from './keepInView.ts';
import type { MapStage, Undo } from './mapStage.ts';

/** The map moves this long at the most; what is farther than two screens is jumped to. */
const FLIGHT_MS = 150;
const FARTHEST_FLIGHT_SCREENS = 2;
const FIT_PADDING_PX = 64;
const FIT_MAX_ZOOM = 16;
const LOCATE_ZOOM = 15;
const SCALE_MAX_PX = 100;

export interface Camera {
  /** Centres on a place; without a zoom it comes near enough to distinguish streets, and never goes farther away. */
  flyTo: (place: LatLon, zoom?: number) => void;
  /** Shows all the places at once; nothing happens for none. */
  fitAll: (places: readonly LatLon[], maxZoom?: number) => void;
  zoomIn: () => void;
  zoomOut: () => void;
  /** Moves with a vehicle from now on, or keeps several in view, until it is given none or the operator drags the map. */
  follow: (ids: readonly string[]) => void;
  following: () => readonly string[];
  onFollow: (run: (ids: readonly string[]) => void) => Undo;
  /** Calls at once and at each change of the scale. */
  onScale: (run: (bar: ScaleBar) => void) => Undo;
  view: () => { lat: number; lon: number; zoom: number };
  setView: (view: { lat: number; lon: number; zoom: number }) => void;
  /** Calls back when the view has come to rest. */
  onView: (run: () => void) => Undo;
}

/** Internal half of the camera: what the console's map reports to it. */
export interface CameraControl extends Camera {
  /** Whether it moves with one of these. */
  follows: (vehicles: readonly { id: string }[]) => boolean;
  vehiclesMoved: () => void;
  stop: Undo;
}

export function createCamera(
  stage: MapStage,
  placeOf: (vehicleId: string) => LatLon | undefined,
  reducedMotion: () => boolean,
): CameraControl {
  const { map } = stage;
  const followListeners = new Set<(ids: readonly string[]) => void>();
  const scaleListeners = new Set<(bar: ScaleBar) => void>();
  const viewListeners = new Set<() => void>();
  let followed: readonly string[] = [];
  let followedIds: ReadonlySet<string> = new Set();
  /** Where a flight under way will end; what comes meanwhile adds to it instead of cutting it short. */
  let flightZoom: number | null = null;

  const ease = (to: { center?: [number, number]; zoom: number }): void => {
    map.easeTo({ ...to, duration: FLIGHT_MS, essential: true });
    flightZoom = map.isMoving() ? to.zoom : null;
  };
  /** Of a pane that has just changed its size the map hears a moment later: a flight would end beside its place. */
  const readSize = (): void => {
    if (map.getCanvas().clientWidth !== map.getContainer().clientWidth) map.resize();
  };
  const move = (place: LatLon, zoom: number): void => {
    readSize();
    const target = map.project([place.lon, place.lat]);
    const { clientWidth, clientHeight } = stage.container;
    const screens = Math.max(
      Math.abs(target.x - clientWidth / 2) / Math.max(1, clientWidth),
      Math.abs(target.y - clientHeight / 2) / Math.max(1, clientHeight),
    );
    const to = { center: [place.lon, place.lat] as [number, number], zoom };
    if (reducedMotion() || screens > FARTHEST_FLIGHT_SCREENS) map.jumpTo(to);
    else ease(to);
  };
  const zoomBy = (step: number): void => {
    const zoom = (flightZoom ?? map.getZoom()) + step;
    if (reducedMotion()) map.jumpTo({ zoom });
    else ease({ zoom });
  };
  const setFollowed = (ids: readonly string[]): void => {
    if (ids.length === 0 && followed.length === 0) return;
    followed = [...ids];
    followedIds = new Set(ids);
    for (const run of followListeners) run(followed);
  };
  const keepFollowed = (zoom: number): void => {
    const places = followed.flatMap((id) => placeOf(id) ?? []);
    const [only] = places;
    if (followed.length === 1) {
      if (only !== undefined) move(only, zoom);
      return;
    }
    const { lat, lng } = map.getCenter();
    const { clientWidth: width, clientHeight: height } = stage.container;
    const view = { lat, lon: lng, zoom: flightZoom ?? map.getZoom() };
    const to = flightZoom === null ? keepInView(places, view, { width, height }, LOCATE_ZOOM) : null;
    if (to !== null) move(to, to.zoom);
  };
  const currentScale = (): ScaleBar => scaleBar(map.getCenter().lat, map.getZoom(), SCALE_MAX_PX);
  const onMove = (): void => {
    if (scaleListeners.size === 0) return;
    const bar = currentScale();
    for (const run of scaleListeners) run(bar);
  };
  const onMoveEnd = (): void => {
    flightZoom = null;
    for (const run of viewListeners) run();
  };
  const onDrag = (): void => setFollowed([]);
  map.on('move', onMove);
  map.on('moveend', onMoveEnd);
  map.on('dragstart', onDrag);

  return {
    flyTo(place, zoom) {
      move(place, zoom ?? Math.max(map.getZoom(), LOCATE_ZOOM));
    },
    fitAll(places, maxZoom = FIT_MAX_ZOOM) {
      const bounds = boundsOf(places);
      if (!bounds) return;
      readSize();
      map.fitBounds(bounds, {
        padding: FIT_PADDING_PX,
        maxZoom,
        duration: reducedMotion() ? 0 : FLIGHT_MS,
        linear: true,
        essential: true,
      });
    },
    zoomIn: () => zoomBy(1),
    zoomOut: () => zoomBy(-1),
    follow(ids) {
      setFollowed(ids);
      keepFollowed(Math.max(map.getZoom(), LOCATE_ZOOM));
    },
    following: () => followed,
    onFollow(run) {
      followListeners.add(run);
      return () => followListeners.delete(run);
    },
    onScale(run) {
      scaleListeners.add(run);
      run(currentScale());
      return () => scaleListeners.delete(run);
    },
    view() {
      const { lat, lng } = map.getCenter();
      return { lat, lon: lng, zoom: map.getZoom() };
    },
    setView({ lat, lon, zoom }) {
      map.jumpTo({ center: [lon, lat], zoom });
    },
    onView(run) {
      viewListeners.add(run);
      return () => viewListeners.delete(run);
    },
    follows: (vehicles) => followedIds.size > 0 && vehicles.some(({ id }) => followedIds.has(id)),
    vehiclesMoved: () => keepFollowed(flightZoom ?? map.getZoom()),
    stop() {
      map.off('move', onMove);
      map.off('moveend', onMoveEnd);
      map.off('dragstart', onDrag);
      followListeners.clear();
      scaleListeners.clear();
      viewListeners.clear();
    },
  };
}

/** The smallest box round places; null for none. */
function boundsOf(places: readonly LatLon[]): LngLatBoundsLike | null {
  if (places.length === 0) return null;
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { lat, lon } of places) {
    west = Math.min(west, lon);
    east = Math.max(east, lon);
    south = Math.min(south, lat);
    north = Math.max(north, lat);
  }
  return [west, south, east, north];
}

/** A scale bar: so many pixels are so many metres, a round number of them. */
export interface ScaleBar {
  lengthPx: number;
  lengthM: number;
}

/** The longest bar of 1, 2 or 5 times a power of ten of the user's unit that is at most `maxPx` wide, true at the latitude given. */
export function scaleBar(lat: number, zoom: number, maxPx: number): ScaleBar {
  const perPixel = metresPerPixel(lat, zoom);
  const maxM = perPixel * maxPx;
  // As `formatDistance` names it: feet up to a tenth of a mile.
  const quantity = inUnit('distance', maxM) < 0.1 ? 'length' : 'distance';
  const max = inUnit(quantity, maxM);
  const power = 10 ** Math.floor(Math.log10(max));
  const lengthM = fromUnit(quantity, power * (max >= 5 * power ? 5 : max >= 2 * power ? 2 : 1));
  return { lengthM, lengthPx: lengthM / perPixel };
}
