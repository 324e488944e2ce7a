import { destination, fromMercator } from '../geodesy.ts';
import { clusterRadiusPx, ringImage } from '../glyphs/clusterRing.ts';
import { bracketImage, glyphImage, groundImage } from '../glyphs/glyphAtlas.ts';
import type { VehicleState } from '../glyphs/glyphShapes.ts';
import type { Cluster } from './clusterVehicles.ts';

/** A vehicle as the map needs it. Stores hand over what they have, as soon as it changes. */
export interface MapVehicle {
  id: string;
  name: string;
  lat: number;
  lon: number;
  /** Degrees from north, clockwise. */
  course_deg: number | null;
  speed_kmh: number | null;
  state: VehicleState;
  /** The highest severity that is going on; null when there is none. */
  severity: 'alarm' | 'warning' | null;
  /** Somebody has taken the alarm; it may still be going on. */
  acknowledged: boolean;
  /** The alarm that it is labelled with, which goes on and waits for somebody; the moment is Unix ms. */
  label: { severity: 'alarm' | 'warning'; at: number } | null;
  /** The server is lost: what is shown is the last that was known. */
  stale: boolean;
}

export interface VehicleDiff {
  changed: readonly MapVehicle[];
  removed: readonly string[];
}

/** A past position of the trail behind a vehicle. */
export interface TrailPoint {
  lat: number;
  lon: number;
  overLimit: boolean;
}

/** What of a source a feature is: all of them lie in one, so that what changes in a frame is one change of one source. */
export type FeatureKind = 'vehicle' | 'vector' | 'cluster';

/** @param id of the vehicle, for a cluster of the one that it grew from */
export const featureId = (kind: FeatureKind, id: string): string => `${kind}:${id}`;

/** An alarm that nobody has taken yet. */
const hasOpenAlarm = (vehicle: MapVehicle): boolean => vehicle.severity !== null && !vehicle.acknowledged;

/** Seconds ahead that the vector of a moving vehicle reaches. */
const VECTOR_S = 15;

type Properties = Record<string, string | number | boolean>;

/**
 * A vehicle's properties in the map's source; the layers read them.
 *
 * @param ringed it is one of several that are selected
 */
export function vehicleProperties(vehicle: MapVehicle, selected: boolean, ringed = false): Properties {
  const open = hasOpenAlarm(vehicle);
  return {
    kind: 'vehicle' satisfies FeatureKind,
    id: vehicle.id,
    name: vehicle.name,
    icon: glyphImage(vehicle.state, vehicle.stale),
    ground: groundImage(vehicle.state),
    tone: toneOf(vehicle),
    course: vehicle.state === 'moving' ? (vehicle.course_deg ?? 0) : 0,
    open,
    ringed: selected || ringed,
    top: selected || vehicle.severity !== null,
    // Selected vehicles and alarms that go on carry a data block instead.
    named: !selected && vehicle.label === null,
    ...(vehicle.severity === null ? {} : { brackets: bracketImage(vehicle.acknowledged) }),
  };
}

export function vehicleFeature(vehicle: MapVehicle, selected: boolean, ringed = false): GeoJSON.Feature {
  return {
    type: 'Feature',
    id: featureId('vehicle', vehicle.id),
    properties: vehicleProperties(vehicle, selected, ringed),
    geometry: pointAt(vehicle.lon, vehicle.lat),
  };
}

/** Where a moving vehicle will be in 15 s at its speed and course; null when it does not say enough. */
export function vectorFeature(vehicle: MapVehicle): GeoJSON.Feature | null {
  const { course_deg: courseDeg, speed_kmh: speedKmh } = vehicle;
  if (vehicle.state !== 'moving' || vehicle.stale || courseDeg === null || speedKmh === null) return null;
  const ahead = destination(vehicle, courseDeg, (speedKmh / 3.6) * VECTOR_S);
  return {
    type: 'Feature',
    id: featureId('vector', vehicle.id),
    properties: { kind: 'vector' satisfies FeatureKind, tone: toneOf(vehicle) },
    geometry: {
      type: 'LineString',
      coordinates: [
        [vehicle.lon, vehicle.lat],
        [ahead.lon, ahead.lat],
      ],
    },
  };
}

/** @param ringed some of its vehicles are selected */
export function clusterFeature(cluster: Cluster, ringed = false): GeoJSON.Feature {
  const { lat, lon } = fromMercator(cluster.x, cluster.y);
  const count = cluster.members.length;
  return {
    type: 'Feature',
    id: featureId('cluster', cluster.id),
    properties: {
      kind: 'cluster' satisfies FeatureKind,
      id: cluster.id,
      count,
      image: ringImage(cluster.counts, count),
      radius: clusterRadiusPx(count),
      ringed,
    },
    geometry: pointAt(lon, lat),
  };
}

function toneOf(vehicle: MapVehicle): string {
  return vehicle.severity !== null && hasOpenAlarm(vehicle) ? vehicle.severity : vehicle.state;
}

const pointAt = (lon: number, lat: number): GeoJSON.Point => ({ type: 'Point', coordinates: [lon, lat] });
