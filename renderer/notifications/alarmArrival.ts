import type { Notification } from '../../server/contract/notifications.ts';

/** What a message of the stream means to the ear: a new row sounds once, its repetitions do not (CONSOLE, rule 3). */
export function isArrival(known: Notification | undefined, message: Notification): boolean {
  if (message.state !== 'open' || message.severity === 'info') return false;
  return known === undefined || (known.state === 'acknowledged' && known.count < message.count);
}
