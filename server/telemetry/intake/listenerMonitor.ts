import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import type { Redact } from '../protocols/redact.ts';
import { createMessageRecord, type RecordedMessage } from './messageLog.ts';
import { createRejections, type Rejections } from './rejections.ts';

/** What is recorded of a listener since the start, however often it was reopened. */
export interface ListenerMonitor {
  readonly record: RecordedMessage;
  readonly rejections: Rejections;
}

/**
 * @param name of the listener, as in the log
 * @param deps.redact removes secrets before bytes are kept or logged; nothing is removed if it is left out
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
