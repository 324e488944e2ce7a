import type { z } from 'zod';
import { createStore } from 'zustand/vanilla';
import { Unreachable, isProblem } from '../api/errors.ts';
import { LoggedOut } from '../auth/tokens.ts';
import type { TextStorage } from '../platform/platform.ts';

export interface OutboxDeps<Act, Done> {
  storage: TextStorage;
  /** Where it is kept: an operator's own, as another one at this computer must not send it. */
  key: string;
  /** One act with its id as it is kept, read. */
  kept: z.ZodType<[id: string, act: Act]>;
  keep: (id: string, act: Act) => unknown;
  /** Sends one act. One whose answer was lost is sent again: the server must take it once by its id. */
  send: (id: string, act: Act) => Promise<Done>;
  /** Whether the server knows it by its id: `in_use` says then that it is under way, else that it is refused. */
  isKeyed: (act: Act) => boolean;
  onDone: (done: Done) => void;
  /** The server will not have it: gone, or not allowed. */
  onRefused: (id: string, act: Act, error: unknown) => void;
}

/** Acts that are done at once while the server is there, and kept and sent later, in their order, while it is not. */
export function createOutbox<Act, Done>(deps: OutboxDeps<Act, Done>) {
  const { storage, key, keep } = deps;
  const readKept = (): [string, Act][] => {
    try {
      const list: unknown = JSON.parse(storage.read(key) ?? '[]');
      const read = deps.kept.array().safeParse(list);
      return read.success ? read.data : [];
    } catch {
      return [];
    }
  };
  const store = createStore<{ waiting: ReadonlyMap<string, Act> }>(() => ({ waiting: new Map(readKept()) }));
  store.subscribe(({ waiting }) => {
    const list = [...waiting].map(([id, act]) => keep(id, act));
    storage.write(key, list.length === 0 ? null : JSON.stringify(list));
  });
  /** Done in this window: another one that writes at the same moment does not know of them yet. */
  const own = new Map<string, Act>();
  const takeOthers = () => {
    const waiting = new Map(readKept());
    for (const [id, act] of own) if (!waiting.has(id)) waiting.set(id, act);
    store.setState({ waiting });
  };
  let sending: Promise<void> = Promise.resolve();

  const change = (edit: (waiting: Map<string, Act>) => void) => {
    const waiting = new Map(store.getState().waiting);
    edit(waiting);
    store.setState({ waiting });
  };

  const send = async (id: string): Promise<'sent' | 'kept'> => {
    const { waiting } = store.getState();
    const act = waiting.get(id);
    if (act === undefined) return 'sent';
    try {
      deps.onDone(await deps.send(id, act));
    } catch (error) {
      const isRefused = isProblem(error, 'in_use') && !deps.isKeyed(act);
      if (mayGoLater(error) && !isRefused) return 'kept';
      deps.onRefused(id, act, error);
    }
    own.delete(id);
    change((left) => left.delete(id));
    return 'sent';
  };

  const flush = () => {
    // One after the other: two flushes at once would send the same twice.
    sending = sending.then(async () => {
      for (const id of store.getState().waiting.keys()) if ((await send(id)) === 'kept') return;
    });
    return sending;
  };

  return {
    /** What the server does not have yet, oldest first. */
    store,
    /** Does one; what cannot be sent now is kept, over a reload too, and sent by `flush`. */
    put: (id: string, act: Act): Promise<void> => {
      own.set(id, act);
      change((waiting) => waiting.set(id, act));
      return flush();
    },
    /** Takes over what other windows do while the server is lost. Returns its end. */
    start: () => storage.onWritten(key, takeOthers),
    /** Sends what waits: when the link is back. */
    flush,
  };
}

/** Whether what failed so may be sent again later, as it is. */
export function mayGoLater(error: unknown): boolean {
  return (
    error instanceof Unreachable ||
    error instanceof LoggedOut ||
    isProblem(
      error,
      'rate_limited',
      'unavailable',
      'internal',
      'disk_full',
      // The same act is under way: sent by another window, or before a reload.
      'in_use',
      'session_expired',
      'session_revoked',
    )
  );
}
