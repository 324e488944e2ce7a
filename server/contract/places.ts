import { z } from 'zod';
import { lat, lon } from './fields.ts';
import { route } from './route.ts';

const tag = 'Maps';

/** As many points as one call may name. */
export const maxPlacePoints = 1_000;

export const place = z
  .object({
    text: z.string().meta({ description: 'the whole in one line: “Elm Street 12, Elmswell”' }),
    house_number: z.string().nullable(),
    street: z.string().nullable(),
    district: z.string().nullable(),
    town: z.string().nullable(),
    distance_m: z.number().meta({ description: 'from the point to the house or street that is named' }),
  })
  .meta({ id: 'Place' });
export type Place = z.infer<typeof place>;

export const placeRoutes = {
  reverse: route({
    id: 'getPlace',
    tag,
    method: 'GET',
    path: '/api/v1/places/reverse',
    summary: 'Get the address of a point by the map files; null where no street is near',
    access: 'user',
    query: z.strictObject({
      lat: z.coerce.number().min(-90).max(90),
      lon: z.coerce.number().min(-180).max(180),
    }),
    reply: z.object({ place: place.nullable() }),
    errors: ['unavailable', 'queue_full', 'too_large'],
  }),
  reverseMany: route({
    id: 'getPlaces',
    tag,
    method: 'POST',
    path: '/api/v1/places/reverse',
    summary: 'Get the addresses of up to 1,000 points, in their order',
    access: 'user',
    body: z
      .strictObject({ points: z.array(z.strictObject({ lat, lon })).min(1).max(maxPlacePoints) })
      .meta({ id: 'PlacePoints' }),
    reply: z.object({ places: z.array(place.nullable()) }),
    errors: ['unavailable', 'queue_full'],
  }),
};
