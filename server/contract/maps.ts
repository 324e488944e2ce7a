import { z } from 'zod';
import { causes } from './causes.ts';
import { id, lat, lon, shortText, stamps, time } from './fields.ts';
import { route } from './route.ts';

const tag = 'Maps';

/** A part of an upload is no larger. */
export const maxUploadPart = 8 * 1024 * 1024;
/** The planet of today is an eighth of it. */
const maxMapBytes = 1_000_000_000_000;

export const mapSchema = z.enum([
  'protomaps',
  'protomaps_old',
  'openmaptiles',
  'shortbread',
  'fleetdeck',
  'raster',
]);
export type MapSchema = z.infer<typeof mapSchema>;

export const mapArea = z
  .object({ west: lon, south: lat, east: lon, north: lat })
  .meta({ id: 'MapArea', description: 'degrees; never over the antimeridian' });
export type MapArea = z.infer<typeof mapArea>;

export const map = z
  .object({
    map_id: id,
    name: shortText,
    kind: z.enum(['streets', 'imagery']),
    format: z
      .enum(['pmtiles', 'mbtiles', 'online'])
      .meta({ description: '`online`: of an online source, which has no file' }),
    schema: mapSchema,
    area: mapArea,
    min_zoom: z.int().min(0).max(24),
    max_zoom: z.int().min(0).max(24),
    bytes: z.int().meta({ description: 'of the file; of an online source, what is cached' }),
    licence: z
      .string()
      .max(2_000)
      .meta({ description: 'as the file states it, without markup; may be empty' }),
    shown: z.boolean().meta({ description: 'whether it is drawn' }),
    path: z
      .string()
      .nullable()
      .meta({ description: 'where the file lies when it was added by its path; for dealers, else null' }),
    url: z.string().nullable().meta({ description: 'of an online source, for dealers, else null' }),
    fault: z
      .string()
      .nullable()
      .meta({ description: 'why the file or the online source cannot be read now; null when it can' }),
    fault_causes: causes,
    ...stamps,
  })
  .meta({ id: 'Map' });
export type Map = z.infer<typeof map>;

export const mapUpload = z
  .object({
    upload_id: id,
    name: shortText,
    bytes: z.int().meta({ description: 'of the whole file' }),
    received: z.int().meta({ description: 'bytes that the host has; the next part begins there' }),
    created_at: time,
    map: map.nullable().meta({ description: 'the map, once all of it is there and was found valid' }),
  })
  .meta({ id: 'MapUpload' });
export type MapUpload = z.infer<typeof mapUpload>;

/** The maps that are drawn, as one: of streets, and of imagery. */
export const composedMaps = ['streets', 'imagery'] as const;
export type ComposedMap = (typeof composedMaps)[number];

const tileNumber = z.coerce.number().int().min(0).max(16_777_215);
export const tilePlace = { z: z.coerce.number().int().min(0).max(24), x: tileNumber, y: tileNumber };
export const tileVersion = {
  v: z.coerce.number().int().min(0).max(1_000_000_000).optional().meta({
    description:
      '`maps_version` of the settings, as the caller knows it: with it the answer may be kept for a day',
  }),
};
const mapParams = z.strictObject({ map_id: id });
const drawnParams = { map_id: z.union([id, z.enum(composedMaps)]) };
const uploadParams = z.strictObject({ upload_id: id });

export const mapRoutes = {
  list: route({
    id: 'listMaps',
    tag,
    method: 'GET',
    path: '/api/v1/maps',
    summary: 'List the map files',
    access: 'user',
    reply: z.object({ items: z.array(map) }),
  }),
  add: route({
    id: 'addMap',
    tag,
    method: 'POST',
    path: '/api/v1/maps',
    summary: 'Add a map file that lies on the host: it is read where it lies',
    access: 'dealer',
    body: z
      .strictObject({
        path: z.string().min(1).max(1_000).meta({ description: 'an absolute path on the server' }),
        name: shortText.optional(),
      })
      .meta({ id: 'NewMap' }),
    reply: map,
    status: 201,
    errors: ['quota_exceeded', 'in_use', 'unavailable'],
  }),
  listUploads: route({
    id: 'listMapUploads',
    tag,
    method: 'GET',
    path: '/api/v1/maps/uploads',
    summary: 'List the unfinished uploads of map files',
    access: 'dealer',
    reply: z.object({ items: z.array(mapUpload) }),
  }),
  startUpload: route({
    id: 'startMapUpload',
    tag,
    method: 'POST',
    path: '/api/v1/maps/uploads',
    summary: 'Start an upload of a map file',
    access: 'dealer',
    body: z
      .strictObject({ name: shortText, bytes: z.int().min(1).max(maxMapBytes) })
      .meta({ id: 'NewMapUpload' }),
    reply: mapUpload,
    status: 201,
    errors: ['quota_exceeded', 'disk_full', 'unavailable'],
  }),
  uploadPart: route({
    id: 'uploadMapPart',
    tag,
    method: 'PUT',
    path: '/api/v1/maps/uploads/{upload_id}',
    summary:
      'Send the next part; with the last one the file is checked, and becomes a map or is rejected and deleted',
    access: 'dealer',
    params: uploadParams,
    query: z.strictObject({
      from: z.coerce
        .number()
        .int()
        .min(0)
        .max(maxMapBytes)
        .meta({ description: 'where in the file the part begins: what `received` says' }),
    }),
    bytesBody: { contentType: 'application/octet-stream', most: maxUploadPart },
    reply: mapUpload,
    errors: ['in_use', 'disk_full', 'unavailable'],
  }),
  getUpload: route({
    id: 'getMapUpload',
    tag,
    method: 'GET',
    path: '/api/v1/maps/uploads/{upload_id}',
    summary: 'Get an upload, to go on with it',
    access: 'dealer',
    params: uploadParams,
    reply: mapUpload,
  }),
  cancelUpload: route({
    id: 'cancelMapUpload',
    tag,
    method: 'DELETE',
    path: '/api/v1/maps/uploads/{upload_id}',
    summary: 'Cancel an upload: what was sent is deleted',
    access: 'dealer',
    params: uploadParams,
  }),
  get: route({
    id: 'getMap',
    tag,
    method: 'GET',
    path: '/api/v1/maps/{map_id}',
    summary: 'Get a map file',
    access: 'user',
    params: mapParams,
    reply: map,
  }),
  patch: route({
    id: 'patchMap',
    tag,
    method: 'PATCH',
    path: '/api/v1/maps/{map_id}',
    summary: 'Rename a map, or draw it or not',
    access: 'dealer',
    versioned: true,
    params: mapParams,
    body: z
      .strictObject({ name: shortText.optional(), shown: z.boolean().optional() })
      .meta({ id: 'MapPatch' }),
    reply: map,
    errors: ['version_conflict'],
  }),
  remove: route({
    id: 'deleteMap',
    tag,
    method: 'DELETE',
    path: '/api/v1/maps/{map_id}',
    summary:
      'Remove a map; the file is deleted when it was uploaded, and stays when it was added by its path',
    access: 'dealer',
    params: mapParams,
  }),
  tileJson: route({
    id: 'getTileJson',
    tag,
    method: 'GET',
    path: '/api/v1/maps/{map_id}/tiles.json',
    summary: 'Get the TileJSON of a map, or of all that are drawn',
    access: 'user',
    params: z.strictObject(drawnParams),
    reply: z.looseObject({ tilejson: z.literal('3.0.0') }).meta({ id: 'TileJson' }),
  }),
  tile: route({
    id: 'getTile',
    tag,
    method: 'GET',
    path: '/api/v1/maps/{map_id}/{z}/{x}/{y}',
    summary:
      'Get a tile: of a file as it is stored; of `streets` and `imagery` as it is drawn, from all files. 204 where there is none. Counts towards 6,000 tiles a minute of its own, not towards the 180 calls',
    access: 'user',
    params: z.strictObject({ ...drawnParams, ...tilePlace }),
    query: z.strictObject(tileVersion),
    bytes: {
      contentTypes: ['application/vnd.mapbox-vector-tile', 'image/png', 'image/jpeg', 'image/webp'],
      tiles: true,
    },
    errors: ['unavailable'],
  }),
};
