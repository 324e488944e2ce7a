import type { MapMouseEvent, MapTouchEvent } from 'maplibre-gl';
import { GEOFENCE_FILL_LAYER } from './geofences/geofenceLayer.ts';
import type { MapStage, Undo } from './mapStage.ts';
import { CLUSTER_LAYER, VEHICLE_LAYERS } from './vehicles/vehicleLayers.ts';

/** What the operator clicked. */
export type Pick =
  /** `adds`: with Ctrl or Shift. */
  | { kind: 'vehicle'; id: string; adds: boolean }
  | { kind: 'geofence'; id: string }
  | { kind: 'ground'; lat: number; lon: number }
  /**
   * The secondary button, a long press, or the menu key (`byKey`: the middle of the map): the point, what is there, and
   * where on the page, in pixels.
   */
  | {
      kind: 'menu';
      lat: number;
      lon: number;
      vehicleId: string | null;
      geozoneId: string | null;
      x: number;
      y: number;
      byKey: boolean;
    };

type Asked = { lngLat: MapMouseEvent['lngLat']; point: MapMouseEvent['point'] };

interface PickingDeps {
  blockAt: (point: { x: number; y: number }) => string | null;
  /** True while clicks belong to somebody else (drawing). */
  isBusy: () => boolean;
  openCluster: (id: string) => void;
}

/** A click this near to a glyph means it: targets of 24 px. */
const REACH_PX = 8;
/** As long as Android and iOS take for a long press. */
const LONG_PRESS_MS = 500;

export function startPicking(
  stage: MapStage,
  deps: PickingDeps,
): { onPick: (run: (pick: Pick) => void) => Undo; stop: Undo } {
  const { map } = stage;
  const listeners = new Set<(pick: Pick) => void>();
  const notify = (pick: Pick): void => {
    for (const run of listeners) run(pick);
  };
  /** A map need not have declared them all. */
  const shownOf = (layers: string[]) => layers.filter((id) => map.getLayer(id) !== undefined);
  const idUnder = ({ x, y }: MapMouseEvent['point'], layers: string[], reachPx: number): string | null => {
    const box: [[number, number], [number, number]] = [
      [x - reachPx, y - reachPx],
      [x + reachPx, y + reachPx],
    ];
    const id: unknown = map.queryRenderedFeatures(box, { layers: shownOf(layers) })[0]?.properties['id'];
    return typeof id === 'string' ? id : null;
  };
  const vehicleAt = (point: MapMouseEvent['point']): string | null =>
    deps.blockAt(point) ?? idUnder(point, VEHICLE_LAYERS, 2) ?? idUnder(point, VEHICLE_LAYERS, REACH_PX);
  const onClick = ({ point, lngLat, originalEvent }: MapMouseEvent): void => {
    if (deps.isBusy() || hasPressed) return;
    const vehicle = vehicleAt(point);
    if (vehicle !== null) {
      const { ctrlKey, metaKey, shiftKey } = originalEvent;
      notify({ kind: 'vehicle', id: vehicle, adds: ctrlKey || metaKey || shiftKey });
      return;
    }
    const cluster = idUnder(point, [CLUSTER_LAYER], 0);
    if (cluster !== null) {
      deps.openCluster(cluster);
      return;
    }
    const geofence = idUnder(point, [GEOFENCE_FILL_LAYER], 0);
    notify(
      geofence === null
        ? { kind: 'ground', lat: lngLat.lat, lon: lngLat.lng }
        : { kind: 'geofence', id: geofence },
    );
  };
  let stopPress: Undo = () => undefined;
  /** A finger has asked already: the click that a browser makes of it means nothing. */
  let hasPressed = false;
  const ask = ({ lngLat: { lat, lng }, point }: Asked): void => {
    if (deps.isBusy()) return;
    const { left, top } = map.getCanvas().getBoundingClientRect();
    notify({
      ...{ kind: 'menu', lat, lon: lng, x: left + point.x, y: top + point.y },
      vehicleId: vehicleAt(point),
      geozoneId: idUnder(point, [GEOFENCE_FILL_LAYER], 0),
      byKey: false,
    });
  };
  // MapLibre keeps the browser's menu away wherever it comes from: with Ctrl it stays, and keys have no place of their own.
  const onRequest = (event: MouseEvent): void => {
    const { ctrlKey, button } = event;
    const byKey = button !== 2 && !ctrlKey;
    if (byKey || (ctrlKey && button === 2)) event.stopPropagation();
    if (!byKey) return;
    event.preventDefault();
    if (deps.isBusy()) return;
    const { lat, lng: lon } = map.getCenter();
    const { left, top, width, height } = map.getCanvas().getBoundingClientRect();
    const at = { x: left + width / 2, y: top + height / 2 };
    notify({ ...{ kind: 'menu', lat, lon, ...at }, vehicleId: null, geozoneId: null, byKey: true });
  };
  const onAsk = (event: MapMouseEvent): void => {
    if (hasPressed) return;
    stopPress();
    ask(event);
  };
  // Not every browser makes a secondary click of a long press.
  const onTouchStart = ({ lngLat, point, points }: MapTouchEvent): void => {
    stopPress();
    hasPressed = false;
    if (points.length > 1) return;
    const timer = setTimeout(() => {
      hasPressed = true;
      ask({ lngLat, point });
    }, LONG_PRESS_MS);
    stopPress = () => clearTimeout(timer);
  };
  const onTouchOver = (): void => {
    stopPress();
    if (!hasPressed) return;
    const timer = setTimeout(() => (hasPressed = false), LONG_PRESS_MS);
    stopPress = () => clearTimeout(timer);
  };
  const onHover = ({ point }: MapMouseEvent): void => {
    if (deps.isBusy() || map.isMoving()) return;
    const layers = shownOf([...VEHICLE_LAYERS, CLUSTER_LAYER]);
    const hit = map.queryRenderedFeatures(point, { layers }).length > 0;
    map.getCanvas().style.cursor = hit || deps.blockAt(point) !== null ? 'pointer' : '';
  };
  stage.whenReady(() => {
    map.on('click', onClick);
    map.on('contextmenu', onAsk);
    stage.container.addEventListener('contextmenu', onRequest, { capture: true });
    map.on('touchstart', onTouchStart);
    map.on('touchend', onTouchOver);
    map.on('touchcancel', onTouchOver);
    map.on('movestart', onTouchOver);
    map.on('mousemove', onHover);
  });
  return {
    onPick(run) {
      listeners.add(run);
      return () => listeners.delete(run);
    },
    stop() {
      map.off('click', onClick);
      stopPress();
      map.off('contextmenu', onAsk);
      stage.container.removeEventListener('contextmenu', onRequest, { capture: true });
      map.off('touchstart', onTouchStart);
      map.off('touchend', onTouchOver);
      map.off('touchcancel', onTouchOver);
      map.off('movestart', onTouchOver);
      map.off('mousemove', onHover);
      listeners.clear();
    },
  };
}
