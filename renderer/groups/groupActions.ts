import { groupRoutes, type GroupEntry } from '../../server/contract/groups.ts';
import type { AppContext } from '../appContext/appContext.ts';

/** Throws ApiProblem (`already_exists` for a name that is taken), Unreachable. */
export async function addGroup(app: AppContext, name: string): Promise<GroupEntry> {
  const added = await app.api.request(groupRoutes.create, { body: { name } });
  app.groups.put([added]);
  return added;
}

/** Throws ApiProblem (`already_exists`, `version_conflict`), Unreachable. */
export async function renameGroup(
  app: AppContext,
  { group_id, version }: GroupEntry,
  name: string,
): Promise<GroupEntry> {
  const renamed = await app.api.request(groupRoutes.patch, {
    params: { group_id },
    body: { name },
    ifMatch: version,
  });
  app.groups.put([renamed]);
  return renamed;
}

/** Throws ApiProblem (`in_use` with what uses it, `version_conflict`), Unreachable. */
export async function deleteGroup(app: AppContext, { group_id, version }: GroupEntry): Promise<void> {
  await app.api.request(groupRoutes.remove, { params: { group_id }, ifMatch: version });
  app.groups.remove([group_id]);
}

/** Gives a user access to a group or takes it; the stream brings the user. Throws ApiProblem, Unreachable. */
export async function setAccess(
  app: AppContext,
  groupId: string,
  userId: string,
  hasAccess: boolean,
): Promise<void> {
  await app.api.request(hasAccess ? groupRoutes.addUser : groupRoutes.removeUser, {
    params: { group_id: groupId, user_id: userId },
  });
}

/** Takes over a group as it is now, after a conflict that was answered before the stream brought the newer state. */
export async function readGroup(app: AppContext, groupId: string): Promise<void> {
  app.groups.put([await app.api.request(groupRoutes.get, { params: { group_id: groupId } })]);
}
