import type { Socket } from 'node:net';

/** How many requests of one connection are worked on at a time; the others wait, and the connection is not read. */
export interface RequestPace {
  /** Resolves when it is a request's turn. */
  enter(): Promise<void>;
  leave(): void;
}

export function createRequestPace(socket: Socket, most: number): RequestPace {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    enter() {
      if (running < most) {
        running += 1;
        return Promise.resolve();
      }
      // Again for each that comes: Node reads on whenever the body of an earlier one is asked for.
      socket.pause();
      return new Promise((resolve) => {
        waiting.push(resolve);
      });
    },
    leave() {
      const next = waiting.shift();
      if (next !== undefined) {
        next();
        return;
      }
      running -= 1;
      if (socket.isPaused()) socket.resume();
    },
  };
}
