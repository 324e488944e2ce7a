import { fromMercator, toMercator, worldWidthPx, type LatLon } from './geodesy.ts';

/** A place nearer to the edge than this is about to leave the view. */
const EDGE_PX = 48;
/** Of the view that the places fill after the camera has moved. */
const FILLED = 0.6;
/** Places that fill less than this have come together: the camera comes nearer. */
const HARDLY_FILLED = 0.2;

export interface View extends LatLon {
  zoom: number;
}

/**
 * Where the camera goes so that all places are in view; null while it may stay: none is near an edge, and they fill
 * enough of the view or it is near enough.
 *
 * @param size of the view, in pixels
 * @param maxZoom it comes no nearer than this
 */
export function keepInView(
  places: readonly LatLon[],
  view: View,
  size: { width: number; height: number },
  maxZoom: number,
): View | null {
  if (places.length === 0 || size.width === 0 || size.height === 0) return null;
  const centre = toMercator(view);
  // The shorter way round the world.
  const offsets = places.map((place) => {
    const { x, y } = toMercator(place);
    return { x: ((x - centre.x + 1.5) % 1) - 0.5, y: y - centre.y };
  });
  const [west, east] = rangeOf(offsets.map(({ x }) => x));
  const [north, south] = rangeOf(offsets.map(({ y }) => y));
  const worldPx = worldWidthPx(view.zoom);
  const reach = {
    x: Math.max(0.25 * size.width, size.width / 2 - EDGE_PX) / worldPx,
    y: Math.max(0.25 * size.height, size.height / 2 - EDGE_PX) / worldPx,
  };
  const isInside = -west <= reach.x && east <= reach.x && -north <= reach.y && south <= reach.y;
  const filled = Math.max(((east - west) * worldPx) / size.width, ((south - north) * worldPx) / size.height);
  if (isInside && (filled >= HARDLY_FILLED || view.zoom >= maxZoom)) return null;
  const fitted = filled === 0 ? maxZoom : view.zoom + Math.log2(FILLED / filled);
  const middle = fromMercator((centre.x + (west + east) / 2 + 1) % 1, centre.y + (north + south) / 2);
  // Whoever looks from nearer than the camera would come keeps the zoom while the places fit.
  return { ...middle, zoom: Math.min(fitted, Math.max(maxZoom, view.zoom)) };
}

const rangeOf = (values: readonly number[]): [min: number, max: number] => [
  Math.min(...values),
  Math.max(...values),
];
