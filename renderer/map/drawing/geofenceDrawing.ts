import type { GeofenceLayer } from '../geofences/geofenceLayer.ts';
import type { MapStage, Undo } from '../mapStage.ts';
import { startCircleTool } from './circleTool.ts';
import type { DrawingTool, ToolEvents } from './drawingTool.ts';
import type { startPathTool } from './pathTool.ts';
import type { DrawnShape, Measure } from './drawnShape.ts';
import { isComplete, measure } from './drawnShape.ts';

type StartPathTool = typeof startPathTool;
let pathTool: StartPathTool | null = null;

/** Gets the code that draws polygons and lines, which the first picture does without. */
export async function fetchPathTool(): Promise<StartPathTool> {
  pathTool ??= (await import('./pathTool.ts')).startPathTool;
  return pathTool;
}

/** What the caller hears of a drawing. After `onFinish` or `onCancel` the drawing is over and the map is clean. */
export interface DrawingCallbacks {
  /** At each change: the shape so far with its sizes; null while there is none that could be saved. */
  onChange: (drawn: DrawnShape | null, sizes: Measure | null) => void;
  /** Enter, a double click, or the closing corner. */
  onFinish: (drawn: DrawnShape) => void;
  /** A step that can be undone is whole. */
  onStep: () => void;
  /** Another drawing begins, or the code of the tool could not be loaded. */
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

  const fail = (error: unknown): void => {
    // A shape that no hand can edit is left as it is.
    if (!(error instanceof RangeError)) {
      onFault(error instanceof Error ? error : new Error(String(error)));
      active?.callbacks.onCancel();
    }
    active?.end();
  };

  return {
    /** Starts a new shape; `widthM` is a line's. A drawing that is under way is cancelled first. */
    draw(shape: DrawnShape['shape'], callbacks: DrawingCallbacks, widthM = DEFAULT_WIDTH_M) {
      return begin(callbacks, (events) => startLater(stage, { shape, drawn: null, widthM }, events, fail));
    },
    /** Edits a shape; `id` names the geofence that is hidden meanwhile. Ends at once for a shape that no hand can edit. */
    edit(drawn: DrawnShape, callbacks: DrawingCallbacks, id?: string) {
      const end = begin(callbacks, (events) =>
        startLater(stage, { shape: drawn.shape, drawn, widthM: DEFAULT_WIDTH_M }, events, fail),
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

interface Begun {
  shape: DrawnShape['shape'];
  /** What is edited; null for a new shape. */
  drawn: DrawnShape | null;
  widthM: number;
}

/**
 * A tool that starts when its code and the map's style are there; `onFailure` gets what loading or its start throws,
 * unless it was stopped.
 */
function startLater(
  stage: MapStage,
  { shape, drawn, widthM }: Begun,
  events: ToolEvents,
  onFailure: (error: unknown) => void,
): DrawingTool {
  let tool: DrawingTool | null = null;
  let isOver = false;
  let sizeM: number | null = null;
  const start = (make: () => DrawingTool): void =>
    stage.whenReady(() => {
      if (isOver) return;
      tool = make();
      if (sizeM !== null) tool.setSizeM(sizeM);
    });
  if (shape === 'circle') {
    const circle = drawn?.shape === 'circle' ? drawn : null;
    start(() => startCircleTool(stage, circle, events));
  } else {
    const path = drawn?.shape === 'circle' ? null : drawn;
    const isReady = new Promise<void>((resolve) => stage.whenReady(resolve));
    Promise.all([fetchPathTool(), isReady])
      .then(([startPathTool]) => start(() => startPathTool(stage, shape, path, widthM, events)))
      .catch((error: unknown) => {
        if (!isOver) onFailure(error);
      });
  }
  return {
    current: () => tool?.current() ?? null,
    finish: () => tool?.finish(),
    setSizeM(wanted) {
      sizeM = wanted;
      tool?.setSizeM(wanted);
    },
    undo: () => tool?.undo() ?? false,
    redo: () => tool?.redo() ?? false,
    canRedo: () => tool?.canRedo() ?? false,
    stop() {
      isOver = true;
      tool?.stop();
    },
  };
}

const CONTROLS =
  'input, textarea, select, button, a, summary, [contenteditable], [role=grid], [role=listbox], [role=menu]';

/** Enter in a field, on a button or in a list belongs to it. */
function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(CONTROLS) !== null;
}
