import type { Undo } from '../mapStage.ts';
import type { DrawnShape } from './drawnShape.ts';

/** What a tool reports while the operator draws. */
export interface ToolEvents {
  /** Null while there is nothing to show yet. */
  onChange: (drawn: DrawnShape | null) => void;
  onFinish: (drawn: DrawnShape) => void;
  onFault: (error: Error) => void;
}

/** The hand that draws one shape. */
export interface DrawingTool {
  current: () => DrawnShape | null;
  /** Ends the drawing where it is, as Enter does; without effect while the shape is not complete. */
  finish: () => void;
  /** The radius of a circle, the width of a line; without effect on a polygon. */
  setSizeM: (sizeM: number) => void;
  stop: Undo;
}
