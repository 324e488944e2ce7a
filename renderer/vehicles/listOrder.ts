import type { Vehicle } from '../../server/contract/vehicles.ts';
import type { ShownStatus } from '../telemetry/statusStore.ts';
import type { Attention } from './attention.ts';

export type ListGroup = 'attention' | 'in_view' | 'elsewhere';

/** A line of the vehicle list: the heading of a group, or a vehicle. */
export type ListLine =
  { kind: 'heading'; group: ListGroup; count: number } | { kind: 'vehicle'; vehicleId: string };

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** V 2 before V 17. */
export function sortedByName(vehicles: Iterable<Vehicle>): Vehicle[] {
  return [...vehicles].sort(
    (a, b) => byName.compare(a.name, b.name) || byName.compare(a.vehicle_id, b.vehicle_id),
  );
}

export interface ListFilter {
  status: ShownStatus | null;
  groupId: string | null;
}

/** The lines of the list; `vehicles` in order of their names. Never heard counts as offline. */
export function listLines(
  vehicles: readonly Vehicle[],
  filter: ListFilter,
  statuses: ReadonlyMap<string, ShownStatus>,
  attention: ReadonlyMap<string, Attention>,
  inView: ReadonlySet<string> | null,
): ListLine[] {
  const groups: Record<ListGroup, string[]> = { attention: [], in_view: [], elsewhere: [] };
  const alarms: string[] = [];
  for (const { vehicle_id: id, group_ids } of vehicles) {
    if (filter.groupId !== null && !group_ids.includes(filter.groupId)) continue;
    if (filter.status !== null && countedAs(statuses.get(id) ?? 'never') !== filter.status) continue;
    const needs = attention.get(id);
    if (needs !== undefined && !needs.acknowledged) {
      if (needs.severity === 'alarm') alarms.push(id);
      else groups.attention.push(id);
    } else if (inView === null || inView.has(id)) groups.in_view.push(id);
    else groups.elsewhere.push(id);
  }
  groups.attention.unshift(...alarms);
  return (['attention', 'in_view', 'elsewhere'] as const).flatMap((group) =>
    groups[group].length === 0
      ? []
      : [
          { kind: 'heading' as const, group, count: groups[group].length },
          ...groups[group].map((vehicleId) => ({ kind: 'vehicle' as const, vehicleId })),
        ],
  );
}

const countedAs = (status: ShownStatus): ShownStatus => (status === 'never' ? 'offline' : status);

export const listedStatuses = ['moving', 'idle', 'stopped', 'overdue', 'offline'] as const;

/** How many vehicles of a group (null: of all) are in each status. */
export function statusCounts(
  vehicles: readonly Vehicle[],
  groupId: string | null,
  statuses: ReadonlyMap<string, ShownStatus>,
): Record<(typeof listedStatuses)[number], number> {
  const counts = { moving: 0, idle: 0, stopped: 0, overdue: 0, offline: 0 };
  for (const { vehicle_id: id, group_ids } of vehicles) {
    if (groupId !== null && !group_ids.includes(groupId)) continue;
    const status = countedAs(statuses.get(id) ?? 'never');
    if (status !== 'never') counts[status] += 1;
  }
  return counts;
}
