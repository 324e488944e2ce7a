import { z } from 'zod';
import { causes } from './causes.ts';
import { id, shortText, stamps } from './fields.ts';
import { map, mapArea } from './maps.ts';
import { route } from './route.ts';

const tag = 'Maps';

/** France at zoom 15; the lists of its tiles take some 100 MB of memory while they are read. */
export const maxRegionTiles = 2_000_000;

const regionUrl = z
  .url({ protocol: /^https?$/, hostname: /./ })
  .max(2_000)
  .meta({ description: 'of a PMTiles file on a server that answers requests for ranges' });

const regionOf = {
  url: regionUrl,
  area: mapArea,
  max_zoom: z.int().min(0).max(24).meta({ description: 'no tiles of deeper zooms are copied' }),
};

export const regionEstimate = z
  .object({
    tiles: z.int().meta({ description: 'that the area has down to the zoom' }),
    bytes: z.int().meta({ description: 'of the file that is made' }),
    transfer_bytes: z.int().meta({ description: 'of tiles that are fetched, with the gaps between them' }),
    requests: z.int(),
    free_bytes: z.int().meta({ description: 'that the disk has beside its reserve' }),
    source_bytes: z.int().meta({ description: 'of the whole file at the source' }),
    area: mapArea.meta({ description: 'what the source has of the area that was asked for' }),
    ...map.pick({ kind: true, schema: true, min_zoom: true, max_zoom: true, licence: true }).shape,
  })
  .meta({ id: 'MapRegionEstimate' });
export type RegionEstimate = z.infer<typeof regionEstimate>;

export const mapRegion = z
  .object({
    region_id: id,
    name: shortText,
    ...regionOf,
    phase: z.enum(['listing', 'copying', 'checking', 'paused', 'failed', 'done']).meta({
      description:
        '`listing`: the list of tiles is read; `copying`: the tiles are; `checking`: all are there, and the file is inspected',
    }),
    tiles: z.int().nullable().meta({ description: 'null until they are listed' }),
    bytes: z.int().nullable().meta({ description: 'of the whole file; null until its tiles are listed' }),
    received: z.int().meta({ description: 'bytes of the file that the host has' }),
    interruption: z
      .string()
      .nullable()
      .meta({ description: 'why the last request failed, while it is tried again; else null' }),
    interruption_causes: causes,
    fault: z.string().nullable().meta({ description: 'why the download failed; else null' }),
    fault_causes: causes,
    map_id: id.nullable().meta({ description: 'of the map, once it is done' }),
    created_at: stamps.created_at,
    updated_at: stamps.updated_at,
  })
  .meta({ id: 'MapRegion' });
export type MapRegion = z.infer<typeof mapRegion>;

const params = z.strictObject({ region_id: id });

export const mapRegionRoutes = {
  estimate: route({
    id: 'estimateMapRegion',
    tag,
    method: 'POST',
    path: '/api/v1/maps/regions/estimate',
    summary:
      'Estimate a download: the host reads from the URL which tiles the area has, and none of the tiles themselves',
    access: 'dealer',
    body: z.strictObject(regionOf).meta({ id: 'MapRegionQuery' }),
    reply: regionEstimate,
    errors: ['in_use', 'unavailable', 'queue_full', 'too_large'],
  }),
  list: route({
    id: 'listMapRegions',
    tag,
    method: 'GET',
    path: '/api/v1/maps/regions',
    summary: 'List the downloads of regions: the one under way, or the last',
    access: 'dealer',
    reply: z.object({ items: z.array(mapRegion) }),
  }),
  start: route({
    id: 'startMapRegion',
    tag,
    method: 'POST',
    path: '/api/v1/maps/regions',
    summary: 'Download a region of a map: the host copies its tiles from the URL into a map file of its own',
    access: 'dealer',
    body: z.strictObject({ name: shortText, ...regionOf }).meta({ id: 'NewMapRegion' }),
    reply: mapRegion,
    status: 201,
    errors: ['quota_exceeded', 'unavailable', 'disk_full'],
  }),
  get: route({
    id: 'getMapRegion',
    tag,
    method: 'GET',
    path: '/api/v1/maps/regions/{region_id}',
    summary: 'Get a download, to see how far it is',
    access: 'dealer',
    params,
    reply: mapRegion,
  }),
  patch: route({
    id: 'patchMapRegion',
    tag,
    method: 'PATCH',
    path: '/api/v1/maps/regions/{region_id}',
    summary: 'Pause a download, or resume it where it ended, also after a failure',
    access: 'dealer',
    params,
    body: z.strictObject({ paused: z.boolean() }).meta({ id: 'MapRegionPatch' }),
    reply: mapRegion,
    errors: ['in_use', 'unavailable'],
  }),
  cancel: route({
    id: 'cancelMapRegion',
    tag,
    method: 'DELETE',
    path: '/api/v1/maps/regions/{region_id}',
    summary: 'Cancel a download: what was copied is deleted. Of one that is done, the map stays',
    access: 'dealer',
    params,
  }),
};
