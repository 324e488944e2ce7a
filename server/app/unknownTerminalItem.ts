import { isDealer } from '../http/viewer.ts';
import type { UnknownTerminalRow } from '../store/telemetry/rows.ts';
import type { StreamItem } from '../stream/streamItem.ts';
import { isoTime } from '../telemetry/presentPosition.ts';

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
