import { createFairQueue } from '../fairQueue.ts';

/** What is written for streams that begin or are behind: round-robin by user, and only so much in one event-loop turn. */
export interface CatchUpQueue {
  /** @param write writes one message; false: there was nothing to write, and it counts for nothing */
  add(userId: string, write: () => boolean): void;
}

/** @param perTurn messages in one turn of the event loop, of all streams together */
export function createCatchUpQueue(perTurn: number): CatchUpQueue {
  const waiting = createFairQueue<() => boolean>();

  function run(): void {
    let left = perTurn;
    for (let write = waiting.take(); write !== undefined; write = waiting.take()) {
      if (write()) left -= 1;
      if (left === 0) break;
    }
    if (waiting.size() > 0) setImmediate(run);
  }

  return {
    add(userId, write) {
      if (waiting.size() === 0) setImmediate(run);
      waiting.add(userId, write);
    },
  };
}
