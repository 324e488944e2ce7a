import { geofenceRoutes } from '../../server/contract/geofences.ts';
import type { ReplyOf } from '../../server/contract/route.ts';
import type { TextBody } from '../api/requestOptions.ts';
import type { Api } from '../api/client.ts';
import type { AppContext } from '../appContext/appContext.ts';

export type GeofenceFormat = 'geojson' | 'kml';

/** A UUID takes 37 characters of the address; a server takes some 16 kB of heads (Node's default). */
export const MOST_NAMED = 300;

const CONTENT_TYPE: Record<GeofenceFormat, string> = {
  geojson: 'application/geo+json',
  kml: 'application/vnd.google-earth.kml+xml',
};

export interface ImportOptions {
  groupIds: readonly string[];
  /** Metres, for what bears none; null for none. */
  radiusM: number | null;
  widthM: number | null;
}

/** Which of the two a file is, by its first sign; null for neither. */
export function formatOf(text: string): GeofenceFormat | null {
  const first = text
    .replace(/^\uFEFF/, '')
    .trimStart()
    .charAt(0);
  return first === '<' ? 'kml' : first === '{' ? 'geojson' : null;
}

/** Tries an import, or does it. Throws ApiProblem and Unreachable. */
export function importGeofences(
  { api }: Pick<AppContext, 'api'>,
  text: string,
  format: GeofenceFormat,
  { groupIds, radiusM, widthM }: ImportOptions,
  dryRun: boolean,
): Promise<ReplyOf<typeof geofenceRoutes.import>> {
  const body: TextBody = { content: text.replace(/^\uFEFF/, ''), contentType: CONTENT_TYPE[format] };
  return api.request(geofenceRoutes.import, {
    query: {
      dry_run: dryRun ? '1' : '0',
      ...(groupIds.length === 0 ? {} : { group_ids: [...groupIds] }),
      ...(radiusM === null ? {} : { radius_m: radiusM }),
      ...(widthM === null ? {} : { width_m: widthM }),
    },
    text: body,
  });
}

/** What an export needs of the app context. */
interface ExportContext {
  api: Api;
  serverTime: Pick<AppContext['serverTime'], 'now'>;
  platform: Pick<AppContext['platform'], 'saveFile'>;
}

/** Hands a file of geofences to the operator; without ids, of all that are visible. Throws ApiProblem, Unreachable. */
export async function exportGeofences(
  { api, serverTime, platform }: ExportContext,
  format: GeofenceFormat,
  ids: readonly string[] | null,
): Promise<void> {
  const response = await api.open(geofenceRoutes.export, {
    query: { format, ...(ids === null ? {} : { ids: [...ids] }) },
  });
  const day = new Date(serverTime.now()).toISOString().slice(0, 10);
  await platform.saveFile(`geofences-${day}.${format}`, await response.blob());
}
