import type { Socket } from 'node:net';
import type { Backlog } from './backlog.ts';

/**
 * Limits how many requests of one connection are processed at a time, none while the listener's backlog is full; the
 * others wait, unread, and their connection is not read.
 */
export interface RequestLimiter {
  /** Resolves when it is a request's turn; null when its connection is over before. */
  enter(): Promise<Turn | null>;
}

/** Of a request that is read, and then worked on. */
export interface Turn {
  /** From now on its content counts towards the listener's backlog; until then it counts as one report. */
  isTaken: () => void;
  /** It is done. */
  leave: () => void;
}

export function createRequestLimiter(
  socket: Socket,
  max: number,
  room: Pick<Backlog, 'isFull' | 'add' | 'wait' | 'forget'>,
): RequestLimiter {
  const waiting: ((turn: Turn | null) => void)[] = [];
  let running = 0;
  let isHeld = false;

  /**
   * Again for each that waits: Node reads on whenever a request is whole or the body of an earlier one is asked for.
   * Not at once: what Node has resumed it begins to read a tick later, even if it was paused since.
   */
  function hold(): void {
    isHeld = true;
    process.nextTick(() => {
      if (isHeld) socket.pause();
    });
  }

  function letIn(): void {
    while (running < max) {
      if (waiting.length > 0 && room.isFull()) {
        room.wait(letIn);
        return;
      }
      const next = waiting.shift();
      if (next === undefined) break;
      next(begin());
    }
    if (waiting.length > 0 || !isHeld) return;
    isHeld = false;
    socket.resume();
  }

  function begin(): Turn {
    running += 1;
    let stopHolding: (() => void) | null = room.add(1);
    const isTaken = () => {
      stopHolding?.();
      stopHolding = null;
    };
    return {
      isTaken,
      leave() {
        isTaken();
        running -= 1;
        letIn();
      },
    };
  }

  socket.once('close', () => {
    room.forget(letIn);
    for (const next of waiting.splice(0)) next(null);
  });

  return {
    enter: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        letIn();
        // Of one that waits alone it is noticed when its terminal hangs up.
        if (waiting.length > 1) hold();
      }),
  };
}
