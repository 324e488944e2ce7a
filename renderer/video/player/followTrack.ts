import type { Position } from '../../../server/contract/positions.ts';
import type { Playback } from './playback.ts';
import { momentNear, type MapSight } from './trackScrub.ts';

/** A finger or a hasty hand is this far off the track. */
const REACH_PX = 24;

export interface FollowTrackDeps {
  /** What the map lies in. */
  element: HTMLElement;
  track: readonly Position[];
  /** Of the order, milliseconds since 1970. */
  from: number;
  to: number;
  view: () => { lat: number; lon: number; zoom: number };
  playback: Playback;
}

/** Lets the operator take the vehicle along its track: the clock goes with it. Beside the track the map is moved as ever. */
export function followTrack({ element, track, from, to, view, playback }: FollowTrackDeps): () => void {
  const abort = new AbortController();
  let held: { pointerId: number; wasPlaying: boolean } | null = null;

  const momentAt = ({ clientX, clientY }: PointerEvent) => {
    const box = element.getBoundingClientRect();
    const sight: MapSight = { ...view(), width: box.width, height: box.height };
    const now = from + playback.store.getState().position * 1_000;
    return momentNear(track, { from, to }, { x: clientX - box.left, y: clientY - box.top }, sight, now);
  };
  const onMap = ({ target }: Event) => target instanceof HTMLCanvasElement;
  const goTo = (at: number) => playback.seek((at - from) / 1_000);
  const listen = <T extends keyof HTMLElementEventMap>(
    type: T,
    run: (event: HTMLElementEventMap[T]) => void,
  ) => element.addEventListener(type, run, { capture: true, signal: abort.signal });

  listen('pointerdown', (event) => {
    if (event.button !== 0 || !onMap(event)) return;
    const near = momentAt(event);
    if (near === null || near.px > REACH_PX) return;
    held = { pointerId: event.pointerId, wasPlaying: playback.store.getState().isPlaying };
    element.setPointerCapture(event.pointerId);
    playback.pause();
    goTo(near.at);
  });
  // The map listens to the mouse and to touches, which come after the pointer.
  for (const type of ['mousedown', 'touchstart', 'touchmove'] as const)
    listen(type, (event) => {
      if (held !== null) event.stopPropagation();
    });
  listen('pointermove', (event) => {
    if (held === null) {
      const near = event.buttons === 0 && onMap(event) ? momentAt(event) : null;
      element.classList.toggle('is-on-track', near !== null && near.px <= REACH_PX);
      return;
    }
    if (event.pointerId !== held.pointerId) return;
    const near = momentAt(event);
    if (near !== null) goTo(near.at);
  });
  const clearSelection = (event: PointerEvent) => {
    if (held?.pointerId !== event.pointerId) return;
    const { wasPlaying } = held;
    held = null;
    if (wasPlaying) playback.play();
  };
  listen('pointerup', clearSelection);
  listen('pointercancel', clearSelection);
  return () => abort.abort();
}
