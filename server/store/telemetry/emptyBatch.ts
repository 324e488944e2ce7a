import type { Batch } from './rows.ts';

/** A batch that leaves nothing behind, to be filled. */
export function emptyBatch(): Batch {
  return {
    positions: [],
    events: [],
    notifications: [],
    rules: [],
    deliveries: [],
    tasks: [],
    states: [],
    rejected: [],
  };
}
