import { createHash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { streamRoute } from '../contract/stream.ts';
import type { Position } from '../contract/positions.ts';
import type { Api } from '../http/api.ts';
import type { Viewer } from '../http/viewer.ts';
import type { ChangeRow } from '../store/telemetry/rows.ts';
import type { TelemetryStore } from '../store/telemetry/telemetryStore.ts';
import { createListener, type Listener } from './listener.ts';
import { frame, type StreamItem } from './streamItem.ts';

export interface StreamHub {
  addRoute(api: Api): void;
  /** Changes that are stored, in the order of their numbers. */
  publish(items: readonly StreamItem[]): void;
  publishPositions(positions: readonly Position[]): void;
  /** Ends the streams of a session, or of all sessions of a user whose rights changed. */
  endSession(sessionId: string): void;
  endUser(userId: string): void;
  listeners(): number;
  /** Ends all streams; they come back and are told what they missed. */
  restart(): void;
  close(): void;
}

export interface StreamHubParts {
  store: Pick<TelemetryStore, 'epoch' | 'lastSeq' | 'changesAfter'>;
  /** The items of past changes, in their order; what is no longer there is told as gone. */
  itemsOf: (changes: readonly ChangeRow[]) => Promise<StreamItem[]>;
  snapshot: (viewer: Viewer) => Position[];
  seesVehicle: (viewer: Viewer, vehicleId: string) => boolean;
  clock: Clock;
}

const heartbeatMs = 15_000;
const positionsPerMessage = 500;
const replayPage = 1_000;
/** Who missed more than this reads the lists anew: that is quicker for both sides. */
const mostReplayed = 20_000;

export function createStreamHub(parts: StreamHubParts): StreamHub {
  const { store, clock } = parts;
  const open = new Set<Listener>();
  const waiting: StreamItem[] = [];
  let stopHeartbeat = (): void => undefined;

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
    for (const item of items) for (const listener of open) listener.offer(item);
  }

  function beat(): void {
    const text = frame(
      'heartbeat',
      JSON.stringify({ server_time: new Date(clock.now()).toISOString() }),
      null,
    );
    for (const listener of open) listener.tell(text);
    stopHeartbeat = clock.after(heartbeatMs, beat);
  }

  async function sendSnapshot(listener: Listener, id: string | null): Promise<void> {
    const positions = listener.wants('position') ? parts.snapshot(listener.viewer) : [];
    const head = { server_time: new Date(clock.now()).toISOString(), vehicles: positions.length };
    await listener.begin(frame('snapshot', JSON.stringify(head), id));
    for (let at = 0; at < positions.length && !listener.isGone(); at += positionsPerMessage) {
      const some = positions.slice(at, at + positionsPerMessage);
      await listener.begin(frame('position', JSON.stringify({ positions: some }), null));
    }
  }

  /** The changes that a listener missed, each resource once in its present form; null when they are not all known. */
  async function missed(lastId: string, viewer: Viewer): Promise<ChangeRow[] | null> {
    const from = numberOf(lastId, viewer);
    if (from === null || from > (await store.lastSeq())) return null;
    const last = new Map<string, ChangeRow>();
    for (let seq = from; ;) {
      const changes = await store.changesAfter(seq, replayPage);
      if (changes === null || last.size > mostReplayed) return null;
      for (const change of changes) {
        const key = `${change.topic} ${change.resource_id}`;
        const earlier = last.get(key);
        last.delete(key);
        last.set(key, { ...change, seen_by: joined(earlier?.seen_by, change.seen_by) });
      }
      const newest = changes.at(-1);
      if (newest === undefined || changes.length < replayPage) return [...last.values()];
      seq = newest.seq;
    }
  }

  async function begin(listener: Listener, lastId: string | undefined): Promise<void> {
    const now = await store.lastSeq();
    const idNow = `${epochOf(listener.viewer)}.${now}`;
    if (lastId === undefined) {
      await sendSnapshot(listener, idNow);
      await listener.goLive(now);
      return;
    }
    const changes = await missed(lastId, listener.viewer);
    if (changes === null) {
      await listener.begin(
        frame('reset', JSON.stringify({ reason: 'what was missed is no longer known' }), null),
      );
      await sendSnapshot(listener, idNow);
      await listener.goLive(now);
      return;
    }
    await sendSnapshot(listener, null);
    for (let at = 0; at < changes.length && !listener.isGone(); at += replayPage) {
      for (const item of await parts.itemsOf(changes.slice(at, at + replayPage))) await listener.replay(item);
    }
    await listener.goLive(changes.at(-1)?.seq ?? numberOf(lastId, listener.viewer) ?? 0);
  }

  return {
    addRoute(api) {
      api.handle(streamRoute, async ({ query, viewer, request, response, log }) => {
        response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
        response.flushHeaders();
        if (request.method === 'HEAD') {
          response.end();
          return;
        }
        const listener = createListener(response, viewer, query.topics, epochOf(viewer));
        open.add(listener);
        if (open.size === 1) stopHeartbeat = clock.after(heartbeatMs, beat);
        const stopExpiry = clock.after(Math.max(0, viewer.expires_ms - clock.now()), () => listener.end());
        const ended = new Promise<void>((resolve) => {
          response.on('close', () => {
            open.delete(listener);
            if (open.size === 0) stopHeartbeat();
            stopExpiry();
            resolve();
          });
        });
        try {
          await begin(listener, request.get('last-event-id'));
        } catch (error) {
          log.error({ err: error }, 'a stream could not begin');
          response.destroy();
        }
        await ended;
      });
    },

    publish(items) {
      if (open.size === 0) return;
      // Several writes can end in one turn; their numbers must not go out of order, or a listener that is cut off in
      // between would come back with the greater number and miss the smaller.
      if (waiting.length === 0) setImmediate(flush);
      waiting.push(...items);
    },

    publishPositions(positions) {
      if (open.size === 0 || positions.length === 0) return;
      const texts = positions.map((it) => JSON.stringify(it));
      for (const listener of open) {
        if (!listener.wants('position')) continue;
        const mine = texts.filter((_, at) =>
          parts.seesVehicle(listener.viewer, positions[at]?.vehicle_id ?? ''),
        );
        if (mine.length > 0) listener.tell(frame('position', `{"positions":[${mine.join(',')}]}`, null));
      }
    },

    endSession(sessionId) {
      for (const listener of open) if (listener.viewer.session_id === sessionId) listener.end();
    },

    endUser(userId) {
      for (const listener of open) if (listener.viewer.user.user_id === userId) listener.end();
    },

    listeners: () => open.size,

    restart() {
      for (const listener of open) listener.end();
    },

    close() {
      stopHeartbeat();
      for (const listener of open) listener.end();
    },
  };
}

/** Who could see a resource at any time in between; null is nobody beside those who see it now. */
function joined(before: string[] | null | undefined, after: string[] | null): string[] | null {
  if (before === undefined) return after;
  if (before === null || after === null) return before ?? after;
  return [...new Set([...before, ...after])];
}
