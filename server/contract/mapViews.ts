import { z } from 'zod';
import { id, lat, lon, shortText } from './fields.ts';
import { route } from './route.ts';

const tag = 'Users';

/** What an operator has the map show. */
export const mapLayerChoice = z.object({
  labels: z.boolean().default(true).meta({ description: 'names of streets and places' }),
  poi: z.boolean().default(true).meta({ description: 'points of interest' }),
  trails: z.boolean().default(true),
  geofences: z.boolean().default(true),
  hidden_group_ids: z
    .array(z.union([id, z.literal('all')]))
    .max(200)
    .default([])
    .meta({ description: 'whose geofences are not shown; `all` for those that apply to every vehicle' }),
  imagery: z.boolean().default(true),
});
export type MapLayerChoice = z.infer<typeof mapLayerChoice>;

const maxViews = 50;
const maxViewsChars = 20_000;

export const mapView = z
  .strictObject({
    name: shortText,
    lat,
    lon,
    zoom: z.number().min(0).max(24),
    layers: mapLayerChoice,
    group_id: id
      .nullable()
      .default(null)
      .meta({ description: 'the list shows the vehicles of this group only' }),
    status: z
      .enum(['moving', 'idle', 'stopped', 'overdue', 'offline', 'never'])
      .nullable()
      .default(null)
      .meta({ description: 'the list shows the vehicles of this status only' }),
    start: z.boolean().default(false).meta({ description: 'the map begins with it' }),
  })
  .meta({ id: 'MapView' });
export type MapView = z.infer<typeof mapView>;

const savedMapViews = z
  .array(mapView)
  .max(maxViews)
  .refine(
    (views) => new Set(views.map(({ name }) => name.toLowerCase())).size === views.length,
    'has two views of the same name',
  )
  .refine((views) => views.filter(({ start }) => start).length <= 1, 'has more than one start view')
  .refine(
    (views) => JSON.stringify(views).length <= maxViewsChars,
    `is longer than ${maxViewsChars} characters as JSON`,
  );

const mapViews = z.object({ version: z.int(), views: z.array(mapView) }).meta({ id: 'MapViews' });
export type MapViews = z.infer<typeof mapViews>;

export const mapViewRoutes = {
  get: route({
    id: 'getMapViews',
    tag,
    method: 'GET',
    path: '/api/v1/me/views',
    summary: 'Get the saved map views of the caller',
    access: 'user',
    reply: mapViews,
  }),
  put: route({
    id: 'putMapViews',
    tag,
    method: 'PUT',
    path: '/api/v1/me/views',
    summary: 'Replace the saved map views of the caller',
    access: 'user',
    versioned: true,
    bodyLimit: 128 * 1024,
    body: z.strictObject({ views: savedMapViews }).meta({ id: 'NewMapViews' }),
    reply: mapViews,
    errors: ['version_conflict'],
  }),
};
