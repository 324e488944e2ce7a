import type { LngLatBoundsLike } from 'maplibre-gl';
import { type LatLon, metresPerPixel } from './geodesy.ts';
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
  /** Moves with a vehicle from now on, until it is given null or the operator drags the map. */
  follow: (id: string | null) => void;
  following: () => string | null;
  onFollow: (run: (id: string | null) => void) => Undo;
  /** Calls at once and at each change of the scale. */
  onScale: (run: (bar: ScaleBar) => void) => Undo;
  view: () => { lat: number; lon: number; zoom: number };
  setView: (view: { lat: number; lon: number; zoom: number }) => void;
  /** Calls back when the view has come to rest. */
  onView: (run: () => void) => Undo;
}

/** Internal half of the camera: what the console's map reports to it. */
export interface CameraControl extends Camera {
  vehicleMoved: () => void;
  stop: Undo;
}

export function createCamera(
  stage: MapStage,
  placeOf: (vehicleId: string) => LatLon | undefined,
  reducedMotion: () => boolean,
): CameraControl {
  const { map } = stage;
  const followListeners = new Set<(id: string | null) => void>();
  const scaleListeners = new Set<(bar: ScaleBar) => void>();
  const viewListeners = new Set<() => void>();
  let followed: string | null = null;
  /** Where a flight under way will end; what comes meanwhile adds to it instead of cutting it short. */
  let flightZoom: number | null = null;

  const ease = (to: { center?: [number, number]; zoom: number }): void => {
    map.easeTo({ ...to, duration: FLIGHT_MS, essential: true });
    flightZoom = map.isMoving() ? to.zoom : null;
  };
  const move = (place: LatLon, zoom: number): void => {
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
  const setFollowed = (id: string | null): void => {
    if (id === followed) return;
    followed = id;
    for (const run of followListeners) run(id);
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
  const onDrag = (): void => setFollowed(null);
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
      // Of a pane that has just changed its size the map hears a moment later.
      if (map.getCanvas().clientWidth !== map.getContainer().clientWidth) map.resize();
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
    follow(id) {
      setFollowed(id);
      const place = id === null ? undefined : placeOf(id);
      if (place) move(place, Math.max(map.getZoom(), LOCATE_ZOOM));
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
    vehicleMoved() {
      const place = followed === null ? undefined : placeOf(followed);
      if (place) move(place, flightZoom ?? map.getZoom());
    },
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

/** The longest bar of 1, 2 or 5 times a power of ten metres that is at most `maxPx` wide, true at the latitude given. */
export function scaleBar(lat: number, zoom: number, maxPx: number): ScaleBar {
  const perPixel = metresPerPixel(lat, zoom);
  const maxM = perPixel * maxPx;
  const power = 10 ** Math.floor(Math.log10(maxM));
  const lengthM = power * (maxM >= 5 * power ? 5 : maxM >= 2 * power ? 2 : 1);
  return { lengthM, lengthPx: lengthM / perPixel };
}
