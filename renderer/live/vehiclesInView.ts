import { toMercator, worldWidthPx } from '../map/geodesy.ts';
import type { LivePosition } from '../telemetry/livePosition.ts';

/** The vehicles inside the map's window, of so many pixels around its centre. */
export function vehiclesInView(
  positions: ReadonlyMap<string, LivePosition>,
  view: { lat: number; lon: number; zoom: number },
  widthPx: number,
  heightPx: number,
): Set<string> {
  const world = worldWidthPx(view.zoom);
  const centre = toMercator(view);
  const halfWidth = widthPx / 2 / world;
  const halfHeight = heightPx / 2 / world;
  const inView = new Set<string>();
  for (const [id, { fix }] of positions) {
    if (fix === null) continue;
    const { x, y } = toMercator(fix);
    const across = Math.abs(x - centre.x);
    // The shorter way round the world.
    if (Math.min(across, 1 - across) <= halfWidth && Math.abs(y - centre.y) <= halfHeight) inView.add(id);
  }
  return inView;
}
