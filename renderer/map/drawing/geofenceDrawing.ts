import type { GeofenceLayer } from '../geofences/geofenceLayer.ts';
import type { MapStage, Undo } from '../mapStage.ts';
import { startCircleTool } from './circleTool.ts';
import type { DrawingTool, ToolEvents } from './drawingTool.ts';
import type { DrawnShape, Measure } from './drawnShape.ts';
import { isComplete, measure } from './drawnShape.ts';
import { startPathTool } from './pathTool.ts';

/** What the caller hears of a drawing. After `onFinish` or `onCancel` the drawing is over and the map is clean. */
export interface DrawingCallbacks {
  /** At each change: the shape so far with its sizes; null while there is none that could be saved. */
  onChange: (drawn: DrawnShape | null, sizes: Measure | null) => void;
  /** Enter, a double click, or the closing corner. */
  onFinish: (drawn: DrawnShape) => void;
  /** A step that can be undone is whole. */
  onStep: () => void;
  /** Another drawing begins. */
  onCancel: () => void;
}

const DEFAULT_WIDTH_M = 100;

/** Draws geofences on the map, one at a time. */
export function createGeofenceDrawing(
  stage: MapStage,
  geofences: GeofenceLayer,
  onFault: (error: Error) => void,
) {
  /** The click that ended a drawing is still on its way to whoever picks on the map. */
  let ending = false;
  let active: { tool: DrawingTool; callbacks: DrawingCallbacks; end: Undo } | null = null;

  const begin = (callbacks: DrawingCallbacks, makeTool: (events: ToolEvents) => DrawingTool): Undo => {
    active?.callbacks.onCancel();
    active?.end();
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return;
      if (event.key === 'Enter' && !isControl(event.target)) {
        event.preventDefault();
        tool.finish();
      }
    };
    let over = false;
    const end = (): void => {
      if (over) return;
      over = true;
      active = null;
      ending = true;
      setTimeout(() => (ending = false));
      window.removeEventListener('keydown', onKey);
      tool.stop();
      stage.map.doubleClickZoom.enable();
      geofences.hide(null);
    };
    const tool = makeTool({
      onFault,
      onStep: () => callbacks.onStep(),
      onChange(drawn) {
        const whole = drawn && isComplete(drawn) ? drawn : null;
        callbacks.onChange(whole, drawn && measure(drawn));
      },
      onFinish(drawn) {
        if (over || !isComplete(drawn)) return;
        end();
        callbacks.onFinish(drawn);
      },
    });
    stage.map.doubleClickZoom.disable();
    window.addEventListener('keydown', onKey);
    active = { tool, callbacks, end };
    return end;
  };

  return {
    /** Starts a new shape; `widthM` is a line's. A drawing that is under way is cancelled first. */
    draw(shape: DrawnShape['shape'], callbacks: DrawingCallbacks, widthM = DEFAULT_WIDTH_M) {
      return begin(callbacks, (events) =>
        shape === 'circle'
          ? startCircleTool(stage, null, events)
          : startPathTool(stage, shape, null, widthM, events),
      );
    },
    /** Edits a shape; `id` names the geofence that is hidden meanwhile. Throws a RangeError when the hand cannot. */
    edit(drawn: DrawnShape, callbacks: DrawingCallbacks, id?: string) {
      const end = begin(callbacks, (events) =>
        drawn.shape === 'circle'
          ? startCircleTool(stage, drawn, events)
          : startPathTool(stage, drawn.shape, drawn, DEFAULT_WIDTH_M, events),
      );
      geofences.hide(id ?? null);
      return end;
    },
    /** A circle's radius or a line's width, from a field of the panel. */
    setSizeM: (sizeM: number) => active?.tool.setSizeM(sizeM),
    /** As Enter does. */
    finish: () => active?.tool.finish(),
    /** A corner of a shape that is not finished; false when there is none. */
    undo: () => active?.tool.undo() ?? false,
    redo: () => active?.tool.redo() ?? false,
    canRedo: () => active?.tool.canRedo() ?? false,
    isActive: () => active !== null || ending,
    stop: () => active?.end(),
  };
}

const CONTROLS =
  'input, textarea, select, button, a, summary, [contenteditable], [role=grid], [role=listbox], [role=menu]';

/** Enter in a field, on a button or in a list belongs to it. */
function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(CONTROLS) !== null;
}
