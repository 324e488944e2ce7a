import { type BulkResult, maxBulk } from '../../../server/contract/bulk.ts';
import { notificationRoutes } from '../../../server/contract/notifications.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import type { AppContext } from '../../appContext/appContext.ts';
import type { Translate } from '../../i18n/text.ts';
import { shareLink } from '../../navigation/appLinks.ts';
import type { BulkFailure, BulkJob } from '../../resources/BulkDialog.tsx';
import { problemText } from '../../ui/formFaults.ts';

export interface BulkVehicleProps {
  /** As they were selected when it was opened: what is selected meanwhile changes nothing. */
  ids: readonly string[];
  onClose: () => void;
}

type Named = Pick<AppContext, 'vehicles' | 't'>;

export const nameOfVehicle = ({ vehicles, t }: Named, id: string): string =>
  vehicles.store.getState().byId.get(id)?.name ?? t('vehicle.gone');

/** The calls of a bulk action, of so many vehicles each: between two of them it can be stopped. */
export function bulkJobs(
  app: Named,
  ids: readonly string[],
  call: (vehicleIds: string[]) => Promise<readonly BulkFailure[]>,
  perCall = maxBulk,
): BulkJob[] {
  const jobs: BulkJob[] = [];
  for (let from = 0; from < ids.length; from += perCall) {
    const part = ids.slice(from, from + perCall);
    jobs.push({ names: part.map((id) => nameOfVehicle(app, id)), run: () => call(part) });
  }
  return jobs;
}

/** The vehicles that an action left as they were, each with the reason. */
export function failuresOf(
  app: Named,
  { refused, not_found }: Pick<BulkResult, 'refused' | 'not_found'>,
  withoutCameras: readonly string[] = [],
): BulkFailure[] {
  const failure = (reason: string) => (id: string) => ({ name: nameOfVehicle(app, id), reason });
  return [
    ...refused.flatMap((it) => it.vehicle_ids.map(failure(problemText(it, app.t)))),
    ...withoutCameras.map(failure(app.t('picked.no_cameras'))),
    ...not_found.map(failure(app.t('picked.hidden'))),
  ];
}

/** Puts vehicles into each of the groups, or takes them out. */
export function groupJobs(
  app: Named & Pick<AppContext, 'api'>,
  ids: readonly string[],
  groupIds: readonly string[],
  action: 'add' | 'remove',
): BulkJob[] {
  return groupIds.flatMap((group_id) =>
    bulkJobs(app, ids, async (vehicle_ids) =>
      failuresOf(
        app,
        await app.api.request(vehicleRoutes.changeGroups, { body: { action, group_id, vehicle_ids } }),
      ),
    ),
  );
}

/** Takes vehicles out of service; what they recorded is kept. */
export function archiveJobs(app: Named & Pick<AppContext, 'api'>, ids: readonly string[]): BulkJob[] {
  return bulkJobs(app, ids, async (vehicle_ids) => {
    const result = await app.api.request(vehicleRoutes.archiveMany, { body: { vehicle_ids } });
    const failures = failuresOf(app, result);
    app.vehicles.hide(result.done);
    return failures;
  });
}

/** Silences vehicles for a time. */
export function snoozeJobs(
  app: Named & Pick<AppContext, 'api'>,
  ids: readonly string[],
  snooze: { duration_s: number; note: string | null },
): BulkJob[] {
  return bulkJobs(app, ids, async (vehicle_ids) =>
    failuresOf(
      app,
      await app.api.request(notificationRoutes.snoozeVehicles, { body: { vehicle_ids, ...snooze } }),
    ),
  );
}

/** What is copied of vehicles: a table for a spreadsheet, or a line for each. */
export type CopiedAs = 'table' | 'names' | 'links';

/** In the order of their names; a table has a head, and tabs between its columns. */
export function textOfVehicles(
  app: Pick<AppContext, 'vehicles' | 'positions' | 'navigation' | 'platform'>,
  ids: Iterable<string>,
  as: CopiedAs,
  t: Translate,
): string {
  const { byId } = app.vehicles.store.getState();
  const found = [...ids]
    .flatMap((id) => byId.get(id) ?? [])
    .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
  const linkOf = (vehicle: string) => shareLink(app, 'live', { vehicle });
  if (as === 'names') return found.map(({ name }) => oneLine(name)).join('\n');
  if (as === 'links') return found.map(({ vehicle_id }) => linkOf(vehicle_id)).join('\n');
  const head = (['name', 'plate', 'lat', 'lon', 'link'] as const).map((column) =>
    t(`picked.column.${column}`),
  );
  const rows = found.map(({ vehicle_id, name, plate }) => {
    const fix = app.positions.get(vehicle_id)?.fix;
    const place = fix === undefined || fix === null ? ['', ''] : [fix.lat.toFixed(6), fix.lon.toFixed(6)];
    return [name, plate ?? '', ...place, linkOf(vehicle_id)].map(cellOf);
  });
  return [head, ...rows].map((row) => row.join('\t')).join('\n');
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** A spreadsheet would run what begins like a formula. */
function cellOf(text: string): string {
  const line = oneLine(text);
  return /^[=+@]|^-(?![\d.]+$)/.test(line) ? `'${line}` : line;
}
