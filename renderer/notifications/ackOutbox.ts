import { z } from 'zod';
import { createStore } from 'zustand/vanilla';
import { notificationRoutes, type Notification } from '../../server/contract/notifications.ts';
import type { Api } from '../api/client.ts';
import type { Translate } from '../i18n/text.ts';
import type { TextStorage } from '../platform/platform.ts';
import { mayGoLater } from '../resources/outbox.ts';

const cached = z.array(z.object({ id: z.string(), note: z.string().nullable() }));
type Kept = z.infer<typeof cached>[number];

/** Sent in one call: as many as one sees progress by. */
const AT_ONCE = 200;

/** What became of acknowledgements that were sent together. */
export interface AckSummary {
  /** How many were sent. */
  total: number;
  /** Acknowledged by somebody else before. */
  already: number;
  /** Gone, or out of sight. */
  notFound: number;
}

export interface AckOutboxDeps {
  api: Api;
  storage: TextStorage;
  /** Whose acknowledgements these are: another operator at this computer must not send them. */
  userId: string;
  onDone: (notifications: readonly Notification[]) => void;
  /** Everything that waited was sent. */
  onSent: (summary: AckSummary) => void;
  /** The server will not have these: not allowed. */
  onRefused: (error: unknown) => void;
}

interface Outbox {
  /** Acknowledgements that the server does not have yet, with their notes, oldest first. */
  waiting: ReadonlyMap<string, string | null>;
  /** How far a long sending has come; null while none is under way. */
  progress: { sent: number; total: number } | null;
}

export function createAckOutbox({ api, storage, userId, onDone, onSent, onRefused }: AckOutboxDeps) {
  const key = `acknowledged.${userId}`;
  const store = createStore<Outbox>(() => ({ waiting: readWaiting(), progress: null }));
  store.subscribe(({ waiting }, before) => {
    if (waiting === before.waiting) return;
    const list: Kept[] = [...waiting].map(([id, note]) => ({ id, note }));
    storage.write(key, list.length === 0 ? null : JSON.stringify(list));
  });
  /** Acknowledged in this window: another one that writes at the same moment does not know of them yet. */
  const own = new Map<string, string | null>();
  const takeOthers = () => {
    const waiting = readWaiting();
    for (const [id, note] of own) if (!waiting.has(id)) waiting.set(id, note);
    store.setState({ waiting });
  };
  let sending: Promise<void> = Promise.resolve();

  function readWaiting(): Map<string, string | null> {
    return new Map(readKept(storage.read(key)).map(({ id, note }) => [id, note]));
  }

  function settle(ids: readonly string[]): void {
    const waiting = new Map(store.getState().waiting);
    for (const id of ids) {
      own.delete(id);
      waiting.delete(id);
    }
    store.setState({ waiting });
  }

  /** Those at the head of the queue that have one note. */
  function nextBatch(): { ids: string[]; note: string | null } | null {
    const [first, ...others] = store.getState().waiting;
    if (first === undefined) return null;
    const [firstId, note] = first;
    const ids = [firstId];
    for (const [id, its] of others) {
      if (its !== note || ids.length === AT_ONCE) break;
      ids.push(id);
    }
    return { ids, note };
  }

  async function sendAll(): Promise<void> {
    const summary: AckSummary = { total: 0, already: 0, notFound: 0 };
    for (let batch = nextBatch(); batch !== null; batch = nextBatch()) {
      const { ids, note } = batch;
      const left = store.getState().waiting.size;
      if (summary.total + left > AT_ONCE)
        store.setState({ progress: { sent: summary.total, total: summary.total + left } });
      try {
        const { results } = await api.request(notificationRoutes.ackMany, {
          body: { notification_ids: ids, note },
        });
        summary.total += ids.length;
        for (const { result, notification } of results) {
          if (result === 'not_found') summary.notFound++;
          // One that was sent before, whose answer was lost, is this user's own.
          else if (result === 'already_acknowledged' && notification?.ack?.user_id !== userId)
            summary.already++;
        }
        onDone(results.flatMap(({ notification }) => notification ?? []));
      } catch (error) {
        if (mayGoLater(error)) break;
        onRefused(error);
      }
      settle(ids);
    }
    store.setState({ progress: null });
    if (summary.total > 0) onSent(summary);
  }

  const flush = () => {
    // One after the other: two flushes at once would send the same twice.
    sending = sending.then(sendAll);
    return sending;
  };

  return {
    store,
    /** Acknowledges with one note; what cannot be sent now is kept, over a reload too, and sent by `flush`. */
    acknowledge(ids: readonly string[], note: string | null): Promise<void> {
      const waiting = new Map(store.getState().waiting);
      for (const id of ids) {
        if (waiting.has(id)) continue;
        own.set(id, note);
        waiting.set(id, note);
      }
      store.setState({ waiting });
      return flush();
    },
    /** Takes over what other windows acknowledge while the server is lost. Returns its end. */
    start: () => storage.onWritten(key, takeOthers),
    /** Sends what waits: when the link is back. */
    flush,
  };
}

export type AckOutbox = ReturnType<typeof createAckOutbox>;

/** What has to be said of acknowledgements that were sent together; null when all of them count. */
export function ackSummaryText({ total, already, notFound }: AckSummary, t: Translate): string | null {
  // Of a single one its row says who had it.
  if (already + notFound === 0 || (total === 1 && notFound === 0)) return null;
  return [
    t('queue.ack_sent', { count: total - already - notFound }),
    already > 0 ? t('queue.ack_already', { count: already }) : '',
    notFound > 0 ? t('queue.ack_not_found', { count: notFound }) : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function readKept(text: string | null): Kept[] {
  try {
    const parsed = cached.safeParse(JSON.parse(text ?? '[]'));
    return parsed.success ? parsed.data : [];
  } catch {
    return [];
  }
}
