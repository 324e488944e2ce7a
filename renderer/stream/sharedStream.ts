import type { Health } from '../../server/contract/health.ts';
import type { Position } from '../../server/contract/positions.ts';
import { streamRoute, type StreamMessage } from '../../server/contract/stream.ts';
import { isProblem, Unreachable } from '../api/errors.ts';
import type { Transport } from '../api/transport.ts';
import type { Clock } from '../clock/clock.ts';
import { bytesOf, createStreamReader, type LinkState } from './streamReader.ts';
import {
  sessionOverCodes,
  type PageMessage,
  type SessionOver,
  type TokenAnswer,
  type WorkerMessage,
} from './sharedProtocol.ts';
import { readStreamMessage } from './streamSource.ts';

/** The worker's end of the line to one page. */
export interface PagePort {
  post(says: WorkerMessage): void;
}

/** A page that does not answer for so long was closed without a word. */
const ANSWER_WITHIN_MS = 5_000;

/** All pages are gone, or none of them has a session any more. */
class NoPage extends Error {}

/**
 * One stream for all pages of a browser (it has six connections to a host in all). The stream runs while there is a
 * page; a page that comes later is given the server's time and the newest positions first.
 */
export function createSharedStream({ transport, clock }: { transport: Transport; clock: Clock }) {
  const pages = new Set<PagePort>();
  const newest = new Map<string, Position>();
  const answers = new Map<PagePort, (answer: TokenAnswer) => void>();
  /** Those that were taken for gone, some of which were only slow. */
  const silent = new WeakSet<PagePort>();
  let link: LinkState = { phase: 'connecting' };
  /** The server's clock less this computer's; null until the server has said what time it is. */
  let serverOffsetMs: number | null = null;
  let health: Health | null = null;
  let overdue = new Set<string>();
  let stop: (() => void) | null = null;

  const notify = (says: WorkerMessage) => {
    for (const page of pages) page.post(says);
  };

  const reader = createStreamReader({
    clock,
    isFinal: (error) => error instanceof NoPage || isProblem(error, ...sessionOverCodes),
    onFinal: () => {
      // A page that comes with a new session begins anew.
      stop = null;
    },
    open: async (lastEventId, signal) => bytesOf(await open(lastEventId, signal)),
    onLink: (next) => {
      link = next;
      notify({ kind: 'link', link });
    },
    onMessage: (raw) => {
      readStreamMessage(raw, {
        message: (message) => {
          remember(message);
          notify({ kind: 'message', message });
        },
        malformed: (topic) => notify({ kind: 'malformed', topic }),
      });
    },
  });

  async function open(lastEventId: string | null, signal: AbortSignal): Promise<Response> {
    const jwt = await askForToken(null);
    const send = (token: string) =>
      transport.send(
        streamRoute,
        { signal },
        { Authorization: `JWT ${token}`, ...(lastEventId === null ? {} : { 'Last-Event-ID': lastEventId }) },
      );
    try {
      try {
        return await send(jwt);
      } catch (error) {
        if (!isProblem(error, 'jwt_expired')) throw error;
        return await send(await askForToken(jwt));
      }
    } catch (error) {
      const over = sessionOver(error);
      if (over !== null) notify({ kind: 'session_over', code: over });
      throw error;
    }
  }

  /** Asks one page after the other; those that are silent are taken for gone. */
  async function askForToken(stale: string | null): Promise<string> {
    // Pages that join meanwhile are asked too.
    for (const page of pages) {
      const given = await new Promise<TokenAnswer | 'silent'>((resolve) => {
        const giveUp = clock.after(ANSWER_WITHIN_MS, () => resolve('silent'));
        answers.set(page, (answer) => {
          giveUp();
          resolve(answer);
        });
        page.post({ kind: 'token_wanted', stale });
      });
      answers.delete(page);
      if (given === 'silent') {
        pages.delete(page);
        silent.add(page);
      } else if (given === 'later') throw new Unreachable('no newer JWT could be had');
      else if (given !== 'none') return given.jwt;
    }
    throw new NoPage('no page has a session');
  }

  function remember(message: StreamMessage): void {
    if (message.topic === 'snapshot' || message.topic === 'heartbeat') {
      serverOffsetMs = Date.parse(message.data.server_time) - clock.now();
      if (message.topic === 'snapshot') {
        ({ health } = message.data);
        overdue = new Set(message.data.overdue);
      }
    } else if (message.topic === 'overdue') {
      for (const id of message.data.began) overdue.add(id);
      for (const id of message.data.ended) overdue.delete(id);
    } else if (message.topic === 'health') {
      health = message.data;
    } else if (message.topic === 'position') {
      for (const position of message.data.positions) {
        const known = newest.get(position.vehicle_id);
        if (known === undefined || known.time <= position.time) newest.set(position.vehicle_id, position);
      }
    } else if (message.topic === 'vehicle' && 'deleted' in message.data) {
      newest.delete(message.data.vehicle_id);
    }
  }

  function join(page: PagePort): void {
    if (pages.has(page)) return;
    pages.add(page);
    silent.delete(page);
    if (stop === null) {
      stop = reader.start();
      return;
    }
    page.post({ kind: 'link', link });
    if (serverOffsetMs !== null && health !== null) {
      // As on a new stream. A page that waited for the next heartbeat would show wrong ages until then.
      const server_time = new Date(clock.now() + serverOffsetMs).toISOString();
      page.post({
        kind: 'message',
        message: {
          topic: 'snapshot',
          data: { server_time, vehicles: newest.size, overdue: [...overdue], health },
        },
      });
    }
    page.post({ kind: 'message', message: { topic: 'position', data: { positions: [...newest.values()] } } });
  }

  /** A page that answers after it was taken for gone was busy, or frozen by its browser, and may have missed anything. */
  function takeToken(page: PagePort, answer: TokenAnswer): void {
    answers.get(page)?.(answer);
    if (answer === 'none' || !silent.has(page)) return;
    join(page);
    page.post({ kind: 'message', message: { topic: 'reset', data: { reason: 'answered late' } } });
  }

  function leave(page: PagePort): void {
    pages.delete(page);
    silent.delete(page);
    answers.get(page)?.('none');
    if (pages.size > 0) return;
    stop?.();
    stop = null;
    newest.clear();
    overdue.clear();
    serverOffsetMs = null;
    health = null;
  }

  return {
    /** A page came; the result takes what it says. */
    connect:
      (page: PagePort): ((says: PageMessage) => void) =>
      (says) => {
        switch (says.kind) {
          case 'join':
            join(page);
            break;
          case 'leave':
            leave(page);
            break;
          case 'try_now':
            reader.tryNow();
            break;
          case 'token':
            takeToken(page, says.answer);
            break;
          case 'still_there':
            page.post({ kind: 'here' });
            break;
        }
      },
  };
}

function sessionOver(error: unknown): SessionOver | null {
  return sessionOverCodes.find((code) => isProblem(error, code)) ?? null;
}
