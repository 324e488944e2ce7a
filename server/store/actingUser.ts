import { AsyncLocalStorage } from 'node:async_hooks';

const users = new AsyncLocalStorage<string>();

/** Runs what a call of the API does: the reads that come of it take their turns as that user's. */
export function asUser<T>(user_id: string, act: () => T): T {
  return users.run(user_id, act);
}

/** On whose behalf this code runs; undefined: the host's own. */
export function actingUser(): string | undefined {
  return users.getStore();
}
