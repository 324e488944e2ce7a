import type { Logger } from 'pino';
import type { Change, Stamped } from '../store/documents/collection.ts';
import type { ChangeRow, ChangeTopic, Written } from '../store/telemetry/rows.ts';
import type { Store } from '../store/operations.ts';
import { changeItem, changeItems, type Lookup, type VisibleResource } from '../stream/streamItems.ts';
import type { StreamItem } from '../stream/streamItem.ts';

/** How a kind of resource that is stored in a document is published to the stream. */
export interface Followed<T> {
  topic: ChangeTopic;
  id: (item: T) => string;
  shown: (item: T) => VisibleResource | undefined;
  /** Group ids of those who could see it, `everybody`, or nobody but dealers when empty. */
  seenBy: (item: T) => string[];
}

export interface ChangeFeed {
  /** Records and publishes each change of a collection. Returns its undo. */
  follow<T extends Stamped>(
    collection: { onChange(listener: (changes: Change<T>[]) => void): () => void },
    how: Followed<T>,
  ): () => void;
  /** Publishes what a write has recorded already; `shown` is asked for each change. */
  publish(written: Written, shown: (change: ChangeRow) => VisibleResource | undefined): void;
  itemsOf(changes: readonly ChangeRow[]): Promise<StreamItem[]>;
}

export function createChangeFeed(deps: {
  store: Pick<Store, 'recordChanges'>;
  lookups: Record<ChangeTopic, Lookup>;
  /** Whether anybody listens at all. */
  isHeard: () => boolean;
  send: (items: readonly StreamItem[]) => void;
  log: Logger;
}): ChangeFeed {
  return {
    follow(collection, how) {
      return collection.onChange((changes) => {
        const rows = changes.map(({ before, after }) => ({
          topic: how.topic,
          resource_id: how.id((after ?? before) as NonNullable<typeof after>),
          seen_by: before === null ? null : how.seenBy(before),
        }));
        deps.store
          .recordChanges(rows)
          .then((written) => {
            deps.send(
              written.changes.map((change, at) => {
                const after = changes[at]?.after ?? null;
                return changeItem(change, after === null ? undefined : how.shown(after));
              }),
            );
          })
          .catch((error: unknown) => {
            // The change itself is stored; listeners see it when they read the lists again.
            deps.log.error({ err: error, topic: how.topic }, 'change was not published to the stream');
          });
      });
    },

    publish(written, shown) {
      if (!deps.isHeard()) return;
      deps.send(written.changes.map((change) => changeItem(change, shown(change))));
    },

    itemsOf: (changes) => changeItems(changes, deps.lookups),
  };
}
