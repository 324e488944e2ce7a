import { createHash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { ServerResponse } from 'node:http';
import { streamRoute } from '../contract/stream.ts';
import { ApiError } from '../http/apiError.ts';
import type { Api } from '../http/api.ts';
import type { JsonText } from '../http/serializedJson.ts';
import type { Viewer } from '../http/viewer.ts';
import type { ChangeRow } from '../store/telemetry/rows.ts';
import type { Store } from '../store/operations.ts';
import { createCatchUpQueue, createReplayQueue } from './replayQueue.ts';
import { createStreamClient, positionFrames, type StreamClient, type PositionFrame } from './streamClient.ts';
import { createChangeLog, createPositionOrder } from './liveLog.ts';
import { standardStreamLimits, streamToClose, type StreamLimits, type StreamOwner } from './streamLimits.ts';
import { frame, type StreamItem } from './streamItems.ts';

export interface StreamHub {
  addRoute(api: Api): void;
  /** Changes that are stored, in the order of their numbers. */
  publish(items: readonly StreamItem[]): void;
  /** Changes up to this number were stored while nobody listened. */
  advance(seq: number): void;
  /** Vehicles that have a new newest position. */
  publishPositions(vehicleIds: readonly string[]): void;
  /** Ends the streams of a session, or of all sessions of a user whose rights changed. */
  endSession(sessionId: string): void;
  endUser(userId: string): void;
  listeners(): number;
  /** Bytes that were written and that the clients have not taken in. */
  unsentBytes(): number;
  /**
   * Ends all streams; clients reconnect and receive what they missed.
   *
   * @param seq the newest number of the log, whose changes may not have been published
   */
  restart(seq: number): void;
  close(): void;
}

export interface StreamHubDeps {
  store: Pick<Store, 'epoch' | 'lastSeq' | 'changesAfter'>;
  /** The items of past changes, in their order; what no longer exists is published as deleted. */
  itemsOf: (changes: readonly ChangeRow[]) => Promise<StreamItem[]>;
  /** The vehicles that the viewer sees; the same list for as long as nothing changes. */
  visible: (viewer: Viewer) => readonly { vehicle_id: string }[];
  seesVehicle: (viewer: Viewer, vehicleId: string) => boolean;
  hasPosition: (vehicleId: string) => boolean;
  /** A vehicle's newest position as JSON, the same text for all; null: it has none. */
  positionOf: (vehicleId: string) => JsonText | null;
  /** The vehicles that are overdue. */
  overdue: () => ReadonlySet<string>;
  /** How the host does, as this viewer may know it. */
  healthOf: (viewer: Viewer) => object;
  clock: Clock;
  /** Other than the standard ones; for tests and benchmarks. */
  limits?: Partial<HubLimits>;
}

/** What all streams together may cost. */
export interface HubLimits extends StreamLimits {
  /**
   * Written and not taken in by the clients, of all streams together. Beyond, those with the most are closed: who has
   * read nothing for `overBudgetMs`, and whoever it is beyond twice as much.
   */
  unsentBytes: number;
  overBudgetMs: number;
  /** Changes that are still to be sent to some stream, held once for all; a stream that is further behind is closed. */
  behindBytes: number;
  /** A client that takes in nothing for so long is closed, */
  unreadMs: number;
  /** and for so long while it is sent the past: others may wait for its turn. */
  unreadPastMs: number;
  /** Streams that are sent the past at a time, of all and of one user. */
  replays: number;
  replaysPerUser: number;
  /** In so many turns of the event loop one message goes to the streams that begin or are behind. */
  catchUpTurns: number;
}

const standardLimits: HubLimits = {
  ...standardStreamLimits,
  unsentBytes: 64 * 1024 * 1024,
  overBudgetMs: 2_000,
  behindBytes: 32 * 1024 * 1024,
  unreadMs: 60_000,
  unreadPastMs: 10_000,
  replays: 8,
  replaysPerUser: 2,
  catchUpTurns: 4,
};

const heartbeatMs = 15_000;
/** How often it is looked for clients that do not read. */
const lookMs = 5_000;
const replayPage = 1_000;
/** The resources of so many changes are in memory at once for each stream that is sent the past. */
const lookedUpAtOnce = 200;
/** A client that missed more than this fetches the lists again, which is faster for both sides. */
const maxReplayed = 20_000;
/** The same for changes that are read to find the last of each resource. */
const maxRead = 100_000;

export function createStreamHub(deps: StreamHubDeps): StreamHub {
  const { store, clock } = deps;
  const limits = { ...standardLimits, ...deps.limits };
  const open = new Set<StreamClient>();
  const waiting: StreamItem[] = [];
  const changes = createChangeLog();
  const order = createPositionOrder();
  const replays = createReplayQueue({ atOnce: limits.replays, perUser: limits.replaysPerUser });
  const catchUps = createCatchUpQueue(limits.catchUpTurns);
  let stopHeartbeat = (): void => undefined;
  let stopLooking = (): void => undefined;
  let stopShedding = (): void => undefined;
  let isSettling = false;
  /**
   * The highest number that was published. What is stored beyond it is about to be: the resources may not show it yet.
   */
  let publishedSeq = 0;
  let firstSeq: Promise<void> | null = null;
  // The next stream asks again.
  published().catch(() => undefined);

  /** At the start all that is stored was published. */
  async function published(): Promise<number> {
    firstSeq ??= store.lastSeq().then(
      (seq) => raise(seq),
      (error: unknown) => {
        firstSeq = null;
        throw error;
      },
    );
    await firstSeq;
    return publishedSeq;
  }

  function raise(seq: number): void {
    publishedSeq = Math.max(publishedSeq, seq);
  }

  function positionFor(viewer: Viewer, vehicleId: string): JsonText | null {
    const position = deps.positionOf(vehicleId);
    if (position === null) order.forget(vehicleId);
    return position !== null && deps.seesVehicle(viewer, vehicleId) ? position : null;
  }

  /** Names the database and what the viewer may see: after a change of either, numbers from before mean nothing. */
  function epochOf(viewer: Viewer): string {
    const { role, rights, group_ids } = viewer.user;
    const sight = JSON.stringify([store.epoch, role, rights, [...group_ids].sort()]);
    return createHash('sha256').update(sight).digest('hex').slice(0, 16);
  }

  /** The number in an id that this viewer could have been given; null for any other. */
  function numberOf(id: string, viewer: Viewer): number | null {
    const [, epoch, number] = /^(\w+)\.(\d{1,15})$/.exec(id) ?? [];
    return epoch === epochOf(viewer) ? Number(number) : null;
  }

  function flush(): void {
    const items = waiting.splice(0).sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0));
    for (const item of items) {
      changes.add(item);
      if (item.seq !== null) raise(item.seq);
    }
    for (const listener of open) {
      listener.changed();
      if (listener.behindBytes() > limits.behindBytes) close(listener);
    }
  }

  function beat(): void {
    const server_time = new Date(clock.now()).toISOString();
    const text = frame('heartbeat', JSON.stringify({ server_time }), null);
    for (const listener of open) listener.beat(text);
    stopHeartbeat = clock.after(heartbeatMs, beat);
  }

  function look(): void {
    for (const listener of open) {
      const most_ms = listener.isReplaying() ? limits.unreadPastMs : limits.unreadMs;
      if (listener.unread_ms() >= most_ms) close(listener);
    }
    stopLooking = clock.after(lookMs, look);
  }

  /** Once the sockets have had their turn: what a client takes in at once counts for nothing. */
  function settleSoon(): void {
    if (isSettling) return;
    isSettling = true;
    setImmediate(() => {
      isSettling = false;
      shedUnsent(2 * limits.unsentBytes, 0);
      if (hub.unsentBytes() <= limits.unsentBytes) return;
      stopShedding();
      stopShedding = clock.after(limits.overBudgetMs, () =>
        shedUnsent(limits.unsentBytes, limits.overBudgetMs),
      );
    });
  }

  /** Closes those with the most unsent bytes, of those who have read nothing for so long, until few enough are left. */
  function shedUnsent(max: number, unread_ms: number): void {
    const unsent = [...open].map((listener) => ({ listener, bytes: listener.unsentBytes() }));
    let sum = unsent.reduce((bytes, one) => bytes + one.bytes, 0);
    for (const { listener, bytes } of unsent.sort((a, b) => b.bytes - a.bytes)) {
      if (sum <= max) return;
      if (listener.unread_ms() < unread_ms) continue;
      close(listener);
      sum -= bytes;
    }
  }

  function close(listener: StreamClient): void {
    open.delete(listener);
    listener.cut();
  }

  function end(listener: StreamClient): void {
    open.delete(listener);
    listener.end();
  }

  /** To look through all vehicles costs as much as a message of positions. */
  async function turnOf(listener: StreamClient): Promise<void> {
    await new Promise<void>((resolve) => {
      catchUps.add(listener.viewer.user.user_id, () => {
        resolve();
        return !listener.isGone();
      });
    });
  }

  async function sendHead(
    listener: StreamClient,
    id: string | null,
  ): Promise<readonly { vehicle_id: string }[]> {
    await turnOf(listener);
    if (listener.isGone()) return [];
    const visible = listener.wants('position') ? deps.visible(listener.viewer) : [];
    const vehicles = visible.filter((it) => deps.hasPosition(it.vehicle_id)).length;
    const server_time = new Date(clock.now()).toISOString();
    const late = deps.overdue();
    const overdue = visible.flatMap((it) => (late.has(it.vehicle_id) ? it.vehicle_id : []));
    const head = { server_time, vehicles, overdue, health: deps.healthOf(listener.viewer) };
    await listener.begin(frame('snapshot', JSON.stringify(head), id));
    return visible;
  }

  /**
   * The changes up to `upTo` that a listener missed, each resource once in its present form; null when they are not all
   * known.
   */
  async function missed(lastId: string, upTo: number, viewer: Viewer): Promise<ChangeRow[] | null> {
    const from = numberOf(lastId, viewer);
    if (from === null || from > upTo || upTo - from > maxRead) return null;
    const last = new Map<string, ChangeRow>();
    for (let seq = from; ;) {
      const changes = await store.changesAfter({ seq, limit: replayPage });
      if (changes === null || last.size > maxReplayed) return null;
      for (const change of changes) {
        if (change.seq > upTo) break;
        const key = `${change.topic} ${change.resource_id}`;
        const earlier = last.get(key);
        last.delete(key);
        last.set(key, { ...change, visible_to: joined(earlier?.visible_to, change.visible_to) });
      }
      const newest = changes.at(-1);
      if (newest === undefined || newest.seq >= upTo || changes.length < replayPage)
        return [...last.values()];
      seq = newest.seq;
    }
  }

  async function begin(listener: StreamClient, lastId: string | undefined): Promise<void> {
    if (lastId === undefined || numberOf(lastId, listener.viewer) === null) {
      await restartStream(listener, lastId !== undefined);
      return;
    }
    const { turn, giveUp } = replays.enter(listener.viewer.user.user_id);
    const stopWaiting = listener.onGone(giveUp);
    const leave = await turn;
    stopWaiting();
    if (leave === null) return;
    try {
      await replayPast(listener, lastId);
    } finally {
      leave();
    }
  }

  async function restartStream(listener: StreamClient, isReset: boolean): Promise<void> {
    const now = await published();
    if (isReset) {
      const reason = 'what was missed is no longer known';
      await listener.begin(frame('reset', JSON.stringify({ reason }), null));
    }
    listener.goLive(now, await sendHead(listener, `${epochOf(listener.viewer)}.${now}`));
  }

  async function replayPast(listener: StreamClient, lastId: string): Promise<void> {
    const now = await published();
    const past = await missed(lastId, now, listener.viewer);
    if (past === null) {
      await restartStream(listener, true);
      return;
    }
    const visible = await sendHead(listener, null);
    while (past.length > 0 && !listener.isGone()) {
      const items = await deps.itemsOf(past.splice(0, lookedUpAtOnce));
      // What is sent is let go: the JSON of one change can be a megabyte.
      for (let item = items.shift(); item !== undefined; item = items.shift()) await listener.replay(item);
    }
    listener.goLive(now, visible);
  }

  function startTimers(): void {
    stopTimers();
    stopHeartbeat = clock.after(heartbeatMs, beat);
    stopLooking = clock.after(lookMs, look);
  }

  function stopTimers(): void {
    stopHeartbeat();
    stopLooking();
    stopShedding();
  }

  /** Throws when there may be no more streams of this owner. */
  function makeSpace(owner: StreamOwner, response: ServerResponse): void {
    // It would be open for as long as the answers before it take, and its connection's end would not be heard of.
    if (response.socket === null)
      throw new ApiError('validation_failed', 'A stream needs a connection that no other call waits on.');
    const isUnread = (listener: StreamClient) => listener.unread_ms() >= limits.unreadPastMs;
    const other = streamToClose([...open], owner, limits, isUnread);
    if (other !== null) close(other);
  }

  const hub: StreamHub = {
    addRoute(api) {
      api.handle(streamRoute, async ({ query, viewer, address, request, response, log }) => {
        const owner = { sessionId: viewer.session_id, userId: viewer.user.user_id, address };
        if (request.method !== 'HEAD') makeSpace(owner, response);
        response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
        response.flushHeaders();
        if (request.method === 'HEAD') {
          response.end();
          return;
        }
        const listener = createStreamClient({
          response,
          viewer,
          owner,
          topics: query.topics,
          quiet: query.quiet === undefined ? null : query.quiet === 'true',
          epoch: epochOf(viewer),
          changes,
          order,
          positionFor,
          clock,
          onFull: settleSoon,
          catchUp: (write) => catchUps.add(owner.userId, write),
        });
        open.add(listener);
        if (open.size === 1) startTimers();
        const stopExpiry = clock.after(Math.max(0, viewer.expires_ms - clock.now()), () => end(listener));
        const ended = new Promise<void>((resolve) => {
          listener.onGone(() => {
            open.delete(listener);
            if (open.size === 0) stopTimers();
            stopExpiry();
            resolve();
          });
        });
        try {
          await begin(listener, request.get('last-event-id'));
        } catch (error) {
          log.error({ err: error }, 'stream could not start');
          response.destroy();
        }
        await ended;
      });
    },

    publish(items) {
      if (open.size === 0) {
        for (const { seq } of items) if (seq !== null) raise(seq);
        return;
      }
      // Several writes can end in one turn; their numbers must not go out of order, or a listener that is cut off in
      // between would come back with the greater number and miss the smaller.
      if (waiting.length === 0) setImmediate(flush);
      waiting.push(...items);
    },

    advance: raise,

    publishPositions(vehicleIds) {
      if (open.size === 0 || vehicleIds.length === 0) return;
      const came = vehicleIds.map((vehicleId) => ({ vehicleId, number: order.came(vehicleId) }));
      /** Who sees the same is sent the same bytes. */
      const bySight = new Map<string, PositionFrame[]>();
      for (const listener of open) {
        const { viewer, epoch } = listener;
        listener.moved(() => {
          const frames = bySight.get(epoch) ?? positionFrames(came, (id) => positionFor(viewer, id));
          bySight.set(epoch, frames);
          return frames;
        });
      }
    },

    endSession(sessionId) {
      for (const listener of open) if (listener.owner.sessionId === sessionId) end(listener);
    },

    endUser(userId) {
      for (const listener of open) if (listener.owner.userId === userId) end(listener);
    },

    listeners: () => open.size,

    unsentBytes: () => [...open].reduce((sum, it) => sum + it.unsentBytes(), 0),

    restart(seq) {
      raise(seq);
      for (const listener of open) end(listener);
    },

    close() {
      stopTimers();
      for (const listener of open) end(listener);
    },
  };
  return hub;
}

/** Who could see a resource at any time in between; null is nobody beside those who see it now. */
function joined(before: string[] | null | undefined, after: string[] | null): string[] | null {
  if (before === undefined) return after;
  if (before === null || after === null) return before ?? after;
  return [...new Set([...before, ...after])];
}
