import { z } from 'zod';
import { id, shortText } from './fields.ts';
import { map, mapArea } from './maps.ts';
import { route } from './route.ts';

const tag = 'Maps';
const zoom = z.int().min(0).max(24);

const newOnlineMap = z.strictObject({
  kind: map.shape.kind,
  url: z.string().trim().min(1).max(2_000).meta({
    description:
      'of imagery a template with `{z}`, `{x}` and `{y}` (`{-y}` where rows are counted from the south); of streets the address of a MapLibre style or of a TileJSON',
  }),
  name: shortText.optional().meta({ description: 'by default the host of the address' }),
  attribution: z.string().trim().max(500).optional().meta({
    description: 'required of imagery, and of streets whose TileJSON states none; plain text',
  }),
  min_zoom: zoom.optional().meta({ description: 'of imagery; 0 by default' }),
  max_zoom: zoom.optional().meta({ description: 'of imagery; 19 by default' }),
  area: mapArea.optional().meta({ description: 'of imagery; the world by default' }),
});
export type NewOnlineMap = z.infer<typeof newOnlineMap>;

const onlineMapAbout = map
  .pick({ name: true, kind: true, schema: true, area: true, min_zoom: true, max_zoom: true, licence: true })
  .meta({ id: 'OnlineMapAbout' });
export type OnlineMapAbout = z.infer<typeof onlineMapAbout>;

export const onlineMapRoutes = {
  add: route({
    id: 'addOnlineMap',
    tag,
    method: 'POST',
    path: '/api/v1/maps/online',
    summary:
      'Add an online source: the host fetches its tiles as they are drawn, and caches them. It is called once to check it, and then only while it is shown',
    access: 'dealer',
    body: newOnlineMap.extend({ shown: z.boolean().default(false) }).meta({ id: 'NewOnlineMap' }),
    reply: map,
    status: 201,
    errors: ['quota_exceeded', 'queue_full', 'unavailable'],
  }),
  test: route({
    id: 'testOnlineMap',
    tag,
    method: 'POST',
    path: '/api/v1/maps/online/test',
    summary: 'Check an online source as when it is added, and say what it is',
    access: 'dealer',
    body: newOnlineMap.meta({ id: 'TestedOnlineMap' }),
    reply: onlineMapAbout,
    errors: ['queue_full', 'unavailable'],
  }),
  clearCache: route({
    id: 'clearMapCache',
    tag,
    method: 'DELETE',
    path: '/api/v1/maps/{map_id}/cache',
    summary: 'Delete the cached tiles of an online source',
    access: 'dealer',
    params: z.strictObject({ map_id: id }),
    errors: ['unavailable'],
  }),
};
