import { groupRoutes, type Group } from '../../server/contract/groups.ts';
import { allPages, PAGE_LIMIT } from '../api/allPages.ts';
import type { Desk } from '../desk/desk.ts';
import { createLoader } from '../resources/loader.ts';

/** Throws ApiProblem (`already_exists` for a name that is taken), Unreachable. */
export async function addGroup(desk: Desk, name: string): Promise<Group> {
  const added = await desk.api.request(groupRoutes.create, { body: { name } });
  desk.groups.put([added]);
  return added;
}

/** Throws ApiProblem (`already_exists`, `version_conflict`), Unreachable. */
export async function renameGroup(desk: Desk, { group_id, version }: Group, name: string): Promise<void> {
  const renamed = await desk.api.request(groupRoutes.patch, {
    params: { group_id },
    body: { name },
    ifMatch: version,
  });
  desk.groups.put([renamed]);
}

/** Throws ApiProblem (`in_use` with what uses it, `version_conflict`), Unreachable. */
export async function deleteGroup(desk: Desk, { group_id, version }: Group): Promise<void> {
  await desk.api.request(groupRoutes.remove, { params: { group_id }, ifMatch: version });
  desk.groups.remove([group_id]);
}

/** Gives a user access to a group or takes it. Throws ApiProblem, Unreachable. */
export async function setAccess(
  desk: Desk,
  groupId: string,
  userId: string,
  hasAccess: boolean,
): Promise<void> {
  await desk.api.request(hasAccess ? groupRoutes.addUser : groupRoutes.removeUser, {
    params: { group_id: groupId, user_id: userId },
  });
  await readGroup(desk, groupId);
}

/** Takes over a group as it is now: the stream does not tell of groups. */
export async function readGroup(desk: Desk, groupId: string): Promise<void> {
  desk.groups.put([await desk.api.request(groupRoutes.get, { params: { group_id: groupId } })]);
}

/** Reads the list of groups anew, since the stream does not tell of them; returns its end. */
export function refreshGroups(desk: Desk): () => void {
  const loader = createLoader({
    clock: desk.clock,
    read: (signal) => {
      desk.groups.listing();
      return allPages((cursor) =>
        desk.api.request(groupRoutes.list, { query: { limit: PAGE_LIMIT, cursor }, signal }),
      );
    },
    take: (groups) => {
      desk.groups.listed(groups);
      desk.groups.setLoad({ phase: 'ready' });
    },
    onState: () => undefined,
  });
  loader.load();
  return () => loader.stop();
}
