import { gunzipSync } from 'node:zlib';
import type { Request, Response } from 'express';
import { mapRoutes } from '../contract/maps.ts';
import { onlineMapRoutes } from '../contract/onlineMaps.ts';
import { callerOf, type Api } from '../http/api.ts';
import { contentTypes, maxTileBytes } from './mapFile.ts';
import type { Maps } from './maps.ts';
import type { MapUploads } from './mapUploads.ts';

/** With another set of maps the address is another one. */
const keptFor = (seconds: number) => `private, max-age=${seconds}, immutable`;

export function addMapRoutes(api: Api, { maps, uploads }: { maps: Maps; uploads: MapUploads }): void {
  api.handle(mapRoutes.list, ({ viewer }) => ({ items: maps.list(viewer) }));

  api.handle(mapRoutes.add, async (call) => {
    const { body, viewer, response } = call;
    const map = await maps.addByPath(body.path, body.name, callerOf(call));
    response.set('Location', `/api/v1/maps/${map.map_id}`);
    return maps.present(map, viewer);
  });

  api.handle(onlineMapRoutes.add, async (call) => {
    const { body, viewer, response } = call;
    const { shown, ...asked } = body;
    const map = await maps.addOnline(asked, shown, callerOf(call));
    response.set('Location', `/api/v1/maps/${map.map_id}`);
    return maps.present(map, viewer);
  });

  api.handle(onlineMapRoutes.test, async (call) => (await maps.readOnline(call.body, callerOf(call))).about);

  api.handle(onlineMapRoutes.clearCache, ({ params }) => maps.clearCache(params.map_id));

  api.handle(mapRoutes.listUploads, async () => ({
    items: (await uploads.list()).map((it) => ({ ...it, map: null })),
  }));

  api.handle(mapRoutes.startUpload, async ({ body, response }) => {
    const upload = await uploads.start(body);
    response.set('Location', `/api/v1/maps/uploads/${upload.upload_id}`);
    return { ...upload, map: null };
  });

  api.handle(mapRoutes.uploadPart, async (call) => {
    const { params, query, request, viewer } = call;
    const { upload, map } = await uploads.takePart(params.upload_id, query.from, request, callerOf(call));
    return { ...upload, map: map && maps.present(map, viewer) };
  });

  api.handle(mapRoutes.getUpload, async ({ params }) => ({
    ...(await uploads.get(params.upload_id)),
    map: null,
  }));

  api.handle(mapRoutes.cancelUpload, ({ params }) => uploads.cancel(params.upload_id));

  api.handle(mapRoutes.get, ({ params, viewer }) => maps.get(params.map_id, viewer));

  api.handle(mapRoutes.patch, async ({ params, body, ifMatch, viewer }) =>
    maps.present(await maps.patch(params.map_id, body, ifMatch), viewer),
  );

  api.handle(mapRoutes.remove, ({ params }) => maps.remove(params.map_id));

  api.handle(mapRoutes.tileJson, ({ params }) => maps.tileJson(params.map_id));

  api.handle(mapRoutes.tile, ({ params: { map_id, ...place }, query, viewer, request, response, holds }) =>
    sendTile(maps, {
      ...{ map_id, ...place, v: query.v },
      user_id: viewer.user.user_id,
      request,
      response,
      holds,
    }),
  );
}

/**
 * Answers with a tile, 204 where there is none and 304 to who has it.
 *
 * @param asked.user_id whose place in the line of those who wait for a map it takes
 * @throws ApiError 404, 503
 */
export async function sendTile(
  maps: Pick<Maps, 'tile' | 'version'>,
  asked: {
    map_id: string;
    z: number;
    x: number;
    y: number;
    v: number | undefined;
    user_id: string;
    request: Request;
    response: Response;
    holds: (bytes: number) => void;
  },
): Promise<void> {
  const { map_id, z, x, y, v, user_id, request, response, holds } = asked;
  const { tile, fresh_s } = await maps.tile(map_id, z, x, y, user_id);
  if (response.closed) return;
  const isKept = v === maps.version() && fresh_s > 0;
  response.set('Cache-Control', isKept ? keptFor(fresh_s) : 'private, no-cache');
  response.vary('Accept-Encoding').vary('Authorization');
  if (tile === null) {
    response.status(204).end();
    return;
  }
  response.set('ETag', tile.etag);
  if (request.get('if-none-match')?.split(/,\s*/).includes(tile.etag) === true) {
    response.status(304).end();
    return;
  }
  const isPacked = tile.isGzip && request.acceptsEncodings('gzip') !== false;
  const bytes =
    tile.isGzip && !isPacked ? gunzipSync(tile.bytes, { maxOutputLength: maxTileBytes }) : tile.bytes;
  if (isPacked) response.set('Content-Encoding', 'gzip');
  holds(bytes.length);
  response
    .set('Content-Type', contentTypes[tile.type])
    .set('Content-Length', String(bytes.length))
    .end(bytes);
}
