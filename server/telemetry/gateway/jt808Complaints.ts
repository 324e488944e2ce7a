import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import { createLineLimit } from './lineLimit.ts';

export interface Complaint {
  terminal_id: string;
  message_id: number;
  bytes: number;
  /** Of a batch: how many positions it says that it holds, and how many could be read. */
  stated?: number;
  read?: number;
}

/** Tells the log of messages that a terminal was told to have written badly. */
export type Complain = (about: Complaint) => void;

/** A terminal that cannot do better sends the same again and again: the log has only so many lines of it. */
export function createComplain(log: Pick<Logger, 'warn'>, clock: Pick<Clock, 'monotonic'>): Complain {
  const limit = createLineLimit(clock);
  return ({ message_id, ...about }) => {
    const left = limit();
    if (left === null) return;
    const message = message_id.toString(16).padStart(4, '0');
    log.warn({ ...about, message, ...left }, 'a jt808 message was answered as not understood');
  };
}
