import { createStore, type StoreApi } from 'zustand/vanilla';
import { userRoutes, type User } from '../../server/contract/users.ts';
import { fetchAllPages, PAGE_LIMIT } from '../api/allPages.ts';
import type { Api } from '../api/client.ts';
import type { Clock } from '../clock/clock.ts';
import { createLoader } from '../resources/loader.ts';
import type { LoadState } from '../resources/resourceStore.ts';

/** The depot's users as a dealer sees them. The stream does not bear users: what changes here is put in at once. */
export interface UserList {
  store: StoreApi<{ byId: ReadonlyMap<string, User>; load: LoadState }>;
  put(user: User): void;
  drop(userId: string): void;
  /** Reads anew. */
  load(): void;
  retry(): void;
  stop(): void;
}

export function createUserList({ api, clock }: { api: Api; clock: Clock }): UserList {
  const store: UserList['store'] = createStore(() => ({
    byId: new Map<string, User>(),
    load: { phase: 'loading' },
  }));
  const loader = createLoader({
    clock,
    read: (signal) =>
      fetchAllPages((cursor) =>
        api.request(userRoutes.list, { query: { limit: PAGE_LIMIT, cursor }, signal }),
      ),
    take: (users) => store.setState({ byId: new Map(users.map((it) => [it.user_id, it])) }),
    onState: (load) => store.setState({ load }),
  });
  return {
    store,
    put(user) {
      const { byId } = store.getState();
      const known = byId.get(user.user_id);
      if (known !== undefined && known.version > user.version) return;
      store.setState({ byId: new Map(byId).set(user.user_id, user) });
    },
    drop(userId) {
      const byId = new Map(store.getState().byId);
      byId.delete(userId);
      store.setState({ byId });
    },
    load: () => loader.load(),
    retry: () => loader.retry(),
    stop: () => loader.stop(),
  };
}
