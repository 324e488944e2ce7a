import { causeOf } from '../../contract/causeTexts.ts';
import { geofenceLimits } from '../../contract/geofenceGeometry.ts';
import {
  FileError,
  FileTooLarge,
  isObject,
  type GeofenceWriter,
  type FileFeature,
  type FileGeometry,
} from './feature.ts';

/**
 * Longitude and latitude on WGS 84, by the names that programs give to it: RFC 7946 knows no other, its forerunner of
 * 2008 (section 3) and what writes as it asks still do.
 */
const wgs84 = /^(?:urn:(?:x-)?ogc:def:crs:(?:OGC:(?:[\d.]*:)?CRS84|EPSG:[\d.]*:4326)|EPSG:4326|OGC:CRS84)$/i;

/**
 * The shapes of a GeoJSON document: collections and geometries of several parts are taken apart, but for a
 * MultiPolygon, which is one geofence.
 *
 * @throws FileError for what is not GeoJSON, or not in longitude and latitude; FileTooLarge
 */
export function featuresOfGeoJson(document: unknown): FileFeature[] {
  checkCrs(document);
  const features = featuresOf(document, { shapes: 0 });
  checkShapes(features.length);
  const corners = features.reduce((sum, { geometry }) => sum + cornersIn(geometry), 0);
  if (corners > geofenceLimits.fileCorners) throw tooManyCorners(corners);
  return features;
}

/** @throws FileTooLarge when a file has more than so many shapes */
export function checkShapes(shapes: number): void {
  if (shapes <= geofenceLimits.shapes) return;
  throw new FileTooLarge(causeOf('file.most_shapes', { most: geofenceLimits.shapes, there: shapes }));
}

export function tooManyCorners(corners: number): FileTooLarge {
  return new FileTooLarge(causeOf('file.most_corners', { most: geofenceLimits.fileCorners, there: corners }));
}

/** By the lengths of the lists alone. */
function cornersIn(geometry: FileGeometry | null): number {
  const sum = (list: unknown, each: (item: unknown) => number) =>
    listOf(list).reduce((total: number, item) => total + each(item), 0);
  const points = (list: unknown) => listOf(list).length;
  switch (geometry?.type) {
    case 'LineString':
      return points(geometry.coordinates);
    case 'Polygon':
      return sum(geometry.coordinates, points);
    case 'MultiPolygon':
      return sum(geometry.coordinates, (rings) => sum(rings, points));
    default:
      return 1;
  }
}

function checkCrs(document: unknown): void {
  const crs = isObject(document) ? document['crs'] : undefined;
  if (crs === undefined || crs === null) return;
  const properties = isObject(crs) ? crs['properties'] : undefined;
  const name = isObject(properties) ? properties['name'] : undefined;
  if (typeof name !== 'string' || name === '') throw new FileError(causeOf('file.unnamed_system'));
  if (!wgs84.test(name)) throw new FileError(causeOf('file.not_wgs84', { system: name }));
}

function featuresOf(value: unknown, read: { shapes: number }): FileFeature[] {
  const it = isObject(value) ? value : {};
  switch (it['type']) {
    case 'FeatureCollection':
      if (!Array.isArray(it['features'])) throw new FileError(causeOf('file.no_feature_list'));
      checkShapes(it['features'].length);
      return it['features'].flatMap((feature: unknown) =>
        isObject(feature) && feature['type'] === 'Feature'
          ? featuresOf(feature, read)
          : [{ geometry: null, properties: {} }],
      );
    case 'Feature': {
      const properties = isObject(it['properties']) ? it['properties'] : {};
      const geometries = partsOf(it['geometry'], read, 1);
      return named(geometries, properties);
    }
    default: {
      const geometries = partsOf(value, read, 1);
      if (geometries.length === 0) {
        throw new FileError(causeOf('file.no_geojson'));
      }
      return named(geometries, {});
    }
  }
}

/** Several parts of one feature are distinguished by a number. */
export function named(
  geometries: readonly FileGeometry[],
  properties: FileFeature['properties'],
): FileFeature[] {
  if (geometries.length === 0) return [{ geometry: null, properties }];
  const { name } = properties;
  if (geometries.length === 1 || typeof name !== 'string') {
    return geometries.map((geometry) => ({ geometry, properties }));
  }
  return geometries.map((geometry, at) => ({
    geometry,
    properties,
    part: at + 1,
  }));
}

/** The parts are counted before they are made. */
function partsOf(geometry: unknown, read: { shapes: number }, depth: number): FileGeometry[] {
  if (!isObject(geometry)) return [];
  const { type, coordinates } = geometry;
  const counted = (list: unknown): unknown[] => {
    read.shapes += listOf(list).length;
    checkShapes(read.shapes);
    return listOf(list);
  };
  switch (type) {
    case 'Point':
    case 'LineString':
    case 'Polygon':
    case 'MultiPolygon':
      counted([coordinates]);
      return [{ type, coordinates }];
    case 'MultiPoint':
      return counted(coordinates).map((it) => ({ type: 'Point', coordinates: it }));
    case 'MultiLineString':
      return counted(coordinates).map((it) => ({ type: 'LineString', coordinates: it }));
    case 'GeometryCollection': {
      if (depth > geofenceLimits.nesting) {
        throw new FileError(causeOf('file.nested', { most: geofenceLimits.nesting }));
      }
      const geometries = listOf(geometry['geometries']);
      checkShapes(geometries.length);
      return geometries.flatMap((it) => partsOf(it, read, depth + 1));
    }
    default:
      return [];
  }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Geofences as GeoJSON (RFC 7946); read back they are the same. */
export const geoJsonWriter: GeofenceWriter = {
  contentType: 'application/geo+json',
  head: '{"type":"FeatureCollection","features":[',
  geofence(geofence, isFirst) {
    const {
      geozone_id,
      geometry,
      version: _version,
      created_at: _created,
      updated_at: _updated,
      not_monitored: _notMonitored,
      ...properties
    } = geofence;
    const feature = { type: 'Feature', id: geozone_id, geometry, properties: { ...properties, geozone_id } };
    return `${isFirst ? '' : ','}${JSON.stringify(feature)}`;
  },
  tail: ']}',
};
