import { z } from 'zod';
import { createStore } from 'zustand/vanilla';
import { notificationRoutes, type Notification } from '../../server/contract/notifications.ts';
import type { Api } from '../api/client.ts';
import { Unreachable, isProblem } from '../api/errors.ts';
import { LoggedOut } from '../auth/tokens.ts';
import type { TextStorage } from '../platform/platform.ts';

const cached = z.array(z.object({ id: z.string(), note: z.string().nullable() }));
type Kept = z.infer<typeof cached>[number];

export interface AckOutboxDeps {
  api: Api;
  storage: TextStorage;
  /** Whose acknowledgements these are: another operator at this computer must not send them. */
  userId: string;
  onDone: (notification: Notification) => void;
  /** The server will not have it: gone, or not allowed. */
  onRefused: (notificationId: string, error: unknown) => void;
}

export function createAckOutbox({ api, storage, userId, onDone, onRefused }: AckOutboxDeps) {
  const key = `acknowledged.${userId}`;
  const store = createStore<{ waiting: ReadonlyMap<string, string | null> }>(() => ({
    waiting: new Map(readKept(storage.read(key)).map(({ id, note }) => [id, note])),
  }));
  store.subscribe(({ waiting }) => {
    const list: Kept[] = [...waiting].map(([id, note]) => ({ id, note }));
    storage.write(key, list.length === 0 ? null : JSON.stringify(list));
  });
  /** Acknowledged in this window: another one that writes at the same moment does not know of them yet. */
  const own = new Map<string, string | null>();
  const takeOthers = () => {
    const waiting = new Map(readKept(storage.read(key)).map(({ id, note }) => [id, note]));
    for (const [id, note] of own) if (!waiting.has(id)) waiting.set(id, note);
    store.setState({ waiting });
  };
  let sending: Promise<void> = Promise.resolve();

  const change = (edit: (waiting: Map<string, string | null>) => void) => {
    const waiting = new Map(store.getState().waiting);
    edit(waiting);
    store.setState({ waiting });
  };

  const send = async (id: string): Promise<'sent' | 'kept'> => {
    const note = store.getState().waiting.get(id);
    if (note === undefined) return 'sent';
    try {
      const done = await api.request(notificationRoutes.ack, {
        params: { notification_id: id },
        body: { note },
      });
      onDone(done);
    } catch (error) {
      if (mayGoLater(error)) return 'kept';
      onRefused(id, error);
    }
    own.delete(id);
    change((waiting) => waiting.delete(id));
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
    /** Acknowledgements that the server does not have yet, with their notes, oldest first. */
    store,
    /** Acknowledges; what cannot be sent now is kept, over a reload too, and sent by `flush`. */
    acknowledge(id: string, note: string | null): Promise<void> {
      own.set(id, note);
      change((waiting) => waiting.set(id, note));
      return flush();
    },
    /** Takes over what other windows acknowledge while the server is lost. Returns its end. */
    start: () => storage.onWritten(key, takeOthers),
    /** Sends what waits: when the link is back. */
    flush,
  };
}

export type AckOutbox = ReturnType<typeof createAckOutbox>;

function mayGoLater(error: unknown): boolean {
  return (
    error instanceof Unreachable ||
    error instanceof LoggedOut ||
    isProblem(
      error,
      'rate_limited',
      'unavailable',
      'internal',
      'disk_full',
      'session_expired',
      'session_revoked',
    )
  );
}

function readKept(text: string | null): Kept[] {
  try {
    const parsed = cached.safeParse(JSON.parse(text ?? '[]'));
    return parsed.success ? parsed.data : [];
  } catch {
    return [];
  }
}
