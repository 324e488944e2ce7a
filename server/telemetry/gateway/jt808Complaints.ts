import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';

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

const mostLines = 10;
const windowMs = 60_000;

/** Ten lines a minute: a terminal that cannot do better sends the same again and again. */
export function createComplain(log: Pick<Logger, 'warn'>, clock: Pick<Clock, 'monotonic'>): Complain {
  let since = Number.NEGATIVE_INFINITY;
  let lines = 0;
  let unsaid = 0;
  return ({ message_id, ...about }) => {
    const now = clock.monotonic();
    if (now - since >= windowMs) {
      since = now;
      lines = 0;
    }
    if (lines >= mostLines) {
      unsaid += 1;
      return;
    }
    lines += 1;
    log.warn(
      {
        ...about,
        message: message_id.toString(16).padStart(4, '0'),
        ...(unsaid === 0 ? {} : { not_logged_before: unsaid }),
      },
      'a jt808 message was answered as not understood',
    );
    unsaid = 0;
  };
}
