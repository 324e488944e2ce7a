import { z } from 'zod';
import { createStore } from 'zustand/vanilla';
import { authRoutes, setupRoute, setupStateRoute, type LoginResponse } from '../../server/contract/auth.ts';
import type { ProblemCode } from '../../server/contract/problem.ts';
import type { User } from '../../server/contract/users.ts';
import type { Api } from '../api/client.ts';
import { readReply } from '../api/readReply.ts';
import type { Transport } from '../api/transport.ts';
import type { Clock } from '../clock/clock.ts';
import type { TextStorage } from '../platform/platform.ts';
import { createLoader } from '../resources/loader.ts';
import type { Tokens } from './tokens.ts';
import { formats } from '../format/formats.ts';

export type AuthState =
  | { phase: 'starting' }
  /** The server does not answer; tried again by itself. */
  | { phase: 'unreachable'; error: unknown; nextTryAt: number | null }
  /** A new depot: nobody can log in yet. */
  | { phase: 'setup' }
  | {
      phase: 'logged_out';
      /** Why a session ended, when the operator did not end it. */ reason: ProblemCode | null;
    }
  | { phase: 'logged_in'; user: User };

export interface AuthDeps {
  api: Api;
  transport: Transport;
  tokens: Tokens;
  storage: TextStorage;
  clock: Clock;
  /** To the other windows of this browser, whose login this one shares. */
  others: LoginChannel;
}

/** The part of a `BroadcastChannel` that is used here. */
export interface LoginChannel {
  postMessage(message: unknown): void;
  onmessage: ((event: MessageEvent) => void) | null;
}

const loginMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('logged_in') }),
  z.object({ kind: z.literal('logged_out'), session: z.string() }),
]);

/** Set while a session of this browser may live, so that a first visit does not count as a failed try. */
const SESSION_MARK = 'session';

export type Auth = ReturnType<typeof createAuth>;

export function createAuth({ api, transport, tokens, storage, clock, others }: AuthDeps) {
  const store = createStore<{ state: AuthState; depotName: string }>(() => ({
    state: { phase: 'starting' },
    depotName: '',
  }));
  const set = (state: AuthState) => store.setState({ state });

  const loader = createLoader({
    clock,
    read: async (signal) => {
      const depot = await api.request(setupStateRoute, { signal });
      const resumed =
        !depot.setup_needed && storage.read(SESSION_MARK) !== null ? await tokens.resume() : null;
      return { depot, resumed };
    },
    take: ({ depot, resumed }) => {
      store.setState({ depotName: depot.depot_name });
      if (resumed !== null) set({ phase: 'logged_in', user: resumed.user });
      else {
        storage.write(SESSION_MARK, null);
        set(depot.setup_needed ? { phase: 'setup' } : { phase: 'logged_out', reason: null });
      }
    },
    onState: (load) => {
      if (load.phase === 'failed')
        set({ phase: 'unreachable', error: load.error, nextTryAt: load.nextTryAt });
    },
  });

  const say = (message: z.infer<typeof loginMessage>) => others.postMessage(message);

  const enter = (granted: LoginResponse) => {
    tokens.grant(granted);
    storage.write(SESSION_MARK, '1');
    set({ phase: 'logged_in', user: granted.user });
    say({ kind: 'logged_in' });
  };

  const hear = (message: z.infer<typeof loginMessage>) => {
    if (message.kind === 'logged_out') {
      if (message.session === tokens.sessionId()) tokens.end(null);
      return;
    }
    // The cookie is that of the new session. A window that has one of its own keeps it.
    const { phase } = store.getState().state;
    if (phase === 'logged_out' || phase === 'setup') loader.load();
  };

  return {
    store,
    /** Finds out where things stand, and takes up the session of the last visit. */
    start(): () => void {
      others.onmessage = ({ data }) => {
        const given = loginMessage.safeParse(data);
        if (given.success) hear(given.data);
      };
      loader.load();
      return () => {
        others.onmessage = null;
        loader.stop();
      };
    },
    retry: (): void => loader.retry(),
    /** Throws ApiProblem and Unreachable. */
    async login(login: string, password: string): Promise<void> {
      // Without jwt=1: the web login, whose cookie keeps the session over a reload.
      const response = await transport.send(authRoutes.login, { body: { login, password } });
      enter(await readReply(authRoutes.login, response));
    },
    /** Makes the first dealer and logs in as it. Throws ApiProblem and Unreachable. */
    async setup(code: string, login: string, password: string): Promise<void> {
      const { language } = formats.getState();
      const response = await transport.send(setupRoute, { body: { code, login, password, language } });
      enter(await readReply(setupRoute, response));
    },
    async logout(): Promise<void> {
      storage.write(SESSION_MARK, null);
      const ending = api.request(authRoutes.logout);
      const session = tokens.sessionId();
      if (session !== null) say({ kind: 'logged_out', session });
      tokens.end(null);
      // Whether or not the server was reached, this console has forgotten the session.
      await ending.catch(() => undefined);
    },
    /** The session is over by the server's word. */
    ended(reason: ProblemCode | null): void {
      storage.write(SESSION_MARK, null);
      set({ phase: 'logged_out', reason });
    },
  };
}
