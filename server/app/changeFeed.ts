import type { ChangeRow, Written } from '../store/telemetry/rows.ts';
import { changeItem, isStreamed, type VisibleResource } from '../stream/streamItems.ts';
import type { StreamHub } from '../stream/streamHub.ts';

export type ChangeFeed = ReturnType<typeof createChangeFeed>;

/** Brings what is stored to the streams. */
export function createChangeFeed(hub: Pick<StreamHub, 'listeners' | 'publish' | 'advance'>) {
  return {
    /** Publishes what a write has put into the log; `shown` is asked for each change. */
    publish({ changes }: Written, shown: (change: ChangeRow) => VisibleResource | undefined): void {
      const newest = changes.at(-1);
      const streamed = hub.listeners() > 0 ? changes.filter(isStreamed) : [];
      if (streamed.length > 0) hub.publish(streamed.map((change) => changeItem(change, shown(change))));
      else if (newest !== undefined) hub.advance(newest.seq);
    },
  };
}
