import { z } from 'zod';
import { id, time } from './fields.ts';
import { driverThen } from './drivers.ts';
import { geofence } from './geofences.ts';
import { notification } from './notifications.ts';
import { position } from './positions.ts';
import { route } from './route.ts';
import { vehicleStatus } from './vehicles.ts';

const tag = 'History';

/** Vehicles of one call. */
export const maxHistoryVehicles = 200;
/** Days of all vehicles of one call together: at a fix every 10 s they are read in some 10 s. */
export const maxVehicleDays = 400;

const trackOrder = z
  .strictObject({
    vehicle_ids: z.array(id).min(1).max(maxHistoryVehicles),
    from: time,
    to: time.meta({
      description: `all days, begun ones too, of all vehicles together are at most ${maxVehicleDays}`,
    }),
    tolerance_m: z.number().min(0).max(10_000).default(0).meta({
      description:
        'how far a track may be from where the vehicle was at any moment; 0: every fix. Kept are all ends of stops and gaps, what the ignition says, the fastest fix, and speeds to within 5 km/h',
    }),
    values: z.array(z.string().min(1).max(64)).max(8).default([]).meta({
      description:
        'further values: `altitude_m`, `odometer_m`, `battery_pct`, `satellites`, or attributes by their names',
    }),
  })
  .meta({ id: 'TrackOrder' });
export type TrackOrder = z.infer<typeof trackOrder>;

/** What a terminal sends beside the track is answered for so many days at once, */
export const maxValueDays = 2;
/** so many values of it, those that came most often, */
export const maxValues = 32;
/** at so many fixes: a day of every second. */
export const maxValueFixes = 100_000;

/** A vehicle as it was at a moment. */
export const pastVehicle = z
  .object({
    vehicle_id: id,
    name: z.string(),
    plate: z.string().nullable(),
    group_ids: z.array(id),
    status: vehicleStatus,
    driver: driverThen.nullable().meta({ description: 'who drove it then, by a card or an assignment' }),
    position: position.nullable().meta({ description: 'the last valid one before the moment' }),
  })
  .meta({ id: 'PastVehicle' });
export type PastVehicle = z.infer<typeof pastVehicle>;

export const pastMoment = z
  .object({
    at: time,
    vehicles: z.array(pastVehicle).meta({ description: 'those that the caller may see now' }),
    geofences: z.array(geofence).meta({ description: 'as they were drawn then' }),
    notifications: z
      .array(notification)
      .meta({ description: 'open then: raised before, and not acknowledged; at most the newest 1,000' }),
  })
  .meta({ id: 'PastMoment' });
export type PastMoment = z.infer<typeof pastMoment>;

export const historyRoutes = {
  tracks: route({
    id: 'getPackedTracks',
    tag,
    method: 'POST',
    path: '/api/v1/history/tracks',
    access: { right: 'vehicles', level: 'read' },
    summary:
      'Get tracks of several vehicles as packed columns (see server/contract/packedTracks.ts), each with the last fix before the period; those that are not there or not visible are left out',
    body: trackOrder,
    bytes: { contentTypes: ['application/octet-stream'] },
    errors: ['unavailable', 'too_large', 'queue_full'],
  }),
  values: route({
    id: 'getVehicleValues',
    tag,
    method: 'GET',
    path: '/api/v1/vehicles/{vehicle}/values',
    access: { right: 'vehicles', level: 'read' },
    summary: `Get the numbers that a terminal sent, of every fix with or without a place, as packed columns by their names (see server/contract/packedTracks.ts); flags are 0 and 1. At most ${maxValueDays} days, ${maxValueFixes} fixes and the ${maxValues} values that came most often`,
    params: z.object({ vehicle: z.string().min(1).max(64) }),
    query: z.strictObject({ from: time, to: time }),
    bytes: { contentTypes: ['application/octet-stream'] },
    errors: ['not_found', 'unavailable', 'too_large', 'queue_full'],
  }),
  moment: route({
    id: 'getPastMoment',
    tag,
    method: 'GET',
    path: '/api/v1/history/moment',
    access: { right: 'vehicles', level: 'read' },
    summary:
      'Get the whole fleet at a past instant: positions, statuses, open alarms and geofences as they were',
    query: z.strictObject({ at: time, group_id: id.optional() }),
    bytes: { contentTypes: ['application/json'], json: pastMoment },
    errors: ['not_found', 'unavailable', 'too_large', 'queue_full'],
  }),
};
