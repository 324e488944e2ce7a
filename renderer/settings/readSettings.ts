import { serviceRoutes } from '../../server/contract/settings.ts';
import type { Desk } from '../desk/desk.ts';
import { takeSettings } from './settingsStore.ts';

/** Reads the settings as they are now: the stream does not tell when others change them. */
export async function readSettings({ api, settings }: Pick<Desk, 'api' | 'settings'>): Promise<void> {
  takeSettings(settings, await api.request(serviceRoutes.settings));
}
