import type { Feature, LineString, Point, Polygon } from 'geojson';
import { outerRing, type PlanePoint } from './planeGeometry.ts';
import { edgesOf } from './streetGraph.ts';
import type { TownGround } from './townGround.ts';
import type { GraphEdge, StreetGraph, TownFeatureProperties, TownFeatures } from './townModel.ts';
import { toLonLat } from './townProjection.ts';
import { DISTRICTS } from './townQuarters.ts';

type TownFeature = Feature<Polygon | LineString | Point, TownFeatureProperties>;

/** What a map draws, from the ground up: water, parks, railways, streets, then the larger roads, then names. */
export function townFeatures(ground: TownGround, graph: StreetGraph): TownFeatures {
  const roads = namedRoads(graph);
  const ofKind = (kind: TownFeatureProperties['kind']): TownFeature[] =>
    roads.filter(({ properties }) => properties.kind === kind);
  return {
    type: 'FeatureCollection',
    features: [
      ...ground.water.map(({ name, outline }) => area('water', name, outline)),
      // A line along the river bears its name.
      line({ kind: 'water', name: ground.water[0]?.name ?? '' }, ground.riverCourse),
      ...ground.parks.map(({ name, outline }) => area('park', name, outline)),
      ...ground.railways.map(({ name, points }) => line({ kind: 'rail', name }, points)),
      ...ofKind('street'),
      ...ofKind('arterial'),
      ...ofKind('motorway'),
      ...DISTRICTS.filter(({ labelled }) => labelled).map(({ name, at }) => label(name, at)),
    ],
  };
}

function area(kind: 'water' | 'park', name: string, outline: PlanePoint[]): TownFeature {
  return {
    type: 'Feature',
    properties: { kind, name },
    geometry: { type: 'Polygon', coordinates: [outerRing(outline).map(toLonLat)] },
  };
}

function line(properties: TownFeatureProperties, points: PlanePoint[]): TownFeature {
  return { type: 'Feature', properties, geometry: { type: 'LineString', coordinates: points.map(toLonLat) } };
}

function label(name: string, at: PlanePoint): TownFeature {
  return {
    type: 'Feature',
    properties: { kind: 'district', name },
    geometry: { type: 'Point', coordinates: toLonLat(at) },
  };
}

/** One line for each road from end to end, not one for each block: labels need the length, and the file stays small. */
function namedRoads(graph: StreetGraph): TownFeature[] {
  const drawn = new Set<number>();
  const features: TownFeature[] = [];
  for (const edge of graph.edges) {
    if (drawn.has(edge.id)) continue;
    drawn.add(edge.id);
    const forward = follow(graph, edge, edge.to, drawn);
    const backward = follow(graph, edge, edge.from, drawn);
    const points = [...backward.reverse(), ...edge.points, ...forward];
    const kind = edge.roadClass === 'yard' ? 'street' : edge.roadClass;
    features.push(line({ kind, name: edge.name, ...(edge.ref === null ? {} : { ref: edge.ref }) }, points));
  }
  return features;
}

function follow(graph: StreetGraph, start: GraphEdge, from: number, drawn: Set<number>): PlanePoint[] {
  const points: PlanePoint[] = [];
  let node = from;
  for (;;) {
    const next = edgesOf(graph, node).find(
      (edge) => !drawn.has(edge.id) && edge.name === start.name && edge.roadClass === start.roadClass,
    );
    if (next === undefined) return points;
    drawn.add(next.id);
    const way = next.from === node ? next.points : next.points.toReversed();
    points.push(...way.slice(1));
    node = next.from === node ? next.to : next.from;
  }
}
