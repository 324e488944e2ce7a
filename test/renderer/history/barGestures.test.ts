import { expect, it } from 'vitest';
import { listenForGestures } from '../../../renderer/history/barGestures.ts';
import type { TrackPeriod } from '../../../renderer/history/trackCache.ts';

const HOUR = 3_600_000;
const day = { from: 0, to: 24 * HOUR };
const GUTTER_PX = 100;

/** A time bar of 2,400 px behind its gutter: an hour of a whole day is 100 px. */
function openBar() {
  const element = Object.assign(new EventTarget(), {
    getBoundingClientRect: () => ({ left: 0, width: 2_400 + GUTTER_PX }),
    setPointerCapture: () => undefined,
  });
  let view: TrackPeriod = day;
  const spans: (TrackPeriod | null)[] = [];
  let reached = 0;
  const stop = listenForGestures(element as unknown as HTMLElement, {
    gutterPx: GUTTER_PX,
    day: () => day,
    view: () => view,
    show: (next) => (view = next),
    chooseSpan: (span) => spans.push(span),
  });
  const fire = (type: string, hour: number, more: object = {}) => {
    const event = new Event(type, { cancelable: true });
    const isFirst = { pointerId: 1, pointerType: 'mouse', button: 0, shiftKey: false };
    const wheel = { deltaX: 0, deltaY: 0, deltaMode: 0 };
    const heard = { isStopped: false };
    const stopPropagation = () => (heard.isStopped = true);
    const clientX = GUTTER_PX + hour * 100;
    element.dispatchEvent(Object.assign(event, isFirst, wheel, { clientX, stopPropagation, ...more }));
    if (!heard.isStopped && type !== 'pointerup') reached += 1;
    return event;
  };
  return {
    fire,
    stop,
    spans,
    hours: () => [view.from / HOUR, view.to / HOUR],
    /** What goes on to the playhead. */
    reached: () => reached,
  };
}

it('the wheel zooms the time bar round the pointer, Shift and the wheel move it, and the page does not scroll', () => {
  const { fire, hours, stop } = openBar();
  expect(fire('wheel', 12, { deltaY: -300 }).defaultPrevented).toBe(true);
  const [from = 0, to = 0] = hours();
  expect((from + to) / 2).toBeCloseTo(12);
  expect(to - from).toBeCloseTo(24 / 1.35 ** 3);
  fire('wheel', 12, { deltaY: 240, shiftKey: true });
  expect(hours()[0]).toBeCloseTo(from + 0.1 * (to - from));
  stop();
  fire('wheel', 12, { deltaY: -300 });
  expect(hours()[0]).toBeCloseTo(from + 0.1 * (to - from));
});

it('Shift and a drag choose a span in either direction, without moving the playhead, and a press alone chooses none', () => {
  const { fire, spans, reached } = openBar();
  fire('pointerdown', 10, { shiftKey: true });
  fire('pointermove', 8);
  fire('pointerup', 8);
  expect(spans.at(-1)).toEqual({ from: 8 * HOUR, to: 10 * HOUR });
  fire('pointerdown', 3, { shiftKey: true });
  fire('pointermove', 3.01);
  expect(spans.at(-1)).toBeNull();
  fire('pointerup', 3);
  expect(reached()).toBe(0);
  fire('pointerdown', 5);
  fire('pointermove', 6);
  expect(reached()).toBe(2);
});

it('two fingers zoom the time bar, and one moves the playhead', () => {
  const { fire, hours, reached } = openBar();
  const finger = (pointerId: number) => ({ pointerId, pointerType: 'touch' });
  fire('pointerdown', 10, finger(1));
  expect(reached()).toBe(1);
  fire('pointerdown', 14, finger(2));
  fire('pointermove', 18, finger(2));
  expect(reached()).toBe(1);
  // The finger at ten o'clock keeps its instant; the part that is shown is half as long.
  expect(hours()).toEqual([5, 17]);
  fire('pointerup', 18, finger(2));
  fire('pointermove', 11, finger(1));
  expect(reached()).toBe(2);
});
