import { tidyDeadEnds } from './deadEnds.ts';
import { layStreets } from './districtStreets.ts';
import { surveyGround } from './groundGrid.ts';
import { distanceM, segmentsOf, nearestOnSegment, type PlanePoint } from './planeGeometry.ts';
import { edgesOf, graphOf, largestPiece } from './streetGraph.ts';
import { streetNames } from './streetNames.ts';
import { townFeatures } from './townFeatures.ts';
import { townGeofences } from './townGeofences.ts';
import { drawGround } from './townGround.ts';
import type { Place, StreetGraph, Town } from './townModel.ts';
import { SCHOOL_RADIUS_M, STREET_LIMIT_KMH, TOWN_NAME } from './townPlan.ts';
import { toLatLon, toPlane, TOWN_CENTRE } from './townProjection.ts';
import { PLACES, type PlannedPlace } from './townQuarters.ts';

/**
 * An invented town of about 6 by 5 km, the same for the same seed: its map, its street graph, its places and geofences.
 * River, ring, main roads and harbour are always the same; street blocks, their names and the parks' outlines change
 * with the seed.
 */
export function createTown(seed: number): Town {
  const ground = drawGround(seed);
  const grid = surveyGround(ground);
  const streets = layStreets(seed, ground, grid, streetNames(seed));
  const laid = graphOf([...ground.mainRoads, ...ground.yardRoads, ...streets]);
  const graph = largestPiece(tidyDeadEnds(laid, grid, seed));
  const places = PLACES.map((place) => settle(place, graph));
  const school = toPlane(placeOfKind(places, 'school'));
  slowDownAtSchool(graph, school);
  return {
    name: TOWN_NAME,
    centre: TOWN_CENTRE,
    features: townFeatures(ground, graph),
    graph,
    places,
    geofences: townGeofences(school),
  };
}

/** @throws RangeError when the town has no such place. */
function placeOfKind(places: Place[], kind: Place['kind']): Place {
  const place = places.find((candidate) => candidate.kind === kind);
  if (place === undefined) throw new RangeError(`the town has no ${kind}`);
  return place;
}

function settle({ name, kind, at, roadClass }: PlannedPlace, graph: StreetGraph): Place {
  const candidates = graph.nodes.filter(
    ({ id }) => roadClass === undefined || edgesOf(graph, id).some((edge) => edge.roadClass === roadClass),
  );
  const node = candidates.reduce((nearest, candidate) =>
    distanceM(candidate.point, at) < distanceM(nearest.point, at) ? candidate : nearest,
  );
  return { name, kind, node: node.id, ...toLatLon(node.point) };
}

function slowDownAtSchool(graph: StreetGraph, school: PlanePoint): void {
  for (const edge of graph.edges) {
    const passes = segmentsOf(edge.points).some(
      ([a, b]) => distanceM(nearestOnSegment(school, a, b), school) <= SCHOOL_RADIUS_M,
    );
    if (passes) edge.limitKmh = Math.min(edge.limitKmh, STREET_LIMIT_KMH);
  }
}
