import { createStore, type StoreApi } from 'zustand/vanilla';
import type { QueueGrouping } from '../../server/contract/preferences.ts';

/** What the operator holds in the queue. Facts only. */
export interface QueueView {
  /** Folded, it shows the top open alarm alone. */
  isFolded: boolean;
  /** Which of its lists is shown. */
  list: 'open' | 'quiet' | 'acknowledged';
  groupBy: QueueGrouping;
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

export function createQueueView(): QueueViewStore {
  return createStore<QueueView>(() => ({
    isFolded: false,
    list: 'open',
    groupBy: 'none',
    folded: new Set(),
    groupKey: null,
    checked: new Set(),
    anchorId: null,
  }));
}
