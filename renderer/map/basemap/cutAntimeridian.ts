import type { Box } from './clipRing.ts';
import { boxOf, clipPolygon } from './clipRing.ts';

const WORLD: Box = { west: -180, east: 180, south: -90, north: 90 };

/**
 * Cuts a polygon that runs over the antimeridian or round a pole into parts within -180 to 180 degrees. world-atlas
 * stitches such polygons together for globes; a flat map would fill the whole width of the world between their ends.
 */
export function cutAntimeridian(polygon: readonly GeoJSON.Position[][]): GeoJSON.Position[][][] {
  const [outer, ...holes] = polygon;
  if (outer === undefined) return [];
  const whole = unwrap(outer);
  const box = boxOf(whole);
  const unwrapped = [whole, ...holes.map((hole) => nextTo(box, unwrap(hole)))];
  if (box.west >= WORLD.west && box.east <= WORLD.east) return [unwrapped];
  return [-360, 0, 360].flatMap((shift) => {
    const part = clipPolygon(
      unwrapped.map((ring) => shifted(ring, shift)),
      WORLD,
    );
    // A border that only touches the antimeridian leaves a part without width on the other side.
    return part && boxOf(part[0] ?? []).west < boxOf(part[0] ?? []).east ? [part] : [];
  });
}

/** Makes longitudes go on beyond 180 instead of jumping; a ring round a pole is closed along that pole. */
function unwrap(ring: readonly GeoJSON.Position[]): GeoJSON.Position[] {
  let turns = 0;
  const points = ring.map(([lon = 0, lat = 0], i): GeoJSON.Position => {
    const step = lon - (ring[i - 1]?.[0] ?? lon);
    if (step > 180) turns--;
    if (step < -180) turns++;
    return [lon + turns * 360, lat];
  });
  const first = points[0];
  const last = points[points.length - 1];
  if (turns === 0 || first === undefined || last === undefined) return points;
  const pole = (first[1] ?? 0) < 0 ? WORLD.south : WORLD.north;
  return [...points, [last[0] ?? 0, pole], [first[0] ?? 0, pole], first];
}

function nextTo(box: Box, hole: GeoJSON.Position[]): GeoJSON.Position[] {
  const { west, east } = boxOf(hole);
  if (east < box.west) return shifted(hole, 360);
  return west > box.east ? shifted(hole, -360) : hole;
}

function shifted(ring: readonly GeoJSON.Position[], by: number): GeoJSON.Position[] {
  return ring.map(([lon = 0, lat = 0]) => [lon + by, lat]);
}
