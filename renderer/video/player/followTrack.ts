import type { Position } from '../../../server/contract/positions.ts';
import { GAP_MS } from './placeAt.ts';
import type { Playback } from './playback.ts';

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
  let dragged: { pointerId: number; wasPlaying: boolean } | null = null;

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
    dragged = { pointerId: event.pointerId, wasPlaying: playback.store.getState().isPlaying };
    element.setPointerCapture(event.pointerId);
    playback.pause();
    goTo(near.at);
  });
  // The map listens to the mouse and to touches, which come after the pointer.
  for (const type of ['mousedown', 'touchstart', 'touchmove'] as const)
    listen(type, (event) => {
      if (dragged !== null) event.stopPropagation();
    });
  listen('pointermove', (event) => {
    if (dragged === null) {
      const near = event.buttons === 0 && onMap(event) ? momentAt(event) : null;
      element.classList.toggle('is-on-track', near !== null && near.px <= REACH_PX);
      return;
    }
    if (event.pointerId !== dragged.pointerId) return;
    const near = momentAt(event);
    if (near !== null) goTo(near.at);
  });
  const clearSelection = (event: PointerEvent) => {
    if (dragged?.pointerId !== event.pointerId) return;
    const { wasPlaying } = dragged;
    dragged = null;
    if (wasPlaying) playback.play();
  };
  listen('pointerup', clearSelection);
  listen('pointercancel', clearSelection);
  return () => abort.abort();
}

interface Point {
  x: number;
  y: number;
}

/** What a map looks at: its middle and how near; north is up. */
export interface MapSight {
  lat: number;
  lon: number;
  zoom: number;
  /** Of the element, pixels. */
  width: number;
  height: number;
}

/** Where a map shows a place, pixels from its left upper corner. Web Mercator, the world 512 px wide at zoom 0. */
export function pixelOf(place: { lat: number; lon: number }, sight: MapSight): Point {
  const world = 512 * 2 ** sight.zoom;
  const turn = ((((place.lon - sight.lon) % 360) + 540) % 360) - 180;
  return {
    x: sight.width / 2 + (turn / 360) * world,
    y: sight.height / 2 - ((northOf(place.lat) - northOf(sight.lat)) / (2 * Math.PI)) * world,
  };
}

const northOf = (lat: number): number => Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360));

/**
 * The moment (milliseconds since 1970, within the span) at which a track comes nearest to a point of the map, and how
 * far that is in pixels; null for a track without a fix in the span. Of passes that are equally near, the one next to
 * `now` counts, so that a vehicle that drives a street twice is not thrown from one pass to the other.
 */
export function momentNear(
  track: readonly Position[],
  span: { from: number; to: number },
  point: Point,
  sight: MapSight,
  now: number,
): { at: number; px: number } | null {
  const fixes = track
    .filter((it) => it.valid)
    .map((it) => ({ at: Date.parse(it.time), ...pixelOf(it, sight) }));
  let best: { at: number; px: number; cost: number } | null = null;
  const consider = (at: number, px: number) => {
    if (at < span.from || at > span.to) return;
    const cost = px + (Math.abs(at - now) / (span.to - span.from)) * PASS_PX;
    if (best === null || cost < best.cost) best = { at, px, cost };
  };
  for (const [index, a] of fixes.entries()) {
    consider(a.at, Math.hypot(point.x - a.x, point.y - a.y));
    const b = fixes[index + 1];
    if (b === undefined || b.at - a.at > GAP_MS) continue;
    const min = share(span.from, a.at, b.at);
    const max = share(span.to, a.at, b.at);
    if (max < 0 || min > 1) continue;
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const along =
      dx === 0 && dy === 0 ? 0 : ((point.x - a.x) * dx + (point.y - a.y) * dy) / (dx * dx + dy * dy);
    const part = Math.min(1, max, Math.max(0, min, along));
    consider(a.at + part * (b.at - a.at), Math.hypot(point.x - a.x - part * dx, point.y - a.y - part * dy));
  }
  return best;
}

/** As much nearness as the whole span is worth. */
const PASS_PX = 24;

const share = (at: number, from: number, to: number): number => (to === from ? 0 : (at - from) / (to - from));
