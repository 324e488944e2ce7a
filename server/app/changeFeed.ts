import type { ChangeRow, Written, UnknownTerminalRow } from '../store/telemetry/rows.ts';
import { changeItem, isStreamed, type VisibleResource, type StreamItem } from '../stream/streamItems.ts';
import type { StreamHub } from '../stream/streamHub.ts';
import { isDealer } from '../http/viewer.ts';
import { isoTime } from '../telemetry/presentPosition.ts';

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

/** The stream item by which dealers learn of an unknown terminal. */
export function unknownTerminalItem({
  first_seen_ms,
  last_seen_ms,
  message_count,
  ...row
}: UnknownTerminalRow): StreamItem {
  const json = JSON.stringify({
    ...row,
    messages: message_count,
    first_seen_at: isoTime(first_seen_ms),
    last_seen_at: isoTime(last_seen_ms),
  });
  return {
    topic: 'unknown_terminal',
    seq: null,
    json: () => json,
    sees: isDealer,
    gone: null,
  };
}
