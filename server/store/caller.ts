import { AsyncLocalStorage } from 'node:async_hooks';

/** The user who makes a call of the API. */
export interface Caller {
  user_id: string;
  login: string;
  address: string;
  request_id: string;
}

/** Who acts when a command on the host's machine does; stands as the actor in the change log. */
export const hostMachine: Caller = {
  user_id: 'host-machine',
  login: 'host machine',
  address: 'local',
  request_id: 'local',
};

const callers = new AsyncLocalStorage<Caller>();

/** Runs what a call of the API does: the store is called on behalf of its user, whose turn the reads take. */
export function asCaller<T>(caller: Caller, act: () => T): T {
  return callers.run(caller, act);
}

/** On whose behalf this code runs; null: the host's own. */
export function currentCaller(): Caller | null {
  return callers.getStore() ?? null;
}
