import { useEffect } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { isAbort } from '../api/errors.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import type { Clock } from '../clock/clock.ts';
import { createLoader } from '../resources/loader.ts';
import type { LoadState } from '../resources/resourceStore.ts';
import { useRetryKey } from '../ui/RetryButton.tsx';

/** A row with the moment that it was listed by: one that repeats stays where it is read. */
export interface Listed<T> {
  id: string;
  /** RFC 3339. */
  at: string;
  item: T;
}

export interface PagedState<T> {
  /** Newest first. */
  rows: readonly Listed<T>[];
  /** Of the first page. */
  load: LoadState;
  /** What came by the stream and waits to be shown, newest first. */
  fresh: readonly Listed<T>[];
  /** `paused`: much was looked through, and more only when asked. */
  rest: 'none' | 'some' | 'reading' | 'failed' | 'paused';
}

export interface PagedDeps<T> {
  clock: Clock;
  idOf: (item: T) => string;
  timeOf: (item: T) => string;
  /** Whether it belongs to the list: for rows that the server did not filter, and for those of the stream. */
  accepts: (item: T) => boolean;
  /** One page, newest first; throws as the client does. */
  read: (
    cursor: string | undefined,
    signal: AbortSignal,
  ) => Promise<{ items: T[]; next_cursor: string | null }>;
}

/** Pages that are looked through for one reading before it pauses: a rare thing may be far back. */
const PAGES_AT_ONCE = 10;
/** What a list that is open for weeks holds of all that came: of more the newest wait, and it is read anew to show them. */
const MOST_FROM_STREAM = 2_000;
/** So many rows are enough to fill a screen and scroll. */
const ENOUGH_ROWS = 60;

/** A list that is read page after page as one scrolls, and does not move under the reader. */
export function createPagedList<T>(deps: PagedDeps<T>) {
  const { idOf, timeOf, accepts, read } = deps;
  const store = createStore<PagedState<T>>(() => ({
    rows: [],
    load: { phase: 'loading' },
    fresh: [],
    rest: 'none',
  }));
  let cursor: string | undefined;
  let abort: AbortController | null = null;
  const listed = (item: T): Listed<T> => ({ id: idOf(item), at: timeOf(item), item });

  /** Reads on from `from` until there is enough to show. */
  async function readOn(from: string | undefined, signal: AbortSignal) {
    const found: Listed<T>[] = [];
    let next = from;
    for (let page = 0; page < PAGES_AT_ONCE; page += 1) {
      const answer = await read(next, signal);
      found.push(...answer.items.filter(accepts).map(listed));
      next = answer.next_cursor ?? undefined;
      if (next === undefined || found.length >= ENOUGH_ROWS) return { found, next, isPaused: false };
    }
    return { found, next, isPaused: true };
  }

  const first = createLoader({
    clock: deps.clock,
    read: (signal) => readOn(undefined, signal),
    take({ found, next, isPaused }) {
      cursor = next;
      const visible = store.getState().fresh;
      store.setState({
        // Messages of the stream that came while the page was loading are part of it.
        rows: merged(found, visible),
        fresh: [],
        rest: restOf(next, isPaused),
      });
    },
    onState: (load) => store.setState({ load }),
  });

  function load(): void {
    abort?.abort();
    first.load();
  }

  return {
    store,
    /** Reads from the beginning. */
    load,
    retry: () => first.retry(),
    /** Reads on when the end comes near; with `retry` also after a failure or a pause. */
    more(retry = false) {
      const { rest } = store.getState();
      if (rest !== 'some' && !(retry && (rest === 'failed' || rest === 'paused'))) return;
      const current = new AbortController();
      abort = current;
      store.setState({ rest: 'reading' });
      readOn(cursor, current.signal).then(
        ({ found, next, isPaused }) => {
          if (current.signal.aborted) return;
          cursor = next;
          store.setState(({ rows }) => ({ rows: merged(rows, found), rest: restOf(next, isPaused) }));
        },
        (error: unknown) => {
          if (!current.signal.aborted && !isAbort(error)) store.setState({ rest: 'failed' });
        },
      );
    },
    /** Takes a message of the stream: a visible row is updated, a new one waits. */
    take(item: T) {
      const id = idOf(item);
      const renew = (list: readonly Listed<T>[]) =>
        list.map((row) => (row.id === id ? { ...row, item } : row));
      store.setState(({ rows, fresh, rest }) => {
        if (rows.some((row) => row.id === id)) return { rows: renew(rows) };
        if (fresh.some((row) => row.id === id)) return { fresh: renew(fresh) };
        // What is older than all that was read comes with its page.
        const last = rest === 'none' ? undefined : rows.at(-1);
        if (last !== undefined && timeOf(item) < last.at) return {};
        return accepts(item) ? { fresh: merged([listed(item)], fresh).slice(0, MOST_FROM_STREAM) } : {};
      });
    },
    /** Takes a row out that is not there any more, or not for this user. */
    drop(id: string) {
      const without = (list: readonly Listed<T>[]) =>
        list.some((row) => row.id === id) ? list.filter((row) => row.id !== id) : list;
      store.setState(({ rows, fresh }) => ({ rows: without(rows), fresh: without(fresh) }));
    },
    showFresh() {
      const { rows, fresh } = store.getState();
      if (rows.length + fresh.length < MOST_FROM_STREAM) {
        store.setState({ rows: merged(rows, fresh), fresh: [] });
        return;
      }
      store.setState({ fresh: [] });
      load();
    },
    stop() {
      abort?.abort();
      first.stop();
    },
  };
}

export type PagedList<T> = ReturnType<typeof createPagedList<T>>;

const restOf = (next: string | undefined, isPaused: boolean): PagedState<unknown>['rest'] =>
  next === undefined ? 'none' : isPaused ? 'paused' : 'some';

/** Both, each once, newest first; what is in `a` holds. */
function merged<T>(a: readonly Listed<T>[], b: readonly Listed<T>[]): Listed<T>[] {
  const ids = new Set(a.map((row) => row.id));
  return [...a, ...b.filter((row) => !ids.has(row.id))].sort((x, y) =>
    x.at === y.at ? (x.id < y.id ? 1 : -1) : x.at < y.at ? 1 : -1,
  );
}

/** Reads a list while it is shown, again after the stream has lost its thread, and lets `R` try again. */
export function usePagedList<T>(
  list: PagedList<T>,
  listen: (take: (item: T) => void) => () => void,
): PagedState<T> {
  const { stream } = useAppContext();
  useEffect(() => {
    // Listened to first: what comes while the page is on its way must not be missed.
    const undo = [
      listen((item) => list.take(item)),
      stream.on('reset', () => list.load()),
      stream.onLink(({ phase }) => {
        if (phase === 'live') list.retry();
      }),
    ];
    list.load();
    return () => {
      undo.forEach((run) => run());
      list.stop();
    };
  }, [list, listen, stream]);
  const state = useStore(list.store);
  // Where rows are there, nothing else says that the newest could not be read.
  useRetryKey(state.load.phase === 'failed' ? () => list.retry() : null);
  return state;
}
