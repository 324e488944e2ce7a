import type { GroupEntry } from '../../server/contract/groups.ts';
import type { User } from '../../server/contract/users.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** By name, Depot 2 before Depot 10. */
export function sortedGroups(groups: Iterable<GroupEntry>): GroupEntry[] {
  return [...groups].sort((a, b) => byName.compare(a.name, b.name) || byName.compare(a.group_id, b.group_id));
}

/** The vehicles of each group, by the vehicles’ own group ids, which the stream updates at once. */
export function membersByGroup(vehicles: Iterable<Vehicle>): Map<string, Vehicle[]> {
  const members = new Map<string, Vehicle[]>();
  for (const vehicle of vehicles) {
    for (const id of vehicle.group_ids) {
      const known = members.get(id);
      if (known === undefined) members.set(id, [vehicle]);
      else known.push(vehicle);
    }
  }
  return members;
}

/** The ids of the users who are in a group. */
export function usersOf(groupId: string, users: Iterable<User>): string[] {
  return [...users].flatMap(({ user_id, group_ids }) => (group_ids.includes(groupId) ? [user_id] : []));
}
