import { serviceRoutes, type Status } from '../contract/settings.ts';
import type { Api } from '../http/api.ts';
import type { SettingsStore } from './settings.ts';

export interface ServiceRouteDeps {
  settings: SettingsStore;
  version: string;
  status: () => Promise<Status>;
  confirmRecoveries: (documents: readonly string[]) => Promise<void>;
  setupNeeded: () => boolean;
  /** What keeps the host from working fully; null when nothing does. */
  trouble: () => string | null;
}

export function addServiceRoutes(api: Api, deps: ServiceRouteDeps): void {
  const { settings } = deps;

  api.handle(serviceRoutes.settings, () => settings.present());

  api.handle(serviceRoutes.patchSettings, ({ body, ifMatch }) => settings.patch(body, ifMatch));

  api.handle(serviceRoutes.status, () => deps.status());

  api.handle(serviceRoutes.confirmRecoveries, async ({ body }) => {
    await deps.confirmRecoveries(body.documents);
    return deps.status();
  });

  api.handleOpen(serviceRoutes.health, () => ({
    status: deps.trouble() === null ? ('ok' as const) : ('degraded' as const),
    version: deps.version,
    setup_needed: deps.setupNeeded(),
    depot_name: settings.now().depot_name,
  }));
}
