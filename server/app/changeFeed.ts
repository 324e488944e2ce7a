import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { ChangeRow, ChangeTopic, NewChange, Written } from '../store/telemetry/rows.ts';
import type { Store } from '../store/operations.ts';
import {
  changeItem,
  changeItems,
  isStreamed,
  lookUp,
  type Lookup,
  type VisibleResource,
} from '../stream/streamItems.ts';
import type { StreamHub } from '../stream/streamHub.ts';
import type { StreamItem } from '../stream/streamItem.ts';

export interface ChangeFeed {
  /** Records changes of one topic, of resources that changed by what is not theirs, and publishes these as they are now. */
  record(changes: readonly NewChange[]): void;
  /** Publishes what a write has recorded already; `shown` is asked for each change. */
  publish(written: Written, shown: Shown): void;
  itemsOf(changes: readonly ChangeRow[]): Promise<StreamItem[]>;
  /** Tries no more to record what could not be. */
  close(): void;
}

type Shown = (change: ChangeRow) => VisibleResource | undefined;

/** Between two attempts to record a change. */
const retryMs = 5_000;

export function createChangeFeed(deps: {
  store: Pick<Store, 'recordChanges'>;
  lookups: Record<ChangeTopic, Lookup>;
  hub: Pick<StreamHub, 'listeners' | 'publish' | 'advance' | 'reset'>;
  clock: Pick<Clock, 'after'>;
  log: Logger;
}): ChangeFeed {
  const { store, lookups, hub, clock, log } = deps;
  let isClosed = false;

  function publish(changes: readonly ChangeRow[], shown: Shown): void {
    const newest = changes.at(-1);
    const streamed = hub.listeners() > 0 ? changes.filter(isStreamed) : [];
    if (streamed.length > 0) hub.publish(streamed.map((change) => changeItem(change, shown(change))));
    else if (newest !== undefined) hub.advance(newest.seq);
  }

  function record(rows: readonly NewChange[]): void {
    if (rows.length === 0 || isClosed) return;
    // As they are at the change: until it is recorded there may be a later one.
    const shown = hub.listeners() === 0 ? null : lookUp(rows, lookups);
    store
      .recordChanges([...rows])
      .then(async ({ changes }) => publish(changes, await (shown ?? lookUp(rows, lookups))))
      .catch((error: unknown) => {
        log.error({ err: error, topic: rows[0]?.topic }, 'change was not recorded for the stream');
        hub.reset();
        // A host that starts anew knows of no reset.
        clock.after(retryMs, () => record(rows));
      });
  }

  return {
    record,
    publish: ({ changes }, shown) => publish(changes, shown),
    itemsOf: (changes) => changeItems(changes, lookups),
    close: () => void (isClosed = true),
  };
}
