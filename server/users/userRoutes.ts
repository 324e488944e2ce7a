import { createTextSearch, searchWords } from '../contract/searchText.ts';
import { mapViewRoutes } from '../contract/mapViews.ts';
import { preferenceRoutes } from '../contract/preferences.ts';
import { reportLayoutRoutes } from '../contract/reportLayouts.ts';
import type { Session } from '../contract/users.ts';
import { userRoutes } from '../contract/users.ts';
import type { Api } from '../http/api.ts';
import { forbidden, notFound } from '../http/apiError.ts';
import { paginate } from '../http/pagination.ts';
import type { Viewer } from '../http/viewer.ts';
import type { Requester } from './hashQueue.ts';
import { ownDocument, presentUser, type UserRecord } from './userRecord.ts';
import type { Users } from './users.ts';

const findsUser = createTextSearch<UserRecord>(({ login, name }) => [login, name]);

export interface UserSessions {
  sessionsOf(userId: string): Session[];
  end(userId: string, sessionId?: string): Promise<void>;
}

export function addUserRoutes(api: Api, users: Users, sessions: UserSessions): void {
  const requester = ({ user }: Viewer): Requester => ({ kind: 'user', id: user.user_id });

  function known(userId: string): UserRecord {
    const user = users.get(userId);
    if (user === undefined) throw notFound('user');
    return user;
  }

  api.handle(userRoutes.list, ({ query }) => {
    const words = searchWords(query.q ?? '');
    const found = users.all().filter((user) => findsUser(user, words));
    const { items, next_cursor } = paginate(found, (user) => [user.login, user.user_id], query);
    return { items: items.map(presentUser), next_cursor };
  });

  api.handle(userRoutes.create, ({ body, viewer, once }) =>
    once<UserRecord>(
      (stored) => users.add(body, requester(viewer), stored),
      (user) => ({ reply: presentUser(user), location: `/api/v1/users/${user.user_id}` }),
    ),
  );

  api.handle(userRoutes.get, ({ params }) => presentUser(known(params.user_id)));

  api.handle(userRoutes.patch, async ({ params, body, ifMatch, viewer }) =>
    presentUser(await users.patch(params.user_id, body, ifMatch, requester(viewer))),
  );

  api.handle(userRoutes.remove, ({ params, ifMatch }) => users.remove(params.user_id, ifMatch));

  api.handle(userRoutes.block, async ({ params }) =>
    presentUser(await users.setBlocked(params.user_id, true)),
  );

  api.handle(userRoutes.unblock, async ({ params }) =>
    presentUser(await users.setBlocked(params.user_id, false)),
  );

  api.handle(userRoutes.sessions, ({ params, query }) => {
    known(params.user_id);
    return paginate(sessions.sessionsOf(params.user_id), (it) => [it.created_at, it.session_id], query);
  });

  api.handle(userRoutes.revokeSessions, async ({ params, query }) => {
    known(params.user_id);
    await sessions.end(params.user_id, query.session_id);
  });

  api.handle(userRoutes.me, ({ viewer }) => viewer.user);

  api.handle(mapViewRoutes.get, ({ viewer }) => ownDocument(known(viewer.user.user_id), 'map_views'));

  api.handle(mapViewRoutes.put, ({ viewer, body, ifMatch }) =>
    users.setOwnDocument(viewer.user.user_id, 'map_views', body, ifMatch),
  );

  api.handle(reportLayoutRoutes.get, ({ viewer }) =>
    ownDocument(known(viewer.user.user_id), 'report_layouts'),
  );

  api.handle(reportLayoutRoutes.put, ({ viewer, body, ifMatch }) =>
    users.setOwnDocument(viewer.user.user_id, 'report_layouts', body, ifMatch),
  );

  api.handle(preferenceRoutes.get, ({ viewer }) => ownDocument(known(viewer.user.user_id), 'preferences'));

  api.handle(preferenceRoutes.put, ({ viewer, body, ifMatch }) => {
    // They decide what its owner sees and hears at a console.
    if (viewer.token !== undefined)
      throw forbidden('An API token may not change the preferences of its owner.');
    return users.setOwnDocument(viewer.user.user_id, 'preferences', body, ifMatch);
  });
}
