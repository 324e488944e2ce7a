import { setupStateRoute } from '../contract/auth.ts';
import { healthRoutes } from '../contract/health.ts';
import { problemReportRoutes, type ProblemReport } from '../contract/problemReport.ts';
import { serviceRoutes, type Status } from '../contract/settings.ts';
import type { Api } from '../http/api.ts';
import { contextOf } from '../http/requestContext.ts';
import type { Health } from './health.ts';
import type { SettingsStore } from './settings.ts';

export interface ServiceRouteDeps {
  settings: SettingsStore;
  version: string;
  status: () => Promise<Status>;
  confirmRecoveries: (documents: readonly string[]) => Promise<void>;
  setupNeeded: () => boolean;
  /** How the host does, at this moment. */
  health: () => Health;
  metrics: () => Promise<{ text: string; contentType: string }>;
  problemReport: () => Promise<ProblemReport>;
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

  api.handleOpen(healthRoutes.health, ({ response }) => {
    const { viewer, anonymous } = contextOf(response);
    // A wrong JWT is refused, so that a monitor does not take the short answer for the whole.
    if (anonymous !== null) throw anonymous;
    const health = deps.health();
    const status = health.status();
    // For those that look at the status alone: load balancers, supervisors of containers.
    if (status === 'failing') response.statusCode = 503;
    return viewer === null ? { status } : { version: deps.version, ...health.asSeenBy(viewer) };
  });

  api.handle(healthRoutes.metrics, async ({ response }) => {
    const { text, contentType } = await deps.metrics();
    response.set('Content-Type', contentType).send(text);
  });

  api.handle(problemReportRoutes.problemReport, () => deps.problemReport());

  api.handleOpen(setupStateRoute, () => ({
    setup_needed: deps.setupNeeded(),
    depot_name: settings.now().depot_name,
  }));
}
