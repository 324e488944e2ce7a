import { z } from 'zod';
import { causes } from './causes.ts';
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

export const foundKind = z.enum(['coordinates', 'address', 'street', 'place', 'poi', 'water']);
export type FoundKind = z.infer<typeof foundKind>;

export const foundPlace = z
  .object({
    kind: foundKind,
    name: z.string().meta({ description: 'without its town: “Elm Street 12”' }),
    town: z.string().nullable(),
    text: z.string().meta({ description: 'the whole in one line: “Elm Street 12, Elmswell”' }),
    lat: z.number(),
    lon: z.number(),
  })
  .meta({ id: 'FoundPlace' });
export type FoundPlace = z.infer<typeof foundPlace>;

export const placeIndex = z
  .object({
    map_id: z.uuid(),
    state: z.enum(['indexing', 'ready', 'failed']),
    progress: z.number().min(0).max(1),
    detail: z.string().nullable().meta({ description: 'what failed' }),
    causes,
  })
  .meta({ id: 'PlaceIndex' });
export type PlaceIndex = z.infer<typeof placeIndex>;

const degrees = (most: number) => z.coerce.number().min(-most).max(most);

export const placeRoutes = {
  search: route({
    id: 'searchPlaces',
    tag,
    method: 'GET',
    path: '/api/v1/places/search',
    summary:
      'Find streets, addresses, places and coordinates by the map files: the best, and the nearest, first',
    access: 'user',
    query: z.strictObject({
      q: z.string().min(1).max(200).meta({
        description:
          'words in any order, without regard to case and diacritics, begun ones and one error among them; or coordinates in degrees, in degrees, minutes and seconds, or as a Plus Code',
      }),
      lat: degrees(90).optional().meta({ description: 'with lon: what lies near to it comes first' }),
      lon: degrees(180).optional(),
      limit: z.coerce.number().int().min(1).max(50).default(20),
    }),
    reply: z.object({ items: z.array(foundPlace) }),
    errors: ['unavailable', 'queue_full', 'too_large'],
  }),
  indexes: route({
    id: 'listPlaceIndexes',
    tag,
    method: 'GET',
    path: '/api/v1/places/indexes',
    summary: 'List the street maps with how far each is indexed for the search',
    access: 'user',
    reply: z.object({ items: z.array(placeIndex) }),
  }),
  reverse: route({
    id: 'getPlace',
    tag,
    method: 'GET',
    path: '/api/v1/places/reverse',
    summary: 'Get the address of a point by the map files; null where no street is near',
    access: 'user',
    query: z.strictObject({ lat: degrees(90), lon: degrees(180) }),
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
