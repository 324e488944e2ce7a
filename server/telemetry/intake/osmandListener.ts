import { terminalKey } from '../../contract/sameKeys.ts';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SpeedUnit } from '../protocols/osmand/osmandValues.ts';
import type { Accept } from '../terminalReport.ts';
import {
  createListenerContext,
  type MonitoredListener,
  type Backlog,
  type ConnectionTakeover,
} from './listenerContext.ts';
import type { IntakeDeps } from './protocolHandler.ts';
import { noteUnreadable } from './intakeMessage.ts';
import { withReason } from './wrongPort.ts';
import { listenOn } from './listener.ts';
import { answerRequest, reply } from './osmandRequests.ts';
import { limitConnections, type Prove, createUnreadWatch } from './limitConnections.ts';

interface OsmandDeps extends IntakeDeps {
  speedUnit: () => SpeedUnit;
}

const name = 'osmand';
/** How often it is looked for requests that do not get on, at least. */
const maxLookMs = 5_000;
/** Phones keep their connection for the next point, a minute later at most. */
const keptMs = 65_000;

/** The intake for OsmAnd-protocol trackers and the Traccar Client app. Rejects when the port cannot be had. */
export async function listenOsmand(
  port: number,
  host: string,
  given: OsmandDeps,
): Promise<MonitoredListener> {
  const { speedUnit, ...intake } = given;
  const listener = createListenerContext(name, intake);
  const { clock, errorLogLimit, limits, log, rejections } = listener;
  /** What was handed in and waits for its outcome, and the connection that it came by. */
  const underWay = new Map<ServerResponse, Socket>();

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const accept: Accept = async (reports, origin) => {
      underWay.set(response, request.socket);
      try {
        const outcomes = await listener.accept(reports, origin);
        for (const [at, { status }] of outcomes.entries())
          if (status !== 'unknown' && status !== 'failed')
            open.get(request.socket)?.speaks(reports[at]?.terminal_id ?? '');
        return outcomes;
      } finally {
        underWay.delete(response);
      }
    };
    const turn = await open.get(request.socket)?.pace.enter();
    // The connection may be over before a request of it is looked at.
    if (turn === undefined || turn === null) return;
    const { isTaken } = turn;
    try {
      if (!request.socket.destroyed)
        await answerRequest(request, response, { ...listener, accept, speedUnit, isTaken });
    } finally {
      turn.leave();
    }
  }

  const server = createServer(
    {
      // Of a connection that says nothing at all, too.
      requestTimeout: limits.incompleteMessageTimeoutMs,
      headersTimeout: limits.incompleteMessageTimeoutMs,
      connectionsCheckingInterval: Math.min(limits.incompleteMessageTimeoutMs, maxLookMs),
      keepAliveTimeout: keptMs,
      maxHeaderSize: 16_384,
    },
    (request, response) => {
      if (!server.listening) response.shouldKeepAlive = false;
      serve(request, response).catch((error: unknown) => {
        if (request.destroyed && !request.complete) {
          log.debug('osmand connection closed before the request was complete');
          return;
        }
        const left = errorLogLimit();
        if (left !== null) log.error({ err: error, ...left }, 'osmand request failed');
        if (response.headersSent) response.destroy();
        else reply(response, 500);
      });
    },
  );
  const open = limitConnections(server, listener, (socket, prove) => ({
    pace: createRequestLimiter(socket, limits.messagesUnderWay, listener.work),
    unread: createUnreadWatch(clock),
    speaks: createSpeakers(socket, listener.newest, prove),
  }));

  const look = (): void => {
    for (const [socket, { unread }] of open) {
      if (socket.destroyed || unread.silent_ms(socket) < limits.unreadMs) continue;
      rejections.add('slow_reader');
      socket.destroy();
    }
    stopLooking = clock.after(maxLookMs, look);
  };
  let stopLooking = clock.after(maxLookMs, look);
  const givenUp = new WeakSet<Duplex>();
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket) => {
    // Node says it again of what comes after it by the same connection.
    if (givenUp.has(socket)) return;
    givenUp.add(socket);
    const address = addressOf(socket);
    const { code = '', rawPacket } = error;
    if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
      rejections.add('incomplete', { address, detail: 'a request that does not get on' });
    else if (rawPacket !== undefined) {
      const wrongPort = rejections.add('protocol_mismatch', { address, first: rawPacket, detail: code });
      const entry = listener.record.open('tcp', address, null, rawPacket);
      noteUnreadable(entry, withReason(wrongPort, `no request of HTTP: ${code}`));
      entry.answer = Buffer.from(statusLineOf(code));
    }
    endBadly(socket, code);
    // Whatever the other side does: one that never closes its own would hold its place.
    const stopEnding = clock.after(limits.endingMs, () => socket.destroy());
    socket.once('close', stopEnding);
  });
  const place = await listenOn(server, port, host, { listener: name, clock, log });
  return {
    ...place,
    connections: () => open.size,
    messages: listener.record,
    rejections: () => rejections.counts(),
    close() {
      stopLooking();
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      // Node would wait for the next message of a connection that is kept; a message that is half here was never
      // acknowledged and comes again.
      for (const response of underWay.keys()) response.shouldKeepAlive = false;
      const answering = new Set(underWay.values());
      for (const socket of open.keys()) if (!answering.has(socket)) socket.destroy();
      return closed;
    },
  };
}

/**
 * Of terminals that speak by one connection: it is proven while it is the newest of any of them. Theirs before that one
 * is not ended, as its answers may still be under way.
 */
function createSpeakers(
  socket: Socket,
  newest: ConnectionTakeover,
  prove: Prove,
): (terminalId: string) => void {
  const speakers = new Map<string, () => void>();
  socket.once('close', () => {
    for (const giveUp of speakers.values()) giveUp();
  });
  return (terminalId) => {
    const key = terminalKey(terminalId);
    if (socket.destroyed || speakers.has(key)) return;
    const giveUp = newest.take(terminalId, () => {
      speakers.delete(key);
      if (speakers.size === 0) prove(false);
    });
    speakers.set(key, giveUp);
    prove(true);
  };
}

function addressOf(socket: Duplex): string | null {
  return 'remoteAddress' in socket && typeof socket.remoteAddress === 'string' ? socket.remoteAddress : null;
}

const statusLines: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

function statusLineOf(code: string): string {
  return statusLines[code] ?? '400 Bad Request';
}

/** What Node does with a request that it cannot read, when nobody else does. */
function endBadly(socket: Duplex, code: string): void {
  if (code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else socket.end(`HTTP/1.1 ${statusLineOf(code)}\r\nConnection: close\r\n\r\n`);
}

/** Of a request that is read, and then worked on. */
interface Turn {
  /** From now on its content counts towards the listener's backlog; until then it counts as one report. */
  isTaken: () => void;
  /** It is done. */
  leave: () => void;
}

/**
 * Limits how many requests of one connection are processed at a time, none while the listener's backlog is full; the
 * others wait, unread, and their connection is not read.
 */
function createRequestLimiter(
  socket: Socket,
  max: number,
  room: Pick<Backlog, 'isFull' | 'add' | 'wait' | 'forget'>,
) {
  const waiting: ((turn: Turn | null) => void)[] = [];
  let running = 0;
  let isHeld = false;

  /**
   * Again for each that waits: Node reads on whenever a request is whole or the body of an earlier one is asked for.
   * Not at once: what Node has resumed it begins to read a tick later, even if it was paused since.
   */
  function hold(): void {
    isHeld = true;
    process.nextTick(() => {
      if (isHeld) socket.pause();
    });
  }

  function letIn(): void {
    while (running < max) {
      if (waiting.length > 0 && room.isFull()) {
        room.wait(letIn);
        return;
      }
      const next = waiting.shift();
      if (next === undefined) break;
      next(begin());
    }
    if (waiting.length > 0 || !isHeld) return;
    isHeld = false;
    socket.resume();
  }

  function begin(): Turn {
    running += 1;
    let stopHolding: (() => void) | null = room.add(1);
    const isTaken = () => {
      stopHolding?.();
      stopHolding = null;
    };
    return {
      isTaken,
      leave() {
        isTaken();
        running -= 1;
        letIn();
      },
    };
  }

  socket.once('close', () => {
    room.forget(letIn);
    for (const next of waiting.splice(0)) next(null);
  });

  return {
    /** Resolves when it is a request's turn; null when its connection is over before. */
    enter: (): Promise<Turn | null> =>
      new Promise((resolve) => {
        waiting.push(resolve);
        letIn();
        // Of one that waits alone it is noticed when its terminal hangs up.
        if (waiting.length > 1) hold();
      }),
  };
}
