import { serviceRoutes, type Settings, type SettingsFields } from '../../server/contract/settings.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { isProblem } from '../api/errors.ts';
import { takeSettings } from './settingsStore.ts';

/**
 * Changes settings of the depot.
 *
 * @param known what the change goes out from
 * @throws ApiProblem (`version_conflict` when somebody else has changed them since: these were read then, so that a second
 *   press goes on from there), Unreachable
 */
export async function changeSettings(
  app: Pick<AppContext, 'api' | 'settings'>,
  known: Settings,
  patch: Partial<SettingsFields>,
): Promise<void> {
  try {
    const asked = { body: patch, ifMatch: known.version };
    takeSettings(app.settings, await app.api.request(serviceRoutes.patchSettings, asked));
  } catch (error) {
    if (isProblem(error, 'version_conflict'))
      takeSettings(app.settings, await app.api.request(serviceRoutes.settings));
    throw error;
  }
}

/** The same for a form: answers the settings as they are then. */
export async function sendSettings(
  app: Pick<AppContext, 'api' | 'settings'>,
  known: Settings,
  patch: Partial<SettingsFields>,
): Promise<Settings> {
  await changeSettings(app, known, patch);
  return app.settings.getState().settings ?? known;
}
