import { z } from 'zod';
import { id, listQuery, mergePatchOf, page, shortText, stamps } from './fields.ts';
import { route } from './route.ts';

const tag = 'Groups';

const fields = { name: shortText };
export const newGroup = z.strictObject(fields).meta({ id: 'NewGroup' });
export type NewGroup = z.infer<typeof newGroup>;
const groupPatch = mergePatchOf(fields).meta({ id: 'GroupPatch' });

export const group = z
  .object({
    group_id: id,
    name: z.string(),
    vehicle_ids: z.array(id),
    user_ids: z.array(id),
    ...stamps,
  })
  .meta({ id: 'Group' });
export type Group = z.infer<typeof group>;
/** A group without its members: vehicles and users name the groups that they are in. */
export const groupEntry = group.omit({ vehicle_ids: true, user_ids: true });
export type GroupEntry = z.infer<typeof groupEntry>;

const params = z.object({ group_id: id });
const vehicleParams = z.object({ group_id: id, vehicle: z.string().min(1).max(64) });
const userParams = z.object({ group_id: id, user_id: id });

export const groupRoutes = {
  list: route({
    id: 'listGroups',
    tag,
    method: 'GET',
    path: '/api/v1/groups',
    summary: 'Visible groups',
    access: 'user',
    query: z.strictObject(listQuery),
    reply: page(group),
  }),
  create: route({
    id: 'createGroup',
    tag,
    method: 'POST',
    path: '/api/v1/groups',
    summary: 'Add a group',
    access: 'dealer',
    body: newGroup,
    reply: group,
    status: 201,
    errors: ['already_exists', 'quota_exceeded'],
  }),
  get: route({
    id: 'getGroup',
    tag,
    method: 'GET',
    path: '/api/v1/groups/{group_id}',
    summary: 'One group',
    access: 'user',
    params,
    reply: group,
    errors: ['not_found'],
  }),
  patch: route({
    id: 'patchGroup',
    tag,
    method: 'PATCH',
    path: '/api/v1/groups/{group_id}',
    summary: 'Rename a group',
    access: 'dealer',
    versioned: true,
    params,
    body: groupPatch,
    reply: group,
    errors: ['not_found', 'already_exists', 'version_conflict'],
  }),
  remove: route({
    id: 'deleteGroup',
    tag,
    method: 'DELETE',
    path: '/api/v1/groups/{group_id}',
    access: 'dealer',
    versioned: true,
    summary: 'Delete a group; its vehicles and users stay',
    params,
    errors: ['not_found', 'in_use', 'version_conflict'],
  }),
  addVehicle: route({
    id: 'addVehicleToGroup',
    tag,
    method: 'PUT',
    path: '/api/v1/groups/{group_id}/vehicles/{vehicle}',
    access: 'dealer',
    summary: 'Add a vehicle to a group',
    params: vehicleParams,
    errors: ['not_found', 'quota_exceeded'],
  }),
  removeVehicle: route({
    id: 'removeVehicleFromGroup',
    tag,
    method: 'DELETE',
    path: '/api/v1/groups/{group_id}/vehicles/{vehicle}',
    access: 'dealer',
    summary: 'Remove a vehicle from a group',
    params: vehicleParams,
    errors: ['not_found'],
  }),
  addUser: route({
    id: 'addUserToGroup',
    tag,
    method: 'PUT',
    path: '/api/v1/groups/{group_id}/users/{user_id}',
    access: 'dealer',
    summary: 'Give a user access to a group',
    params: userParams,
    errors: ['not_found', 'quota_exceeded'],
  }),
  removeUser: route({
    id: 'removeUserFromGroup',
    tag,
    method: 'DELETE',
    path: '/api/v1/groups/{group_id}/users/{user_id}',
    access: 'dealer',
    summary: 'Revoke access to a group from a user',
    params: userParams,
    errors: ['not_found'],
  }),
};
