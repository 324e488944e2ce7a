import type { DrawnShape } from '../../map/drawing/drawnShape.ts';

/** Steps that can be undone; older ones are forgotten. */
const STEPS = 100;

/** What a step came from. Typing into one field is one step, however many keys it takes. */
export type StepCause = 'pointer' | 'size' | 'corners';

/** The shapes that a drawing went through; null for none yet. Both ends of the past and the future are at `present`. */
export interface ShapeHistory {
  past: readonly (DrawnShape | null)[];
  present: DrawnShape | null;
  /** The next one first. */
  future: readonly (DrawnShape | null)[];
  cause: StepCause | null;
}

export const startHistory = (present: DrawnShape | null): ShapeHistory => ({
  past: [],
  present,
  future: [],
  cause: null,
});

/** The shape as it is now becomes a step, unless it is the present one. Corner by corner where it was just drawn. */
export function addStep(history: ShapeHistory, drawn: DrawnShape, cause: StepCause): ShapeHistory {
  const { past, present } = history;
  if (JSON.stringify(drawn) === JSON.stringify(present)) return history;
  const isTyping = cause !== 'pointer' && cause === history.cause;
  const steps = isTyping
    ? past
    : [...past, present, ...(present === null && cause === 'pointer' ? beginningsOf(drawn) : [])];
  return { past: steps.slice(-STEPS), present: drawn, future: [], cause };
}

/** Null when there is nothing to undo. */
export function stepBack({ past, present, future }: ShapeHistory): ShapeHistory | null {
  const before = past.at(-1);
  if (before === undefined) return null;
  return { past: past.slice(0, -1), present: before, future: [present, ...future], cause: null };
}

/** Null when there is nothing to redo. */
export function stepForward({ past, present, future }: ShapeHistory): ShapeHistory | null {
  const [next, ...rest] = future;
  if (next === undefined) return null;
  return { past: [...past, present], present: next, future: rest, cause: null };
}

/** The whole shapes that a polygon or a line was before its last corner. */
function beginningsOf(drawn: DrawnShape): DrawnShape[] {
  if (drawn.shape === 'circle') return [];
  if (drawn.shape === 'line') {
    const line = drawn.geometry.coordinates;
    return fromTo(2, line.length - 1).map((count) => ({
      ...drawn,
      geometry: { ...drawn.geometry, coordinates: line.slice(0, count) },
    }));
  }
  const [ring = [], ...holes] = drawn.geometry.coordinates;
  return fromTo(3, ring.length - 2).map((count) => ({
    ...drawn,
    geometry: {
      ...drawn.geometry,
      coordinates: [[...ring.slice(0, count), ...ring.slice(0, 1)], ...holes],
    },
  }));
}

const fromTo = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
