import { serviceRoutes } from '../../server/contract/settings.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { takeSettings } from './settingsStore.ts';

/** Reads the settings as they are now: the stream has no topic for them. */
export async function readSettings({ api, settings }: Pick<AppContext, 'api' | 'settings'>): Promise<void> {
  takeSettings(settings, await api.request(serviceRoutes.settings));
}
