import { createFairQueue } from '../fairQueue.ts';

/** What is done for streams that begin or are behind: one step at a time, round-robin by user. */
export interface CatchUpQueue {
  /** @param step writes one message, or what costs as much; false: there was nothing to do, and it counts for nothing */
  add(userId: string, step: () => boolean): void;
}

/**
 * @param everyTurns turns of the event loop for each step. Node takes in one new connection in a turn: whoever opens many
 *   streams together would hold up all who connect after them by the work of each.
 */
export function createCatchUpQueue(everyTurns: number): CatchUpQueue {
  const waiting = createFairQueue<() => boolean>();
  let turn = 0;
  let isLooking = false;

  function look(): void {
    turn = (turn + 1) % everyTurns;
    if (turn === 0) {
      let step = waiting.take();
      while (step !== undefined && !step()) step = waiting.take();
    }
    isLooking = waiting.size() > 0;
    if (isLooking) setImmediate(look);
  }

  return {
    add(userId, step) {
      waiting.add(userId, step);
      if (isLooking) return;
      isLooking = true;
      setImmediate(look);
    },
  };
}
