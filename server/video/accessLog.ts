import type { Logger } from 'pino';
import type { Access } from '../contract/video.ts';
import type { Store } from '../store/operations.ts';

/** A player asks for a video in parts, and again after a pause: within this time it is one reading. */
const sameReadingMs = 10 * 60_000;

export interface AccessLogDeps {
  store: Pick<Store, 'saveAccess' | 'accessOf'>;
  /** Null once the user is gone. */
  loginOf: (userId: string) => string | null;
  clock: { now(): number };
  log: Logger;
}

/** The access log of videos. No caller waits for the write; a failed write is logged. */
export type AccessLog = ReturnType<typeof createAccessLog>;

export function createAccessLog({ store, loginOf, clock, log }: AccessLogDeps) {
  /** When each reading of late began, by task and user, oldest first. */
  const readings = new Map<string, number>();
  const writing = new Set<Promise<void>>();

  function write(rows: Parameters<Store['saveAccess']>[0], undo: () => void): void {
    const written: Promise<void> = store
      .saveAccess(rows)
      .catch((error: unknown) => {
        undo();
        log.error({ err: error, tasks: rows.map((it) => it.task_id) }, 'video access was not logged');
      })
      .finally(() => writing.delete(written));
    writing.add(written);
  }

  function dropExpired(now_ms: number): void {
    for (const [key, began_ms] of readings) {
      if (now_ms - began_ms < sameReadingMs) return;
      readings.delete(key);
    }
  }

  return {
    read(task_id: string, user_id: string): void {
      const at_ms = clock.now();
      dropExpired(at_ms);
      const key = `${task_id} ${user_id}`;
      const began_ms = readings.get(key);
      // A clock that was put back must not silence the record.
      if (began_ms !== undefined && began_ms <= at_ms) return;
      readings.delete(key);
      readings.set(key, at_ms);
      write([{ task_id, user_id, action: 'read', at_ms }], () => readings.delete(key));
    },

    exported(taskIds: readonly string[], user_id: string): void {
      const at_ms = clock.now();
      write(
        taskIds.map((task_id) => ({ task_id, user_id, action: 'exported', at_ms })),
        () => undefined,
      );
    },

    /** Newest first, with all that was noted before the call. */
    async of(taskId: string): Promise<Access[]> {
      await Promise.all(writing);
      const rows = await store.accessOf(taskId);
      return rows.map(({ user_id, action, at_ms }) => ({
        user_id,
        login: loginOf(user_id),
        action,
        at: new Date(at_ms).toISOString(),
      }));
    },

    /** Waits for what is being written. */
    async close(): Promise<void> {
      await Promise.all(writing);
    },
  };
}
