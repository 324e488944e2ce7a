import type { AppContext } from '../appContext/appContext.ts';
import { mayDrawGeofences } from '../geofences/geofenceRights.ts';
import { vehicleRights } from '../vehicles/manage/vehicleAdmin.ts';
import type { FileKind } from './fileKind.ts';

/** More at once were picked up by mistake. */
const MOST_FILES = 10;

/** Opens files with the import that they are for; says of the others why they are not taken. */
export async function openFiles(app: AppContext, files: readonly File[]): Promise<void> {
  const { openedFiles, t } = app;
  if (files.length + openedFiles.store.getState().waiting.length > MOST_FILES) {
    refuse(app, t('open_files.too_many', { count: MOST_FILES }));
    return;
  }
  for (const file of files) {
    const kind = await kindOf(file).catch(() => null);
    const { name } = file;
    if (kind === null) refuse(app, t('open_files.unknown', { name }));
    else if (!mayImport(app, kind)) refuse(app, t('open_files.denied', { name }));
    else if (kind === 'map') takeMap(app, file);
    else openedFiles.add(file, kind);
  }
}

/** What looks into files is not among the first scripts. */
const kindOf = async (file: File): Promise<FileKind | null> => (await import('./fileKind.ts')).kindOf(file);

/** The server has the last word. */
export function mayImport(app: AppContext, kind: FileKind): boolean {
  const { isDealer, mayWrite } = vehicleRights(app);
  if (kind === 'geofences') return mayDrawGeofences(app);
  return kind === 'vehicles' || kind === 'table' ? mayWrite : isDealer;
}

function takeMap(app: AppContext, file: File): void {
  const { name: shown } = app.windows;
  if (shown !== null && shown !== 'settings') {
    // Its progress is shown in the settings of the window that sends it.
    refuse(app, app.t('open_files.map_elsewhere', { name: file.name }));
    return;
  }
  const { upload } = app.mapUploads.store.getState();
  if (upload !== null && upload.phase !== 'failed') {
    refuse(app, app.t('open_files.upload_runs', { name: file.name }));
    return;
  }
  app.mapUploads.start(file);
  app.navigation.go('settings', { tab: 'maps' });
}

export function refuse({ toasts }: AppContext, text: string): void {
  toasts.setState({ toast: { text, isTrouble: true, action: null } });
}
