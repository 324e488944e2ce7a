import { createFairQueue } from '../fairQueue.ts';

interface Waiting {
  userId: string;
  resolve: (leave: (() => void) | null) => void;
}

/**
 * How many streams are sent the past at a time: what each of them missed is in memory until it is sent.
 * First come, first served, but for a user who has `perUser` turns already.
 */
export function createReplayQueue({ atOnce, perUser }: { atOnce: number; perUser: number }) {
  const waiting = new Set<Waiting>();
  const running = new Map<string, number>();
  let count = 0;

  function turnsOf(userId: string): number {
    return running.get(userId) ?? 0;
  }

  function change(userId: string, by: 1 | -1): void {
    count += by;
    const turns = turnsOf(userId) + by;
    if (turns === 0) running.delete(userId);
    else running.set(userId, turns);
  }

  function letIn(): void {
    for (const one of waiting) {
      if (count >= atOnce) return;
      if (turnsOf(one.userId) >= perUser) continue;
      waiting.delete(one);
      change(one.userId, 1);
      let hasLeft = false;
      one.resolve(() => {
        if (hasLeft) return;
        hasLeft = true;
        change(one.userId, -1);
        letIn();
      });
    }
  }

  return {
    /** Resolves when it is this user's turn, with what ends it; null when it is given up before. */
    enter(userId: string): { turn: Promise<(() => void) | null>; giveUp: () => void } {
      let giveUp = (): void => undefined;
      const turn = new Promise<(() => void) | null>((resolve) => {
        const one = { userId, resolve };
        giveUp = () => {
          if (waiting.delete(one)) resolve(null);
        };
        waiting.add(one);
        letIn();
      });
      return { turn, giveUp };
    },
    running: (): number => count,
    waiting: (): number => waiting.size,
  };
}

/**
 * What is done for streams that begin or are behind: one step at a time, round-robin by user.
 * @param everyTurns turns of the event loop for each step. Node takes in one new connection in a turn: whoever opens many
 *   streams together would hold up all who connect after them by the work of each.
 */
export function createCatchUpQueue(everyTurns: number) {
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
    /** @param step writes one message, or what costs as much; false: there was nothing to do, and it counts for nothing */
    add(userId: string, step: () => boolean): void {
      waiting.add(userId, step);
      if (isLooking) return;
      isLooking = true;
      setImmediate(look);
    },
  };
}
