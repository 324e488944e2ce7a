import { createStore } from 'zustand/vanilla';
import {
  type CommandKind,
  type TerminalCommand,
  terminalCommandRoutes,
} from '../../server/contract/terminalCommands.ts';
import { type Api, newIdempotencyKey } from '../api/client.ts';
import { isAbort } from '../api/errors.ts';
import type { Clock } from '../clock/clock.ts';
import { createLoader } from '../resources/loader.ts';
import type { LoadState } from '../resources/resourceStore.ts';
import type { FleetStream } from '../stream/fleetStream.ts';

/** How long a command waits for a terminal that is off line. */
export const commandWaitS = 86_400;
const pageSize = 30;

export interface CommandFilter {
  kind: CommandKind;
  /** Null for every kind but `text`. */
  text: string | null;
}

export interface CommandFeedState {
  /** Newest first. */
  commands: readonly TerminalCommand[];
  load: LoadState;
  /** What is older than the last of them. */
  older: 'none' | 'some' | 'reading' | 'failed';
}

export interface CommandFeedDeps {
  api: Api;
  clock: Clock;
  stream: Pick<FleetStream, 'on' | 'onLink'>;
}

/** The commands of one vehicle’s terminal, kept current by the stream while they are shown. */
export type CommandFeed = ReturnType<typeof createCommandFeed>;

export function createCommandFeed({ api, clock, stream }: CommandFeedDeps, vehicleId: string) {
  const store = createStore<CommandFeedState>(() => ({
    commands: [],
    load: { phase: 'loading' },
    older: 'none',
  }));
  const params = { vehicle: vehicleId };
  let known = new Map<string, TerminalCommand>();
  /** When each was last updated, counted: a page that was requested before that is older. */
  const shownAt = new Map<string, number>();
  let changes = 0;
  let cursor: string | null = null;
  let olderPage: AbortController | null = null;
  /**
   * What may have been taken in, unheard: a refusal of a later try does not say that the first one was not. To what was
   * not taken in its key does no harm.
   */
  let unheard: { filter: CommandFilter; key: string } | null = null;

  const show = () => store.setState({ commands: [...known.values()].sort(byNewest) });

  const notify = (id: string, command: TerminalCommand | null) => {
    shownAt.set(id, ++changes);
    if (command === null) known.delete(id);
    else known.set(id, command);
    show();
  };

  /** The response of a call, unless a newer update came since. */
  const announceResponse = (command: TerminalCommand, since: number) => {
    if (!isPublished(command.command_id, since)) notify(command.command_id, command);
  };

  const isPublished = (id: string, since: number) => (shownAt.get(id) ?? 0) > since;

  const readPage = async (from: string | null, signal: AbortSignal) => {
    const since = changes;
    const { items, next_cursor } = await api.request(terminalCommandRoutes.list, {
      params,
      query: { limit: pageSize, ...(from === null ? {} : { cursor: from }) },
      signal,
    });
    return { items: items.filter((it) => !isPublished(it.command_id, since)), next_cursor, since };
  };

  const takePage = (items: readonly TerminalCommand[], next: string | null) => {
    for (const it of items) known.set(it.command_id, it);
    cursor = next;
    store.setState({ older: next === null ? 'none' : 'some' });
    show();
  };

  const loader = createLoader({
    clock,
    read: (signal) => {
      olderPage?.abort();
      return readPage(null, signal);
    },
    take({ items, next_cursor, since }) {
      // One that was asked for meanwhile goes on from where the list ended before.
      olderPage?.abort();
      known = new Map([...known].filter(([id]) => isPublished(id, since)));
      takePage(items, next_cursor);
    },
    onState: (load) => store.setState({ load }),
  });

  return {
    store,
    /** Reads at once when the last reading failed. */
    retry: (): void => loader.retry(),
    readOlder(): void {
      const { older } = store.getState();
      if (older !== 'some' && older !== 'failed') return;
      const current = new AbortController();
      olderPage = current;
      store.setState({ older: 'reading' });
      readPage(cursor, current.signal).then(
        ({ items, next_cursor }) => {
          if (!current.signal.aborted) takePage(items, next_cursor);
        },
        (error: unknown) => {
          if (!current.signal.aborted && !isAbort(error)) store.setState({ older: 'failed' });
        },
      );
    },
    /**
     * Sends a command to the terminal. Until it is known to be accepted, the same one again is the same command to the
     * server, which sends it once. Throws ApiProblem, Unreachable.
     */
    async send(filter: CommandFilter): Promise<void> {
      const current =
        unheard !== null && isSame(unheard.filter, filter) ? unheard : { filter, key: newIdempotencyKey() };
      const since = changes;
      unheard = current;
      const body = { ...filter, expires_in_s: commandWaitS };
      const sent = await api.request(terminalCommandRoutes.send, {
        params,
        body,
        idempotencyKey: current.key,
      });
      if (unheard === current) unheard = null;
      announceResponse(sent, since);
    },
    /** Takes one back that waits. Throws ApiProblem (`in_use` when it was sent meanwhile), Unreachable. */
    async cancel(command_id: string): Promise<void> {
      const since = changes;
      announceResponse(
        await api.request(terminalCommandRoutes.cancel, { params: { ...params, command_id } }),
        since,
      );
    },
    /** Begins to listen and to read; returns its end. */
    start(): () => void {
      // Listened to first: what comes while the page is on its way must not be missed.
      const undo = [
        stream.on('command', (message) => {
          if ('deleted' in message) notify(message.command_id, null);
          else if (message.vehicle_id === vehicleId) notify(message.command_id, message);
        }),
        stream.on('reset', () => loader.load()),
        stream.onLink(({ phase }) => {
          if (phase === 'live') loader.retry();
        }),
      ];
      loader.load();
      return () => {
        undo.forEach((run) => run());
        olderPage?.abort();
        loader.stop();
      };
    },
  };
}

const isSame = (a: CommandFilter, b: CommandFilter): boolean => a.kind === b.kind && a.text === b.text;

/** Two of the same moment stand by their ids, so that they do not change places. */
function byNewest(a: TerminalCommand, b: TerminalCommand): number {
  if (a.created_at === b.created_at) return a.command_id < b.command_id ? 1 : -1;
  return a.created_at < b.created_at ? 1 : -1;
}

/** Nothing more becomes of it. */
export function isOver({ status }: Pick<TerminalCommand, 'status'>): boolean {
  return status !== 'queued' && status !== 'sent';
}

/** What was asked for did not happen, or it is not known whether it did. */
export function isTrouble({ status }: Pick<TerminalCommand, 'status'>): boolean {
  return status === 'failed' || status === 'expired';
}

/** It may be worth another try just as it was. */
export function isWorthAnotherTry({ status, error }: Pick<TerminalCommand, 'status' | 'error'>): boolean {
  return status === 'expired' || (status === 'failed' && error?.code === 'no_response');
}
