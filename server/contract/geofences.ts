import { z } from 'zod';
import { causes } from './causes.ts';
import { eitherOr, stating } from './conditions.ts';
import {
  color,
  id,
  listQuery,
  mergePatchOf,
  oneOrMany,
  page,
  shortText,
  speedKmh,
  stamps,
  time,
} from './fields.ts';
import { geometry, type GeofenceGeometry } from './geofenceGeometry.ts';
import { previewError, previewPeriod, progressBytes } from './preview.ts';
import { route } from './route.ts';
import { schedule } from './schedule.ts';
import { fieldFault } from './problem.ts';

const tag = 'Geozones';

const shape = z.enum(['polygon', 'circle', 'line']);

const fields = {
  name: shortText,
  shape,
  geometry,
  radius_m: z.number().positive().max(1_000_000).nullable().default(null),
  width_m: z.number().positive().max(100_000).nullable().default(null),
  color: color.nullable().default(null),
  speed_limit_kmh: speedKmh.nullable().default(null),
  hysteresis_m: z.number().min(0).max(10_000).default(20),
  min_inside_s: z.number().min(0).max(86_400).default(0),
  min_outside_s: z.number().min(0).max(86_400).default(0),
  schedule: schedule.nullable().default(null),
  group_ids: z.array(id).max(1_000).default([]),
};

/** Shape by shape what the geometry must be, and which size belongs to it. */
export const formOfShape: Record<
  z.infer<typeof shape>,
  { geometries: readonly GeofenceGeometry['type'][]; size: 'radius_m' | 'width_m' | null }
> = {
  polygon: { geometries: ['Polygon', 'MultiPolygon'], size: null },
  circle: { geometries: ['Point'], size: 'radius_m' },
  line: { geometries: ['LineString'], size: 'width_m' },
};

const shapeConditions = {
  oneOf: Object.entries(formOfShape).map(([name, { geometries, size }]) => ({
    properties: {
      shape: { const: name },
      geometry: { type: 'object', properties: { type: { enum: geometries } } },
      ...Object.fromEntries(
        (['radius_m', 'width_m'] as const).map((it) => [it, { type: it === size ? 'number' : 'null' }]),
      ),
    },
    ...(size === null ? {} : { required: [size] }),
  })),
};

/** Faults of the rings themselves are found by the geofence domain. */
export const newGeofence = stating(z.strictObject(fields), shapeConditions).meta({ id: 'NewGeofence' });
export type NewGeofence = z.infer<typeof newGeofence>;
export const geofencePatch = mergePatchOf(fields).meta({ id: 'GeofencePatch' });
export type GeofencePatch = z.infer<typeof geofencePatch>;

export const geofence = z
  .object({
    geozone_id: id,
    name: z.string(),
    shape,
    geometry,
    radius_m: z.number().nullable(),
    width_m: z.number().nullable(),
    color: z.string().nullable(),
    speed_limit_kmh: z.number().nullable(),
    hysteresis_m: z.number(),
    min_inside_s: z.number(),
    min_outside_s: z.number(),
    schedule: schedule.nullable(),
    group_ids: z.array(id),
    not_monitored: z
      .object({ reason: z.string(), causes })
      .nullable()
      .optional()
      .meta({ description: 'why it is not monitored: its shape cannot be indexed; else null' }),
    ...stamps,
  })
  .meta({ id: 'Geofence' });
export type Geofence = z.infer<typeof geofence>;

const params = z.object({ geozone_id: id });

/** A shape tried on the past: a stored geofence, or one as it would be made. */
const geofencePreviewQuery = eitherOr(
  z
    .strictObject({
      ...previewPeriod,
      geozone_id: id.optional(),
      geofence: stating(
        z.strictObject({ ...fields, name: shortText.default('Preview') }),
        shapeConditions,
      ).optional(),
    })
    .check(previewError),
  ['geozone_id', 'geofence'],
  'names a geofence by either geozone_id or geofence',
).meta({ id: 'GeofencePreviewQuery' });

/** A stay in a geofence; open at an end where the period or the data ends first. */
const previewedVisit = z
  .object({
    vehicle_id: id,
    enter_time: time,
    exit_time: time,
    open_start: z.boolean().meta({ description: 'it was inside when the period began' }),
    open_end: z.boolean().meta({ description: 'it was still inside when the period ended' }),
    duration_s: z.number(),
    lat: z.number().meta({ description: 'where it entered, or was first seen inside' }),
    lon: z.number(),
  })
  .meta({ id: 'PreviewedVisit' });

export const geofencePreview = z
  .object({
    from: time,
    to: time,
    vehicles: z.int().meta({ description: 'number of vehicles evaluated' }),
    positions: z.int().meta({ description: 'number of positions evaluated' }),
    visits: z.int(),
    visitors: z.int().meta({ description: 'how many vehicles visited it' }),
    items: z.array(previewedVisit).meta({ description: 'the first 1,000, in order of time' }),
    truncated: z.boolean(),
  })
  .meta({ id: 'GeofencePreview' });
export type GeofencePreview = z.infer<typeof geofencePreview>;

export const geofenceImportResult = z.object({
  row: z.int().meta({ description: 'position of the shape in the file, from 1' }),
  name: z.string().nullable(),
  status: z.enum(['created', 'invalid']),
  geozone_id: id.nullable(),
  errors: z.array(fieldFault),
});
export type GeofenceImportResult = z.infer<typeof geofenceImportResult>;

export const geofenceRoutes = {
  list: route({
    id: 'listGeofences',
    tag,
    method: 'GET',
    path: '/api/v1/geozones',
    summary: 'Visible geofences',
    access: { right: 'geofences', level: 'read' },
    query: z.strictObject({ ...listQuery, q: z.string().max(100).optional() }),
    reply: page(geofence),
  }),
  create: route({
    id: 'createGeofence',
    tag,
    method: 'POST',
    path: '/api/v1/geozones',
    summary: 'Add a geofence',
    access: { right: 'geofences', level: 'write' },
    body: newGeofence,
    reply: geofence,
    status: 201,
    errors: ['quota_exceeded'],
  }),
  get: route({
    id: 'getGeofence',
    tag,
    method: 'GET',
    path: '/api/v1/geozones/{geozone_id}',
    summary: 'One geofence',
    access: { right: 'geofences', level: 'read' },
    params,
    reply: geofence,
    errors: ['not_found'],
  }),
  patch: route({
    id: 'patchGeofence',
    tag,
    method: 'PATCH',
    path: '/api/v1/geozones/{geozone_id}',
    summary: 'Change a geofence',
    access: { right: 'geofences', level: 'write' },
    versioned: true,
    params,
    body: geofencePatch,
    reply: geofence,
    errors: ['not_found', 'version_conflict', 'quota_exceeded'],
  }),
  remove: route({
    id: 'deleteGeofence',
    tag,
    method: 'DELETE',
    path: '/api/v1/geozones/{geozone_id}',
    summary: 'Delete a geofence',
    access: { right: 'geofences', level: 'write' },
    versioned: true,
    params,
    errors: ['not_found', 'in_use', 'version_conflict'],
  }),
  restore: route({
    id: 'restoreGeofence',
    tag,
    method: 'POST',
    path: '/api/v1/geozones/{geozone_id}/restore',
    summary: 'Undo the deletion of a geofence, within an hour and until the server is restarted',
    access: { right: 'geofences', level: 'write' },
    params,
    reply: geofence,
    errors: ['not_found', 'quota_exceeded'],
  }),
  export: route({
    id: 'exportGeofences',
    tag,
    method: 'GET',
    path: '/api/v1/geozones/export',
    summary: 'Export visible geofences as GeoJSON or KML',
    access: { right: 'geofences', level: 'read' },
    query: z.strictObject({
      format: z.enum(['geojson', 'kml']).default('geojson'),
      ids: oneOrMany(id).optional(),
    }),
    exports: true,
    bytes: { contentTypes: ['application/geo+json', 'application/vnd.google-earth.kml+xml'] },
  }),
  import: route({
    id: 'importGeofences',
    tag,
    method: 'POST',
    path: '/api/v1/geozones/import',
    summary: 'Import geofences from GeoJSON or KML; one result per shape',
    access: { right: 'geofences', level: 'write' },
    bodyLimit: 8 * 1024 * 1024,
    alsoTakes: ['application/geo+json', 'application/vnd.google-earth.kml+xml'],
    jsonAsText: true,
    errors: ['queue_full', 'quota_exceeded'],
    query: z.strictObject({
      dry_run: z.enum(['0', '1']).optional(),
      group_ids: oneOrMany(id).optional().meta({
        description:
          'the groups to which the geofences apply; left out: those that the file names, else every vehicle',
      }),
      radius_m: z.coerce
        .number()
        .positive()
        .max(1_000_000)
        .optional()
        .meta({ description: 'of points without one; left out, those are invalid' }),
      width_m: z.coerce
        .number()
        .positive()
        .max(100_000)
        .optional()
        .meta({ description: 'of lines without one; left out, those are invalid' }),
    }),
    body: z
      .looseObject({
        type: z.enum([
          'FeatureCollection',
          'Feature',
          'Point',
          'LineString',
          'Polygon',
          'MultiPoint',
          'MultiLineString',
          'MultiPolygon',
          'GeometryCollection',
        ]),
      })
      .meta({
        id: 'GeoJson',
        description: 'a document of RFC 7946, in longitude and latitude',
        if: { properties: { type: { const: 'FeatureCollection' } } },
        then: { properties: { features: { type: 'array' } }, required: ['features'] },
      }),
    reply: z.object({ created: z.int(), invalid: z.int(), results: z.array(geofenceImportResult) }),
  }),
  preview: route({
    id: 'previewGeofence',
    tag,
    method: 'POST',
    path: '/api/v1/geozones/preview',
    summary: 'Preview the visits of a shape, saved or not, in a past period',
    access: { right: 'geofences', level: 'read' },
    body: geofencePreviewQuery,
    bytes: progressBytes(geofencePreview),
    errors: ['not_found', 'unavailable', 'too_large', 'queue_full'],
  }),
};
