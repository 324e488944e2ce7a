import { z } from 'zod';
import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  queueFilter,
  queueGroupings,
  type QueueFilter,
  type QueueGrouping,
} from '../../server/contract/preferences.ts';
import type { TextStorage } from '../platform/platform.ts';

/** What the operator holds in the queue. Facts only. */
export interface QueueView {
  /** Folded, it shows the top open alarm alone, whatever the filter. */
  isFolded: boolean;
  /** Which of its lists is shown. */
  list: 'open' | 'quiet' | 'acknowledged';
  groupBy: QueueGrouping;
  filter: QueueFilter;
  /** Groups of which only the head is shown. */
  folded: ReadonlySet<string>;
  /** The folded group that keys act on; null while a row is selected, or none. */
  groupKey: string | null;
  /** Rows that are acknowledged together. */
  checked: ReadonlySet<string>;
  /** Where a range begins. */
  anchorId: string | null;
}

export type QueueViewStore = StoreApi<QueueView>;

export const NO_FILTER: QueueFilter = { severities: [], rule_ids: [], vehicle_ids: [] };

/** What of it stays on this computer over a reload. */
const kept = z.object({ groupBy: z.enum(queueGroupings), filter: queueFilter });

export function createQueueView(storage: TextStorage, userId: string): QueueViewStore {
  const key = `queue_view.${userId}`;
  const store = createStore<QueueView>(() => ({
    isFolded: false,
    list: 'open',
    groupBy: 'none',
    filter: NO_FILTER,
    folded: new Set(),
    groupKey: null,
    checked: new Set(),
    anchorId: null,
    ...readKept(storage.read(key)),
  }));
  store.subscribe(({ groupBy, filter }, before) => {
    if (groupBy !== before.groupBy || filter !== before.filter)
      storage.write(key, JSON.stringify({ groupBy, filter }));
  });
  return store;
}

function readKept(text: string | null): Partial<z.infer<typeof kept>> {
  if (text === null) return {};
  try {
    return kept.safeParse(JSON.parse(text)).data ?? {};
  } catch {
    return {};
  }
}
