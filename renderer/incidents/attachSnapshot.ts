import type { Incident } from '../../server/contract/incidents.ts';
import { snapshotRoutes } from '../../server/contract/incidentSnapshots.ts';
import { incidentBounds } from '../../server/contract/quotas.ts';
import type { QueryFor } from '../../server/contract/route.ts';
import { newIdempotencyKey } from '../api/client.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { formatNumber } from '../format/numbers.ts';
import { loadLaterTexts } from '../i18n/text.ts';
import type { Toast } from '../ui/toastStore.ts';
import { showIncident } from './incidentActions.ts';

/**
 * Attaches a picture of any format to an incident, and says so; not one that shows more vehicles than the server keeps
 * with it, which would outlive what is deleted of them. Throws ApiProblem, Unreachable, what the browser does.
 */
export async function attachSnapshot(
  app: AppContext,
  { incident_id, number }: Incident,
  picture: Blob,
  query: QueryFor<typeof snapshotRoutes.attach>,
): Promise<void> {
  const shown = new Set(query.shown_vehicle_ids);
  const say = (text: string, action: Toast['action']) =>
    app.toasts.setState({ toast: { text, isTrouble: action === null, action } });
  await loadLaterTexts();
  if (shown.size > incidentBounds.snapshotVehicles) {
    const most = formatNumber(incidentBounds.snapshotVehicles);
    say(app.t('incident.snapshot_crowded', { most }), null);
    return;
  }
  const bytes = await asJpeg(picture, incidentBounds.snapshotBytes);
  const idempotencyKey = newIdempotencyKey();
  await app.api.request(snapshotRoutes.attach, {
    ...{ params: { incident_id }, query: { ...query, shown_vehicle_ids: [...shown] }, bytes, idempotencyKey },
  });
  const action = { label: app.t('news.show'), run: () => showIncident(app, incident_id) };
  say(app.t('incident.snapshot_attached', { number }), action);
}

/** The finest first. */
const QUALITIES = [0.9, 0.75, 0.5];
const SMALLER = 0.7;

/** The same picture as a JPEG of at most so many bytes and the pixels that the server takes; coarser or smaller at need. */
async function asJpeg(picture: Blob, mostBytes: number): Promise<Blob> {
  const image = await createImageBitmap(picture);
  try {
    const side = Math.max(image.width, image.height);
    let scale = Math.min(1, incidentBounds.snapshotSide / side);
    for (; scale * side >= 1; scale *= SMALLER) {
      const canvas = new OffscreenCanvas(
        Math.max(1, Math.floor(image.width * scale)),
        Math.max(1, Math.floor(image.height * scale)),
      );
      canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
      for (const quality of QUALITIES) {
        const jpeg = await canvas.convertToBlob({ type: 'image/jpeg', quality });
        if (jpeg.size <= mostBytes) return jpeg;
      }
    }
    throw new Error('the picture is too large');
  } finally {
    image.close();
  }
}
