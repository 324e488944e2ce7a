import { serviceRoutes, type Status } from '../contract/settings.ts';
import type { Api } from '../http/api.ts';
import type { SettingsStore } from './settings.ts';

export interface ServiceRouteParts {
  settings: SettingsStore;
  version: string;
  status: () => Promise<Status>;
  confirmRecoveries: (documents: readonly string[]) => Promise<void>;
  setupNeeded: () => boolean;
  /** What keeps the host from working fully; null when nothing does. */
  trouble: () => string | null;
}

export function addServiceRoutes(api: Api, parts: ServiceRouteParts): void {
  const { settings } = parts;

  api.handle(serviceRoutes.settings, () => settings.present());

  api.handle(serviceRoutes.patchSettings, ({ body, ifMatch }) => settings.patch(body, ifMatch));

  api.handle(serviceRoutes.status, () => parts.status());

  api.handle(serviceRoutes.confirmRecoveries, async ({ body }) => {
    await parts.confirmRecoveries(body.documents);
    return parts.status();
  });

  api.handleOpen(serviceRoutes.health, () => ({
    status: parts.trouble() === null ? ('ok' as const) : ('degraded' as const),
    version: parts.version,
    setup_needed: parts.setupNeeded(),
    depot_name: settings.now().depot_name,
  }));
}
