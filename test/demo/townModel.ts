import type { FeatureCollection, LineString, Point, Polygon } from 'geojson';
import type { PlanePoint } from './planeGeometry.ts';

export type RoadClass = 'motorway' | 'arterial' | 'street' | 'yard';

/** A stretch of road with one name and one limit, before junctions are found. */
export interface RoadLine {
  name: string;
  ref: string | null;
  roadClass: RoadClass;
  limitKmh: number;
  points: PlanePoint[];
}

export interface GraphNode {
  id: number;
  point: PlanePoint;
  /** Indexes into the graph's edges. */
  edges: number[];
}

/** Open in both directions; `points` lead from node `from` to node `to`, ends included. */
export interface GraphEdge {
  id: number;
  from: number;
  to: number;
  points: PlanePoint[];
  lengthM: number;
  limitKmh: number;
  roadClass: RoadClass;
  name: string;
  ref: string | null;
}

/** One connected piece: every node can be reached from every other. */
export interface StreetGraph {
  nodes: GraphNode[];
  edges: GraphEdge[];
}

export type PlaceKind =
  'depot' | 'quay' | 'school' | 'hospital' | 'mall' | 'station' | 'terminus' | 'gateway';

export interface Place {
  name: string;
  kind: PlaceKind;
  node: number;
  lat: number;
  lon: number;
}

/** As `POST /api/v1/geozones` takes it. */
export interface TownGeofence {
  name: string;
  shape: 'polygon' | 'circle' | 'line';
  geometry: Polygon | Point | LineString;
  radius_m?: number;
  width_m?: number;
  speed_limit_kmh?: number;
}

export interface TownFeatureProperties {
  kind: 'water' | 'park' | 'district' | 'street' | 'arterial' | 'motorway' | 'rail';
  name?: string;
  /** The number on a motorway's shield. */
  ref?: string;
}

export type TownFeatures = FeatureCollection<Polygon | LineString | Point, TownFeatureProperties>;

export interface Town {
  name: string;
  centre: { lat: number; lon: number };
  features: TownFeatures;
  graph: StreetGraph;
  places: Place[];
  geofences: TownGeofence[];
}
