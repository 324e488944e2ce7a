import { z } from 'zod';
import { color, id, lat, listQuery, lon, mergePatchOf, page, shortText, speedKmh, stamps } from './fields.ts';
import { route } from './route.ts';
import { schedule } from './schedule.ts';

const tag = 'Geofences';

const shape = z.enum(['polygon', 'circle', 'line']);

/** GeoJSON order: longitude first. A third number (height) is taken off. */
const point = z
  .tuple([lon, lat])
  .rest(z.number())
  .overwrite((it) => [it[0], it[1]]);
const ring = z.array(point).min(4).max(20_000);

export const geometry = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('Point'), coordinates: point }),
    z.strictObject({ type: z.literal('LineString'), coordinates: z.array(point).min(2).max(20_000) }),
    z.strictObject({ type: z.literal('Polygon'), coordinates: z.array(ring).min(1).max(1_000) }),
    z.strictObject({
      type: z.literal('MultiPolygon'),
      coordinates: z.array(z.array(ring).min(1)).min(1).max(1_000),
    }),
  ])
  .meta({ id: 'FenceGeometry' });
export type FenceGeometry = z.infer<typeof geometry>;

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

/** Shape by shape what the geometry must be; faults of the rings themselves are found by the geofence domain. */
export const newGeofence = z.strictObject(fields).meta({ id: 'NewGeofence' });
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
    ...stamps,
  })
  .meta({ id: 'Geofence' });
export type Geofence = z.infer<typeof geofence>;

const params = z.object({ geozone_id: id });

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
    errors: ['not_found', 'version_conflict'],
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
};
