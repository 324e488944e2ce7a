import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { User } from '../../../server/contract/users.ts';
import type { Api } from '../../../server/http/api.ts';
import { ApiError } from '../../../server/http/apiError.ts';
import { createFront } from '../../../server/http/frontServer.ts';
import { jsonText } from '../../../server/http/serializedJson.ts';
import type { ChangeRow, NewChange } from '../../../server/store/telemetry/rows.ts';
import { createStreamHub, type HubLimits, type StreamHub } from '../../../server/stream/streamHub.ts';
import type { StreamItem } from '../../../server/stream/streamItems.ts';
import { createFakeClock, type FakeClock } from '../../support/fakeClock.ts';

/** A hub behind the real front, with the store and the depot made up. */
export interface HubBench {
  hub: StreamHub;
  clock: FakeClock;
  /** Stores a change and publishes it; the text stands in its JSON. */
  change(text: string, resourceId?: string): void;
  /** Stores a change without publishing it; returns what publishes it. */
  store(text: string, resourceId?: string): () => void;
  /** The same for a change of a resource that is looked up elsewhere; returns its row. */
  record(change: NewChange): ChangeRow;
  /** A new newest position of each of these vehicles. */
  move(vehicleIds: readonly string[]): void;
  /** How many readings of the past run, and ran at once at most. */
  reads: { running: number; max: number };
  /** How many positions were put into messages in one turn of the event loop at most. */
  maxPositions(): number;
  /** Holds back what the store answers of the past, until it is let go. */
  holdStore(): () => void;
  /** Answers the newest number that `isHeld` held back, without which no stream begins. */
  letBegin(): void;
  open(who: Who): Promise<StreamClient>;
}

export interface Who {
  user: string;
  session?: string;
  address?: string;
  lastId?: string;
}

export interface StreamClient {
  socket: Socket;
  status: number;
  /** All that has come so far, without the lengths of the chunks. */
  text(): string;
  /** Reads on until this has come. */
  until(wanted: string): Promise<void>;
  isOver(): boolean;
  ended: Promise<void>;
}

const note = 'x'.repeat(400);

export async function openHub(options: {
  vehicles?: number;
  limits?: Partial<HubLimits>;
  isHeld?: boolean;
}): Promise<HubBench> {
  const clock = createFakeClock();
  const vehicles = Array.from({ length: options.vehicles ?? 0 }, (_, at) => ({ vehicle_id: `v${at}` }));
  const moves = new Map(vehicles.map((it) => [it.vehicle_id, 0]));
  const stored: ChangeRow[] = [];
  const reads = { running: 0, max: 0 };
  let held = Promise.resolve();
  let letBegin = (): void => undefined;
  const newestHeld = options.isHeld === true ? new Promise<void>((resolve) => (letBegin = resolve)) : null;
  const positions = { turn: 0, max: 0 };
  const hub = createStreamHub({
    store: {
      epoch: 'made up',
      async lastSeq() {
        await newestHeld;
        return stored.length;
      },
      async changesAfter({ seq, limit }) {
        reads.running += 1;
        reads.max = Math.max(reads.max, reads.running);
        await held;
        reads.running -= 1;
        return stored.slice(seq, seq + limit);
      },
    },
    itemsOf: (rows) => Promise.resolve(rows.map(itemOf)),
    visible: () => vehicles,
    overdue: () => new Set(),
    healthOf: () => ({ status: 'ok', reasons: [] }),
    seesVehicle: () => true,
    hasPosition: (id) => moves.has(id),
    positionOf(id) {
      if (positions.turn === 0) setImmediate(() => (positions.turn = 0));
      positions.turn += 1;
      positions.max = Math.max(positions.max, positions.turn);
      return jsonText(JSON.stringify({ vehicle_id: id, move: moves.get(id), note }));
    },
    clock,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  });
  const texts = new Map<string, string>();
  function itemOf({ seq, resource_id }: ChangeRow): StreamItem {
    return {
      topic: 'rule',
      seq,
      json: () => JSON.stringify(texts.get(resource_id)),
      sees: () => true,
      gone: null,
    };
  }

  function record(change: NewChange): ChangeRow {
    const row = { ...change, seq: stored.length + 1, at_ms: clock.now() };
    stored.push(row);
    return row;
  }

  function store(text: string, resourceId = `r${stored.length}`): () => void {
    const row = record({ topic: 'rule', resource_id: resourceId, visible_to: null });
    texts.set(resourceId, text);
    return () => hub.publish([itemOf(row)]);
  }

  let answer: Parameters<Api['handle']>[1] = () => undefined;
  hub.addRoute({ handle: (_route: never, given: never) => (answer = given) } as unknown as Api);
  const server = createServer((request, response: ServerResponse) => {
    const { user = '', session = user, address = '127.0.0.1' } = request.headers as Record<string, string>;
    const call = {
      query: {},
      viewer: { user: userOf(user), session_id: session, expires_ms: clock.now() + 1_800_000 },
      address,
      request: { method: request.method, get: (name: string) => request.headers[name] },
      response,
      log: { error: () => undefined },
    };
    Promise.resolve()
      .then(() => answer(call as never))
      .catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        response.writeHead(error.code === 'too_many_streams' ? 429 : 400, error.headers);
        response.end(error.message);
      });
  });
  const front = createFront(server);
  const { port } = await front.listen(0, '127.0.0.1');
  onTestFinished(async () => {
    hub.close();
    await front.close(0);
  });

  return {
    hub,
    clock,
    reads,
    maxPositions: () => positions.max,
    change: (text, resourceId) => store(text, resourceId)(),
    store,
    record,
    move(vehicleIds) {
      for (const id of vehicleIds) moves.set(id, (moves.get(id) ?? 0) + 1);
      hub.publishPositions(vehicleIds);
    },
    holdStore() {
      let letGo = (): void => undefined;
      held = new Promise((resolve) => (letGo = resolve));
      return letGo;
    },
    letBegin,
    open: (who) => openClient(port, who),
  };
}

async function openClient(port: number, { user, session, address, lastId }: Who): Promise<StreamClient> {
  const socket = connect({ port, host: '127.0.0.1' });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  const fields = { user, session, address, 'last-event-id': lastId };
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  );
  let received = '';
  let isOver = false;
  let wake = (): void => undefined;
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
    wake();
  });
  const ended = new Promise<void>((resolve) => {
    socket.once('close', () => {
      isOver = true;
      wake();
      resolve();
    });
  });
  await once(socket, 'connect');
  socket.write(['GET / HTTP/1.1', 'Host: hub', ...lines, '', ''].join('\r\n'));
  async function until(wanted: string): Promise<void> {
    socket.resume();
    let searched = 0;
    while (!received.includes(wanted, searched)) {
      searched = Math.max(0, received.length - wanted.length);
      if (isOver) throw new Error(`the stream ended without ${wanted}`);
      await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  await until('\r\n\r\n');
  // From here on it reads nothing unless it is asked to.
  socket.pause();
  return {
    socket,
    status: Number(received.slice(9, 12)),
    text: () => received.replaceAll(/\r\n[0-9a-f]+\r\n/g, ''),
    until,
    isOver: () => isOver,
    ended,
  };
}

function userOf(user_id: string): User {
  return {
    user_id,
    login: user_id,
    name: null,
    email: null,
    role: 'dealer',
    rights: {
      vehicles: 'write',
      geofences: 'write',
      notifications: 'write',
      reports: 'write',
      video: 'write',
    },
    group_ids: [],
    blocked: false,
    version: 1,
    created_at: '2026-03-01T08:00:00.000Z',
    updated_at: '2026-03-01T08:00:00.000Z',
  };
}
