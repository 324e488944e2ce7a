import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { settingsFields } from '../../../server/contract/settings.ts';
import { addGeofenceFileRoutes, addGeofenceRoutes } from '../../../server/geofences/geofenceRoutes.ts';
import { invalid } from '../../../server/http/apiError.ts';
import { createSight } from '../../../server/notifications/sight.ts';
import { createPreviewWork } from '../../../server/preview/previewWork.ts';
import { addPreviewRoutes } from '../../../server/preview/previewRoutes.ts';
import type { PositionRow } from '../../../server/store/telemetry/rows.ts';
import { openDepot, viewerOf, type Login } from '../notifications/depot.ts';
import { batch, position } from '../store/telemetry/sampleRows.ts';
import { serveApi } from './apiServer.ts';

/** Monday, 16 November 2026. */
export const day_ms = Date.UTC(2026, 10, 16);
export const period = {
  from: new Date(day_ms).toISOString(),
  to: new Date(day_ms + 86_400_000).toISOString(),
};

export const yardAt = { lat: 52.5, lon: 13.4 };
export const yard = {
  name: 'Yard',
  shape: 'circle',
  geometry: { type: 'Point', coordinates: [yardAt.lon, yardAt.lat] },
  radius_m: 200,
};
export const away = { lat: 52.6, lon: 13.4 };

export interface PreviewResponse {
  status: number;
  body: unknown;
  text: string;
  headers: Headers;
}

/** A depot with previews, and imports and exports of geofences. */
export async function openPreviewDepot() {
  const depot = await openDepot();
  const work = createPreviewWork(join(depot.folder, 'telemetry.db'));
  onTestFinished(async () => {
    await work.close();
  });
  let as: Login = 'dora';
  const url = await serveApi(
    (api) => {
      addGeofenceFileRoutes(api, depot.geofences, depot.geofenceWork);
      addGeofenceRoutes(api, depot.geofences);
      addPreviewRoutes(api, {
        work,
        vehicles: depot.vehicles,
        geofences: depot.geofences,
        rules: depot.rules,
        sight: createSight(depot),
        checkRule({ name }) {
          if (name === 'not allowed') throw invalid('name', 'is not allowed');
        },
        settings: () => settingsFields.parse({}),
        clock: depot.clock,
      });
    },
    () => viewerOf(depot.users[as]),
  );

  return {
    ...depot,
    work,
    url,

    async ask(
      user: Login,
      request: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ): Promise<PreviewResponse> {
      as = user;
      const [method = '', path = ''] = request.split(' ');
      const answer = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await answer.text();
      const isJson = answer.headers.get('content-type')?.includes('json') === true && !text.includes('\n');
      return { status: answer.status, body: isJson ? JSON.parse(text) : null, text, headers: answer.headers };
    },

    /** Fixes at minutes of the day, each received a second later unless given. */
    async drive(
      vehicle_id: string,
      fixes: readonly (Partial<PositionRow> & { minute: number; delay_s?: number })[],
    ): Promise<void> {
      const positions = fixes.map(({ minute, delay_s = 1, ...rest }) => {
        const time_ms = day_ms + minute * 60_000;
        return position({ vehicle_id, time_ms, received_ms: time_ms + delay_s * 1_000, ...away, ...rest });
      });
      await depot.store.commit(batch({ positions }));
    },
  };
}

export type PreviewDepot = Awaited<ReturnType<typeof openPreviewDepot>>;
