import { groupRoutes, type Group } from '../contract/groups.ts';
import type { Api } from '../http/api.ts';
import { notFound } from '../http/apiError.ts';
import { paginate } from '../http/pagination.ts';
import { holds, isDealer, sharesGroup, type Viewer } from '../http/viewer.ts';
import type { Users } from '../users/users.ts';
import type { GroupRecord, Groups } from './groups.ts';

/** What the vehicles, and all that names groups, have to say; they stand to the right of groups. */
export interface GroupMembers {
  vehiclesIn(groupId: string): readonly string[];
  /** Throws 404 for a vehicle that is not there. */
  setVehicle(ref: string, groupId: string, member: boolean, viewer: Viewer): Promise<void>;
  /**
   * Takes a group that goes from vehicles and rules, within an act. Throws 409 where something would change its meaning
   * without the group, such as a geofence for these vehicles alone.
   */
  leave(group: GroupRecord): void;
}

export function addGroupRoutes(api: Api, groups: Groups, users: Users, members: GroupMembers): void {
  function visible(viewer: Viewer, groupId: string): GroupRecord {
    const group = groups.get(groupId);
    if (group === undefined || !sharesGroup(viewer, [groupId])) throw notFound('group');
    return group;
  }

  /** The ids of those users, by group, that the viewer may see. */
  function usersByGroup(viewer: Viewer): ReadonlyMap<string, string[]> {
    const shown = isDealer(viewer) ? users.all() : [viewer.user];
    const byGroup = new Map<string, string[]>();
    for (const { user_id, group_ids } of shown) {
      for (const id of new Set(group_ids)) {
        const ids = byGroup.get(id);
        if (ids === undefined) byGroup.set(id, [user_id]);
        else ids.push(user_id);
      }
    }
    return byGroup;
  }

  function present(group: GroupRecord, viewer: Viewer, usersIn = usersByGroup(viewer)): Group {
    return {
      ...group,
      vehicle_ids: holds(viewer, 'vehicles', 'read') ? [...members.vehiclesIn(group.group_id)] : [],
      user_ids: usersIn.get(group.group_id) ?? [],
    };
  }

  api.handle(groupRoutes.list, ({ query, viewer }) => {
    const shown = groups.all().filter((group) => sharesGroup(viewer, [group.group_id]));
    const { items, next_cursor } = paginate(shown, (group) => [group.name, group.group_id], query);
    const usersIn = usersByGroup(viewer);
    return { items: items.map((group) => present(group, viewer, usersIn)), next_cursor };
  });

  api.handle(groupRoutes.create, async ({ body, viewer, response }) => {
    const group = await groups.add(body);
    response.set('Location', `/api/v1/groups/${group.group_id}`);
    return present(group, viewer);
  });

  api.handle(groupRoutes.get, ({ params, viewer }) => present(visible(viewer, params.group_id), viewer));

  api.handle(groupRoutes.patch, async ({ params, body, ifMatch, viewer }) =>
    present(await groups.patch(params.group_id, body, ifMatch), viewer),
  );

  api.handle(groupRoutes.remove, async ({ params, ifMatch, viewer }) => {
    visible(viewer, params.group_id);
    await groups.remove(params.group_id, ifMatch, (group) => {
      members.leave(group);
      users.leaveGroup(group.group_id);
    });
  });

  api.handle(groupRoutes.addVehicle, async ({ params, viewer }) => {
    visible(viewer, params.group_id);
    await members.setVehicle(params.vehicle, params.group_id, true, viewer);
  });

  api.handle(groupRoutes.removeVehicle, async ({ params, viewer }) => {
    visible(viewer, params.group_id);
    await members.setVehicle(params.vehicle, params.group_id, false, viewer);
  });

  api.handle(groupRoutes.addUser, async ({ params, viewer }) => {
    visible(viewer, params.group_id);
    await users.setGroup(params.user_id, params.group_id, true);
  });

  api.handle(groupRoutes.removeUser, async ({ params, viewer }) => {
    visible(viewer, params.group_id);
    await users.setGroup(params.user_id, params.group_id, false);
  });
}
