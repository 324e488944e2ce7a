import { z } from 'zod';
import { id, lat, lon, shortText, stamps, time } from './fields.ts';
import { map, tilePlace, tileVersion } from './maps.ts';
import { route } from './route.ts';
import { vehicleParams, vehicleStatus } from './vehicles.ts';

const tag = 'Vehicles';
/** Bears the token of a link in each call of its page. */
export const shareTokenHeader = 'Share-Token';

/** A link that nobody needs any more ends by itself soon enough. */
export const maxShareDays = 30;

/** What a share may show beside the vehicle's name and place. */
export const shareDetails = ['plate', 'driver', 'speed', 'address'] as const;
const shareDetail = z.enum(shareDetails);
export type ShareDetail = (typeof shareDetails)[number];

const where = z.strictObject({ geozone_id: id, side: z.enum(['inside', 'outside']) });

export const newShare = z
  .strictObject({
    name: shortText.meta({ description: 'whom the link is for' }),
    shows: z
      .array(shareDetail)
      .max(shareDetails.length)
      .refine((names) => new Set(names).size === names.length, 'names one twice')
      .default(['speed', 'address']),
    where: where.nullable().default(null).meta({
      description: 'the vehicle is only shown while it is on this side of the geofence; null: everywhere',
    }),
    expires_at: time.meta({ description: `at most ${maxShareDays} days ahead` }),
  })
  .meta({ id: 'NewShare' });
export type NewShare = z.infer<typeof newShare>;

/** What a link shows now: its vehicle, or why it shows no place of it. */
export const shareStates = ['shown', 'no_position', 'inside', 'outside', 'no_geofence', 'no_access'] as const;
export type ShareState = (typeof shareStates)[number];

export const share = z
  .object({
    ...newShare.shape,
    share_id: id,
    vehicle_id: id,
    user_id: id.meta({ description: 'who shared it, on whose behalf it shows the vehicle' }),
    shows: z.array(shareDetail),
    where: where.nullable(),
    state: z.enum(shareStates).meta({
      description:
        'what it shows now: its vehicle, or nothing of its place, since there is none, since it is inside or outside the geofence, since the geofence is gone or not monitored, or since who shared it may do so no longer',
    }),
    ...stamps,
  })
  .meta({ id: 'Share' });
export type Share = z.infer<typeof share>;

/** What whoever has the link sees. */
export const sharedVehicle = z
  .object({
    depot: z.string(),
    vehicle: z.string().meta({ description: 'its name' }),
    plate: z.string().nullable(),
    driver: z.string().nullable().meta({ description: 'the name of who drives it now' }),
    withheld: z
      .boolean()
      .meta({ description: 'it is not where the link shows it: nothing of its place is said' }),
    status: vehicleStatus.nullable(),
    position: z
      .object({
        time,
        lat,
        lon,
        speed_kmh: z.number().nullable(),
        course_deg: z.number().nullable(),
      })
      .nullable(),
    address: z.string().nullable(),
    expires_at: time,
  })
  .meta({ id: 'SharedVehicle', description: 'null: not shown by this link, or not known' });
export type SharedVehicle = z.infer<typeof sharedVehicle>;

export const shareRoutes = {
  list: route({
    id: 'listShares',
    tag,
    method: 'GET',
    path: '/api/v1/vehicles/{vehicle}/shares',
    summary:
      'List the links to a vehicle that have not ended, also those that show nothing now, newest first',
    access: { right: 'vehicles', level: 'write' },
    params: vehicleParams,
    reply: z.object({ items: z.array(share) }),
  }),
  listGiven: route({
    id: 'listGivenShares',
    tag,
    method: 'GET',
    path: '/api/v1/shares',
    summary:
      'List the links that you created and that have not ended, newest first, also to vehicles that you may see no longer; dealers list those of the user that `user_id` names',
    access: 'user',
    query: z.strictObject({ user_id: id.optional() }),
    reply: z.object({ items: z.array(share) }),
    errors: ['not_found'],
  }),
  create: route({
    id: 'createShare',
    tag,
    method: 'POST',
    path: '/api/v1/vehicles/{vehicle}/shares',
    summary:
      'Share a vehicle with somebody who has no login, until the link expires. The link is shown in this response only',
    access: { right: 'vehicles', level: 'write' },
    params: vehicleParams,
    body: newShare,
    reply: z.object({
      share,
      token: z.string(),
      links: z.array(z.string()).meta({
        description:
          'the page of the link, by each address of this host; the first one may be for this machine alone',
      }),
    }),
    status: 201,
    errors: ['quota_exceeded'],
  }),
  end: route({
    id: 'endShare',
    tag,
    method: 'DELETE',
    path: '/api/v1/shares/{share_id}',
    summary:
      'End a share: its link shows nothing from then on. For who created it, and for who may change its vehicle',
    access: 'user',
    params: z.object({ share_id: id }),
  }),
  open: route({
    id: 'openShare',
    tag,
    method: 'GET',
    path: '/api/v1/shared',
    summary: 'The vehicle that a link shows, as it is now',
    access: 'anybody',
    byLink: true,
    reply: sharedVehicle,
    errors: ['not_found'],
  }),
  maps: route({
    id: 'listSharedMaps',
    tag,
    method: 'GET',
    path: '/api/v1/shared/maps',
    summary: 'List the street maps that the page of a link draws',
    access: 'anybody',
    byLink: true,
    reply: z.object({ version: z.int(), items: z.array(map) }),
    errors: ['not_found'],
  }),
  tile: route({
    id: 'getSharedTile',
    tag,
    method: 'GET',
    path: '/api/v1/shared/maps/streets/{z}/{x}/{y}',
    summary:
      'Get a tile of the street maps for the page of a link. 204 where there is none. Counts towards 6,000 tiles a minute of an address, not towards its other calls; where the link shows nothing, towards those',
    access: 'anybody',
    byLink: true,
    params: z.strictObject(tilePlace),
    query: z.strictObject(tileVersion),
    bytes: { contentTypes: ['application/vnd.mapbox-vector-tile'], tiles: true },
    errors: ['not_found', 'unavailable'],
  }),
};
