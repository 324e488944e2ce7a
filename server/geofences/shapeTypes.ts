import { degreesOf, lonDifference, type Box, type LatLon } from './geodesy.ts';

/** A stretch of a straight way, as shares of it from 0 to 1. */
export interface Span {
  enter: number;
  leave: number;
}

/** A geofence's shape as the engine asks it; all distances in metres. */
export interface GeofenceShape {
  boxes: readonly Box[];
  isInside(place: LatLon): boolean;
  /** Whether a place lies outside, and farther than so many metres from the border. */
  isBeyond(place: LatLon, metres: number): boolean;
  /**
   * Where the straight way from `a` to `b` first enters and last leaves, as shares of the way from 0 to 1; null when it
   * keeps outside.
   */
  crossing(a: LatLon, b: LatLon): Span | null;
  /** How many sides, and nodes of trees of them, were read so far. */
  read(): number;
}

/**
 * The sides of one shape, four numbers each: longitude and latitude of either end. A side goes the shorter way round
 * the earth, so that its end may lie beyond 180 degrees.
 */
export type Sides = Float64Array;
export const edgeNumbers = 4;

/** A shape that is measured and not built yet. */
export interface ShapePlan {
  boxes: readonly Box[];
  edges: Sides;
  /** Of the typed arrays that the shape holds. */
  bytes: number;
  /** The most sides that are read to say whether a place is inside. */
  maxReadInside: number;
  build(): GeofenceShape;
}

export type Coordinates = readonly (readonly [number, number] | number[])[];

/** GeoJSON: longitude first. */
export function placeOf(point: readonly number[] | undefined): LatLon {
  return { lon: point?.[0] ?? 0, lat: point?.[1] ?? 0 };
}

/** Of a line over the antimeridian the box reaches beyond 180 degrees, to one side or the other. */
export function boxAround(places: readonly LatLon[], radius: number): Box {
  let [west, south, east, north] = [180, 90, -180, -90];
  let lon = places[0]?.lon ?? 0;
  for (const place of places) {
    const margin = degreesOf(radius, place.lat);
    lon += lonDifference(place.lon, lon);
    west = Math.min(west, lon - margin.lon);
    east = Math.max(east, lon + margin.lon);
    south = Math.min(south, place.lat - margin.lat);
    north = Math.max(north, place.lat + margin.lat);
  }
  return [west, south, east, north];
}
