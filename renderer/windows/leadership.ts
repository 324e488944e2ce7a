/** The part of a browser's `LockManager` that is used here. */
export interface Locks {
  request(name: string, options: { signal: AbortSignal }, held: () => Promise<void>): Promise<unknown>;
}

/**
 * What one window does for all windows of a login. One of the windows that ask for a lock of this name has it, and keeps it until it goes; then the next one has it. A
 * browser freezes no page that holds a lock (Chromium, Page Lifecycle), so that the one who has it is awake.
 *
 * @param name is asked for each time: each login has a line of its own
 * @param locks null where the browser has none (pages that are not secure): then every window that asks leads, and an
 *   alarm sounds twice rather than not at all
 */
export function createLeadership(name: () => string, locks: Locks | null) {
  const listeners = new Set<() => void>();
  let isMine = false;
  let abort: AbortController | null = null;

  const gain = () => {
    isMine = true;
    listeners.forEach((run) => run());
  };

  return {
    isMine: () => isMine,
    /** Called when this window begins to lead. Returns its undo. */
    onGain(run: () => void): () => void {
      listeners.add(run);
      return () => listeners.delete(run);
    },
    /** Stands in the line; once. */
    ask(): void {
      if (abort !== null) return;
      const mine = new AbortController();
      abort = mine;
      if (locks === null) {
        gain();
        return;
      }
      const held = () =>
        new Promise<void>((release) => {
          mine.signal.addEventListener('abort', () => release());
          if (mine.signal.aborted) release();
          else gain();
        });
      locks.request(name(), { signal: mine.signal }, held).catch(() => {
        // Left the line before its turn; or the page is one that gets no locks at all, and leads as without them.
        if (!mine.signal.aborted) gain();
      });
    },
    /** Leaves the line, or lets the next one lead. */
    leave(): void {
      abort?.abort();
      abort = null;
      isMine = false;
    },
  };
}
