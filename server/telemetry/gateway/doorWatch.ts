import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import type { Veil } from '../protocols/veil.ts';
import { createMessageRecord, type MessageRecord } from './lastMessages.ts';
import { createTurnedAway, type TurnedAway } from './turnedAway.ts';

/** What can be told of a door since the start, however often it was opened anew. */
export interface DoorWatch {
  readonly record: MessageRecord;
  readonly turnedAway: TurnedAway;
}

/**
 * @param name of the door, as in the log
 * @param parts.veil what of its bytes is neither kept nor logged; nothing when it is left out
 */
export function createDoorWatch(
  name: string,
  { clock, log, veil }: { clock: Clock; log: Logger; veil?: Veil },
): DoorWatch {
  return {
    record: createMessageRecord(clock, veil),
    turnedAway: createTurnedAway(name, clock, log, veil),
  };
}
