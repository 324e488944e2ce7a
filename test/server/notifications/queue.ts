import { expect } from 'vitest';
import type { NotificationRow } from '../../../server/store/telemetry/rows.ts';
import { groups, openDepot, start_ms, type Depot, type Login } from './depot.ts';
import { notificationRow } from './rows.ts';

/** One vehicle of each of two groups, and notifications of them at these minutes. */
export async function openQueue(
  ...wanted: (Partial<NotificationRow> & { of: 'north' | 'south'; minute: number })[]
) {
  const depot = await openDepot();
  const vehicles = {
    north: await depot.addVehicle('North 1', [groups.north]),
    south: await depot.addVehicle('South 1', [groups.south]),
  };
  const rows = wanted.map(({ of, minute, ...more }) =>
    notificationRow({
      vehicle_id: vehicles[of].vehicle_id,
      first_ms: start_ms + minute * 60_000,
      last_ms: start_ms + minute * 60_000,
      updated_ms: start_ms,
      ...more,
    }),
  );
  await depot.store.saveNotifications(rows);
  depot.recent.apply(rows);
  return { depot, rows, vehicles, ids: rows.map((row) => row.notification_id) };
}

export async function listed(depot: Depot, as: Login, query = ''): Promise<string[]> {
  const { status, body } = await depot.call(as, `GET /notifications${query}`);
  expect(status).toBe(200);
  return (body.items ?? []).map((it) => String(it.notification_id));
}
