import { groupRoutes, type Group } from '../../server/contract/groups.ts';
import { fetchAllPages, PAGE_LIMIT } from '../api/allPages.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { createLoader } from '../resources/loader.ts';

/** Throws ApiProblem (`already_exists` for a name that is taken), Unreachable. */
export async function addGroup(app: AppContext, name: string): Promise<Group> {
  const added = await app.api.request(groupRoutes.create, { body: { name } });
  app.groups.put([added]);
  return added;
}

/** Throws ApiProblem (`already_exists`, `version_conflict`), Unreachable. */
export async function renameGroup(
  app: AppContext,
  { group_id, version }: Group,
  name: string,
): Promise<Group> {
  const renamed = await app.api.request(groupRoutes.patch, {
    params: { group_id },
    body: { name },
    ifMatch: version,
  });
  app.groups.put([renamed]);
  return renamed;
}

/** Throws ApiProblem (`in_use` with what uses it, `version_conflict`), Unreachable. */
export async function deleteGroup(app: AppContext, { group_id, version }: Group): Promise<void> {
  await app.api.request(groupRoutes.remove, { params: { group_id }, ifMatch: version });
  app.groups.remove([group_id]);
}

/** Gives a user access to a group or takes it. Throws ApiProblem, Unreachable. */
export async function setAccess(
  app: AppContext,
  groupId: string,
  userId: string,
  hasAccess: boolean,
): Promise<void> {
  await app.api.request(hasAccess ? groupRoutes.addUser : groupRoutes.removeUser, {
    params: { group_id: groupId, user_id: userId },
  });
  await readGroup(app, groupId);
}

/** Takes over a group as it is now: the stream has no topic for groups. */
export async function readGroup(app: AppContext, groupId: string): Promise<void> {
  app.groups.put([await app.api.request(groupRoutes.get, { params: { group_id: groupId } })]);
}

/** Reads the list of groups again, since the stream has no topic for them; returns the stop function. */
export function refreshGroups(app: AppContext): () => void {
  const loader = createLoader({
    clock: app.clock,
    read: (signal) => {
      app.groups.listing();
      return fetchAllPages((cursor) =>
        app.api.request(groupRoutes.list, { query: { limit: PAGE_LIMIT, cursor }, signal }),
      );
    },
    take: (groups) => {
      app.groups.listed(groups);
      app.groups.setLoad({ phase: 'ready' });
    },
    onState: () => undefined,
  });
  loader.load();
  return () => loader.stop();
}
