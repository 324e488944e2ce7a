import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import type { Redact } from '../protocols/redact.ts';
import { createMessageRecord, type RecordedMessage } from './messageLog.ts';
import { createRejections, type Rejections } from './rejections.ts';

/** What can be told of a door since the start, however often it was opened anew. */
export interface ListenerMonitor {
  readonly record: RecordedMessage;
  readonly rejections: Rejections;
}

/**
 * @param name of the door, as in the log
 * @param parts.veil what of its bytes is neither kept nor logged; nothing when it is left out
 */
export function createListenerMonitor(
  name: string,
  { clock, log, redact }: { clock: Clock; log: Logger; redact?: Redact },
): ListenerMonitor {
  return {
    record: createMessageRecord(clock, redact),
    rejections: createRejections(name, clock, log, redact),
  };
}
