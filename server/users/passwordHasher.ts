import { startWorker } from '../startWorker.ts';
import { createWorkerChannel } from '../workerChannel.ts';

/** What a thread is asked: whether the password leads to `hash`, or with null for a new hash of it. */
export interface PasswordOrder {
  password: string;
  hash: string | null;
}

/** Each takes a core and 128 MiB while it runs. */
export const hashesAtOnce = 2;

/** The 128 MiB of a hash are OpenSSL's own and no part of a thread's heap. */
const heap_mb = 32;

/** The costly work on passwords. */
export type PasswordHasher = ReturnType<typeof createPasswordHasher>;

/**
 * Threads of its own, as many as hashes run at once, each with `scryptSync`. The asynchronous `scrypt` would run in
 * libuv's pool, whose 4 threads also read and write all files: four hashes, and no file is read until one is done.
 * (The other long guest of that pool, `dns.lookup`, takes at most half of its threads: libuv's UV__WORK_SLOW_IO.)
 */
export function createPasswordHasher() {
  const threads = Array.from({ length: hashesAtOnce }, () => ({
    pending: 0,
    line: createWorkerChannel<PasswordOrder, string | boolean>({
      start: () => startWorker(import.meta.url, 'password.worker', { heap_mb }),
    }),
  }));
  // A hash that runs cannot be interrupted, so that none is ever cancelled here.
  const signal = new AbortController().signal;

  async function run(order: PasswordOrder): Promise<string | boolean> {
    const thread = threads.reduce((min, it) => (it.pending < min.pending ? it : min));
    thread.pending += 1;
    try {
      // Whose turn it is was decided before, by `HashQueue`.
      return await thread.line.run(() => order, { user_id: '', signal });
    } finally {
      thread.pending -= 1;
    }
  }

  return {
    /** As `hashPassword`. */
    hash: async (password: string): Promise<string> => String(await run({ password, hash: null })),
    /** As `isPassword`. */
    isPassword: async (password: string, hash: string): Promise<boolean> =>
      (await run({ password, hash })) === true,
    async close(): Promise<void> {
      await Promise.all(threads.map(({ line }) => line.close()));
    },
  };
}
