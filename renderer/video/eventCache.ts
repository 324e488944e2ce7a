import { createStore, type StoreApi } from 'zustand/vanilla';
import { eventRoutes, type Event } from '../../server/contract/events.ts';
import type { Api } from '../api/client.ts';

/** As many ids as an address line takes with ease. */
const AT_ONCE = 50;

/** The events that videos were ordered for. */
export interface EventCache {
  store: StoreApi<{ byId: ReadonlyMap<string, Event> }>;
  /** Reads those that are not known yet; each id is asked for once. */
  want(eventIds: Iterable<string>): void;
}

export function createEventCache(api: Api): EventCache {
  const store = createStore<{ byId: ReadonlyMap<string, Event> }>(() => ({ byId: new Map() }));
  const asked = new Set<string>();

  async function read(ids: readonly string[]): Promise<void> {
    try {
      const { items } = await api.request(eventRoutes.list, { query: { ids: [...ids], limit: AT_ONCE } });
      store.setState(({ byId }) => ({
        byId: new Map([...byId, ...items.map((it): [string, Event] => [it.event_id, it])]),
      }));
    } catch {
      // The rows then say who ordered them; another look at the list asks again.
      for (const id of ids) asked.delete(id);
    }
  }

  return {
    store,
    want(eventIds) {
      const fresh = [...new Set(eventIds)].filter((id) => !asked.has(id));
      for (const id of fresh) asked.add(id);
      for (let at = 0; at < fresh.length; at += AT_ONCE) void read(fresh.slice(at, at + AT_ONCE));
    },
  };
}
