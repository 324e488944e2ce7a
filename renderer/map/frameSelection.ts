import type { MapMouseEvent } from 'maplibre-gl';
import type { MapStage, Undo } from './mapStage.ts';

/** A rectangle that the operator drew on the map, in degrees; `east` is beyond `west`, and beyond 180 across the date line. */
export interface Frame {
  south: number;
  north: number;
  west: number;
  east: number;
  /** What it holds is added to what is selected. */
  adds: boolean;
}

/** What is shorter is a click. */
const LEAST_PX = 4;

export const isInFrame = ({ lat, lon }: { lat: number; lon: number }, frame: Frame): boolean =>
  lat >= frame.south &&
  lat <= frame.north &&
  // The places of a world map repeat every 360 degrees.
  (((lon - frame.west) % 360) + 360) % 360 <= frame.east - frame.west;

/** Lets the operator draw a frame by dragging with Shift, where somebody takes it; else the map zooms to it. */
export function startFrames(
  { map, container }: MapStage,
  isBusy: () => boolean,
): { onFrame: (run: (frame: Frame) => void) => Undo; stop: Undo } {
  const listeners = new Set<(frame: Frame) => void>();
  let endDrag: Undo = () => undefined;

  const onMouseDown = (event: MapMouseEvent): void => {
    const { shiftKey, button } = event.originalEvent;
    if (!shiftKey || button !== 0 || listeners.size === 0 || isBusy()) return;
    // Neither the map moves nor is text selected.
    event.preventDefault();
    event.originalEvent.preventDefault();
    endDrag();
    const from = event.point;
    const box = document.createElement('div');
    box.className = 'map-frame';
    const pointOf = ({ clientX, clientY }: MouseEvent) => {
      const { left, top } = map.getCanvas().getBoundingClientRect();
      return { x: clientX - left, y: clientY - top };
    };
    const onMove = (moved: MouseEvent): void => {
      const to = pointOf(moved);
      if (Math.hypot(to.x - from.x, to.y - from.y) < LEAST_PX && box.parentElement === null) return;
      if (box.parentElement === null) container.append(box);
      box.style.left = `${Math.min(from.x, to.x)}px`;
      box.style.top = `${Math.min(from.y, to.y)}px`;
      box.style.width = `${Math.abs(to.x - from.x)}px`;
      box.style.height = `${Math.abs(to.y - from.y)}px`;
    };
    const onUp = (released: MouseEvent): void => {
      const isDrawn = box.parentElement !== null;
      endDrag();
      if (!isDrawn) return;
      const to = pointOf(released);
      const a = map.unproject([Math.min(from.x, to.x), Math.max(from.y, to.y)]);
      const b = map.unproject([Math.max(from.x, to.x), Math.min(from.y, to.y)]);
      const adds = released.ctrlKey || released.metaKey;
      const frame = { south: a.lat, north: b.lat, west: a.lng, east: b.lng, adds };
      for (const run of listeners) run(frame);
    };
    const onKeyDown = (pressed: KeyboardEvent): void => {
      if (pressed.key !== 'Escape') return;
      pressed.stopPropagation();
      endDrag();
    };
    window.addEventListener('mousemove', onMove);
    window.addEventListener('mouseup', onUp);
    window.addEventListener('keydown', onKeyDown, { capture: true });
    endDrag = () => {
      window.removeEventListener('mousemove', onMove);
      window.removeEventListener('mouseup', onUp);
      window.removeEventListener('keydown', onKeyDown, { capture: true });
      box.remove();
      endDrag = () => undefined;
    };
  };
  map.on('mousedown', onMouseDown);

  return {
    onFrame(run) {
      listeners.add(run);
      map.boxZoom.disable();
      return () => {
        listeners.delete(run);
        if (listeners.size === 0) map.boxZoom.enable();
      };
    },
    stop() {
      map.off('mousedown', onMouseDown);
      endDrag();
      listeners.clear();
    },
  };
}
