import type { Geofence } from '../../server/contract/geofences.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { formatNumber } from '../format/numbers.ts';
import { sentenceOf } from '../ui/formFaults.ts';
import type { Toast } from '../ui/toastStore.ts';

/** What the toast that is shown can bring back. */
const restorable = new WeakMap<Toast, readonly Geofence[]>();

/** Deletes a geofence and offers to undo that, together with those that the offer on the screen is about. */
export async function deleteGeofence(app: AppContext, geofence: Geofence): Promise<void> {
  await app.geofenceActions.remove(geofence);
  const { toast: shown } = app.toasts.getState();
  const all = [...(shown === null ? [] : (restorable.get(shown) ?? [])), geofence];
  const toast: Toast = {
    text:
      all.length === 1
        ? app.t('geofence.deleted', { name: geofence.name })
        : app.t('geofence.deleted_many', { number: formatNumber(all.length) }),
    isTrouble: false,
    action: { label: app.t('ui.undo'), run: () => void restore(app, all) },
  };
  restorable.set(toast, all);
  app.toasts.setState({ toast });
}

async function restore(app: AppContext, geofences: readonly Geofence[]): Promise<void> {
  try {
    for (const geofence of geofences) app.geofences.receive([await app.geofenceActions.restore(geofence)]);
  } catch (error) {
    const text = app.t('geofence.restore_failed', { reason: sentenceOf(error, app.t) ?? '' });
    app.toasts.setState({ toast: { text, isTrouble: true, action: null } });
  }
}
