import { panned, zoomed } from './barView.ts';
import type { TrackPeriod } from './trackCache.ts';

export interface BarGestureDeps {
  /** Where on the element the bar begins, pixels; it ends at its right edge. */
  gutterPx: number;
  day: () => TrackPeriod;
  view: () => TrackPeriod;
  show: (view: TrackPeriod) => void;
  /** Called as the span grows under the pointer; with null for one that is too short to be meant. */
  chooseSpan: (span: TrackPeriod | null) => void;
}

/** One notch of a wheel, as browsers count it in pixels. */
const NOTCH_PX = 100;
const NOTCH_FACTOR = 1.35;
/** Wheels that count in lines. */
const LINE_PX = 33;
/** A press that moves less is none of a span. */
const LEAST_PX = 4;

/**
 * On a time bar the wheel and two fingers zoom round the pointer, Shift with the wheel moves what is shown, and Shift with
 * a drag chooses a span. Returns its end.
 */
export function listenForGestures(element: HTMLElement, deps: BarGestureDeps): () => void {
  const { gutterPx, day, view, show, chooseSpan } = deps;
  const fingers = new Map<number, number>();
  let spanFrom: { x: number; at: number } | null = null;

  const box = () => {
    const { left, width } = element.getBoundingClientRect();
    return { left: left + gutterPx, width: Math.max(1, width - gutterPx) };
  };
  const timeAt = (x: number, { from, to } = view()): number => {
    const { left, width } = box();
    return from + Math.min(1, Math.max(0, (x - left) / width)) * (to - from);
  };
  const perPx = (): number => {
    const { from, to } = view();
    return (to - from) / box().width;
  };

  const onWheel = (event: WheelEvent) => {
    const unit = event.deltaMode === 0 ? 1 : LINE_PX;
    const [x, y] = [event.deltaX * unit, event.deltaY * unit];
    event.preventDefault();
    // Shift turns the wheel by itself in some browsers only.
    if (event.shiftKey || Math.abs(x) > Math.abs(y)) show(panned(view(), day(), (x || y) * perPx()));
    else show(zoomed(view(), day(), timeAt(event.clientX), NOTCH_FACTOR ** (y / NOTCH_PX)));
  };
  /** Two fingers keep the instants that they hold. */
  const pinch = (id: number, x: number) => {
    const other = [...fingers].find(([it]) => it !== id)?.[1];
    const before = fingers.get(id);
    fingers.set(id, x);
    if (other === undefined || before === undefined) return;
    const [apart, was] = [Math.abs(x - other), Math.abs(before - other)];
    if (apart < LEAST_PX || was < LEAST_PX) return;
    show(zoomed(view(), day(), timeAt(other), was / apart));
  };
  const onDown = (event: PointerEvent) => {
    if (event.pointerType === 'touch') fingers.set(event.pointerId, event.clientX);
    const isSpan = event.shiftKey && event.button === 0 && event.clientX >= box().left;
    if (isSpan) spanFrom = { x: event.clientX, at: timeAt(event.clientX) };
    // The first finger scrubs until the second one comes.
    if (!isSpan && fingers.size < 2) return;
    event.stopPropagation();
    event.preventDefault();
    element.setPointerCapture(event.pointerId);
  };
  const onMove = (event: PointerEvent) => {
    if (spanFrom !== null) {
      event.stopPropagation();
      const at = timeAt(event.clientX);
      const isMeant = Math.abs(event.clientX - spanFrom.x) >= LEAST_PX;
      chooseSpan(isMeant ? { from: Math.min(at, spanFrom.at), to: Math.max(at, spanFrom.at) } : null);
    } else if (fingers.size >= 2 && fingers.has(event.pointerId)) {
      event.stopPropagation();
      pinch(event.pointerId, event.clientX);
    } else if (fingers.has(event.pointerId)) fingers.set(event.pointerId, event.clientX);
  };
  const onUp = (event: PointerEvent) => {
    if (spanFrom !== null || fingers.size >= 2) event.stopPropagation();
    spanFrom = null;
    fingers.delete(event.pointerId);
  };

  const before = { capture: true } as const;
  element.addEventListener('wheel', onWheel, { passive: false });
  element.addEventListener('pointerdown', onDown, before);
  element.addEventListener('pointermove', onMove, before);
  element.addEventListener('pointerup', onUp, before);
  element.addEventListener('pointercancel', onUp, before);
  return () => {
    element.removeEventListener('wheel', onWheel);
    element.removeEventListener('pointerdown', onDown, before);
    element.removeEventListener('pointermove', onMove, before);
    element.removeEventListener('pointerup', onUp, before);
    element.removeEventListener('pointercancel', onUp, before);
  };
}
