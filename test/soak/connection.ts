import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Random } from './random.ts';

/** One TCP connection of a virtual terminal, with the faults of a mobile network in it. */
export interface Connection {
  write(bytes: Uint8Array): void;
  /** Writes in pieces, some of them as short as a byte. */
  dribble(bytes: Uint8Array, dice: Random): Promise<void>;
  /**
   * The next answer. Rejects when the connection ends before, or nothing came for too long.
   * @param lengthOf how long the answer is that these bytes begin with; 0: not known yet
   */
  answer(lengthOf: (bytes: Buffer) => number): Promise<Buffer>;
  /** Says that no more will come, and goes when the host has done so too. */
  close(): void;
  /** Ends it with a reset. */
  reset(): void;
  /** Says no word any more, nor that it is over. */
  abandon(): void;
  /** The side that ended it. */
  isOver(): boolean;
}

/** A host that is this busy is no host. */
const patienceMs = 30_000;
/** Connections that nobody hears of again. */
const abandoned: Socket[] = [];
const maxAbandoned = 150;

export async function openConnection(port: number): Promise<Connection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let received = Buffer.alloc(0);
  let isOver = false;
  let wake = (): void => undefined;
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  socket.once('close', () => {
    isOver = true;
    wake();
  });
  try {
    await once(socket, 'connect');
  } finally {
    // How it ends makes no difference from now on.
    socket.on('error', () => undefined);
  }

  return {
    isOver: () => isOver,
    write: (bytes) => void socket.write(bytes),
    async dribble(bytes, dice) {
      for (let at = 0; at < bytes.length && !isOver;) {
        const end = at + (dice.chance(0.5) ? 1 : dice.whole(1, bytes.length));
        socket.write(bytes.subarray(at, end));
        at = end;
        await pause(dice.whole(0, 20));
      }
    },
    async answer(lengthOf) {
      const deadline = Date.now() + patienceMs;
      for (;;) {
        const length = received.length === 0 ? 0 : lengthOf(received);
        if (length > 0 && received.length >= length) {
          const bytes = received.subarray(0, length);
          received = received.subarray(length);
          return bytes;
        }
        if (isOver) throw new Error('the connection ended');
        const left = deadline - Date.now();
        if (left <= 0) throw new Error('no answer came');
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, left);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    },
    close: () => void socket.end(),
    reset: () => void socket.resetAndDestroy(),
    abandon() {
      socket.pause();
      abandoned.push(socket);
      if (abandoned.length > maxAbandoned) abandoned.shift()?.destroy();
    },
  };
}

/** Takes those off the machine that nobody would have heard of again. */
export function forgetAbandoned(): void {
  for (const socket of abandoned.splice(0)) socket.destroy();
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
