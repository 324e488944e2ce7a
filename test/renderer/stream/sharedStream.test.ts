import { describe, expect, it } from 'vitest';
import { ApiProblem } from '../../../renderer/api/errors.ts';
import type { Transport } from '../../../renderer/api/transport.ts';
import type { PageMessage, TokenAnswer, WorkerMessage } from '../../../renderer/stream/sharedProtocol.ts';
import { createSharedStream } from '../../../renderer/stream/sharedStream.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { samplePosition } from '../samples.ts';

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

const problem = (code: 'jwt_expired' | 'session_revoked') =>
  new ApiProblem({ type: '', title: '', status: 401, detail: '', code, request_id: 'r' }, null);

function setUp() {
  const clock = createFakeClock();
  const asked: { authorization: string; lastEventId: string | null }[] = [];
  const refusals: ApiProblem[] = [];
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  const transport: Transport = {
    send(_, asking, headers = {}) {
      asked.push({
        authorization: headers['Authorization'] ?? '',
        lastEventId: headers['Last-Event-ID'] ?? null,
      });
      const refusal = refusals.shift();
      if (refusal !== undefined) return Promise.reject(refusal);
      const body = new ReadableStream<Uint8Array>({
        start(it) {
          controller = it;
          asking.signal?.addEventListener('abort', () => it.error(new DOMException('aborted', 'AbortError')));
        },
      });
      return Promise.resolve(new Response(body));
    },
  };
  const share = createSharedStream({ transport, clock });

  /** A page that answers for tokens as the test says; undefined is silence. */
  const open = (answer: (stale: string | null) => TokenAnswer | undefined = () => ({ jwt: 'one' })) => {
    const heard: WorkerMessage[] = [];
    const take: (says: PageMessage) => void = share.connect({
      post(says) {
        heard.push(says);
        if (says.kind !== 'token_wanted') return;
        const given = answer(says.stale);
        if (given !== undefined) queueMicrotask(() => take({ kind: 'token', answer: given }));
      },
    });
    take({ kind: 'join' });
    const links = () => heard.flatMap((it) => (it.kind === 'link' ? [it.link.phase] : []));
    const messages = () => heard.flatMap((it) => (it.kind === 'message' ? [it.message] : []));
    return { take, heard, links, messages };
  };
  const push = (event: string, data: object, id = 'e.1') => {
    controller?.enqueue(
      new TextEncoder().encode(`event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`),
    );
    return settle();
  };
  return { clock, asked, refusals, open, push };
}

const vehicle = '0e0f6f3c-1c52-4d3f-8c49-9d0a0d3f0a3b';
const position = samplePosition({ vehicle_id: vehicle });

describe('the stream that all pages of a browser share', () => {
  it('the stream that all pages of a browser share is opened once, with the JWT of a page, and received by all', async () => {
    const { open, asked, push } = setUp();
    const first = open();
    await settle();
    const second = open();
    await push('heartbeat', { server_time: '2026-11-21T12:00:00.000Z' });
    expect(asked).toEqual([{ authorization: 'JWT one', lastEventId: null }]);
    for (const page of [first, second]) {
      expect(page.messages().at(-1)?.topic).toBe('heartbeat');
      expect(page.links().at(-1)).toBe('live');
    }
  });

  it('the stream that all pages of a browser share gives a page that comes later the newest positions', async () => {
    const { open, push } = setUp();
    open();
    await settle();
    await push('position', { positions: [position] });
    await push('position', { positions: [{ ...position, time: '2026-11-21T11:00:00.000Z', lat: 1 }] });
    const late = open();
    expect(late.messages()).toEqual([{ topic: 'position', data: { positions: [position] } }]);
    expect(late.links()).toEqual(['live']);
  });

  it('the shared stream gives a page that joins later the server time at once, before the positions', async () => {
    const { open, push, clock } = setUp();
    const health = { status: 'degraded', reasons: [] };
    const ids = [1, 2, 3].map((at) => `00000000-0000-4000-8000-00000000000${at}`);
    open();
    await settle();
    await push('snapshot', {
      server_time: '2026-11-21T12:00:00.000Z',
      vehicles: 1,
      overdue: [ids[0], ids[1]],
      health: { ...health, status: 'ok' },
    });
    await push('health', health);
    await push('overdue', { began: [ids[2]], ended: [ids[0]] });
    const overdue = [ids[1], ids[2]];
    await push('position', { positions: [position] });
    clock.advance(9_000);
    expect(open().messages()).toEqual([
      { topic: 'snapshot', data: { server_time: '2026-11-21T12:00:09.000Z', vehicles: 1, overdue, health } },
      { topic: 'position', data: { positions: [position] } },
    ]);
    await push('heartbeat', { server_time: '2026-11-21T12:00:10.000Z' });
    expect(open().messages()[0]?.data).toEqual({
      server_time: '2026-11-21T12:00:10.000Z',
      vehicles: 1,
      overdue,
      health,
    });
  });

  it('the stream that all pages of a browser share asks for a newer JWT when the server calls one expired', async () => {
    const { open, asked, refusals } = setUp();
    refusals.push(problem('jwt_expired'));
    open((stale) => ({ jwt: stale === null ? 'old' : `after ${stale}` }));
    await settle();
    expect(asked.map((it) => it.authorization)).toEqual(['JWT old', 'JWT after old']);
  });

  it('the stream that all pages of a browser share asks the next page when one was closed without a word', async () => {
    const { open, asked, clock } = setUp();
    open(() => undefined);
    open(() => ({ jwt: 'two' }));
    await settle();
    expect(asked).toEqual([]);
    clock.advance(5_000);
    await settle();
    expect(asked.map((it) => it.authorization)).toEqual(['JWT two']);
  });

  it('the stream that all pages of a browser share comes to a page that was too busy to answer in time, alone or with others', async () => {
    for (const others of [0, 1]) {
      const { open, asked, clock, push } = setUp();
      let isBusy = true;
      const slow = open(() => (isBusy ? undefined : { jwt: 'slow' }));
      if (others > 0) open(() => ({ jwt: 'other' }));
      await settle();
      clock.advance(5_000);
      await settle();
      isBusy = false;
      slow.take({ kind: 'token', answer: { jwt: 'slow' } });
      await settle();
      expect(asked.map((it) => it.authorization)).toEqual([others > 0 ? 'JWT other' : 'JWT slow']);
      expect(slow.messages().at(-1)?.topic).toBe('reset');
      await push('heartbeat', { server_time: '2026-11-21T12:00:00.000Z' });
      expect(slow.links().at(-1)).toBe('live');
      expect(slow.messages().at(-1)?.topic).toBe('heartbeat');
    }
  });

  it('the stream that all pages of a browser share leaves a page alone that left after it was taken for gone', async () => {
    const { open, asked, clock } = setUp();
    const page = open(() => undefined);
    await settle();
    clock.advance(5_000);
    await settle();
    page.take({ kind: 'leave' });
    page.take({ kind: 'token', answer: { jwt: 'one' } });
    await settle();
    expect(asked).toEqual([]);
  });

  it('the stream that all pages of a browser share tries again later when a page could not renew its JWT for want of a server', async () => {
    const { open, asked, clock } = setUp();
    let isThere = false;
    const page = open(() => (isThere ? { jwt: 'one' } : 'later'));
    await settle();
    expect(page.links()).toEqual(['connecting', 'lost']);
    isThere = true;
    clock.advance(1_000);
    await settle();
    expect(asked).toHaveLength(1);
  });

  it('the stream that all pages of a browser share informs all pages when the server ends the session, and restarts with the next page', async () => {
    const { open, asked, refusals } = setUp();
    refusals.push(problem('session_revoked'));
    const page = open();
    await settle();
    expect(page.heard.at(-1)).toEqual({ kind: 'session_over', code: 'session_revoked' });
    page.take({ kind: 'leave' });
    open(() => ({ jwt: 'new' }));
    await settle();
    expect(asked.map((it) => it.authorization)).toEqual(['JWT one', 'JWT new']);
  });

  it('the stream that all pages of a browser share goes on behind the last id while a page is left, and ends with the last one', async () => {
    const { open, asked, push, clock } = setUp();
    const first = open();
    await settle();
    await push('heartbeat', { server_time: '2026-11-21T12:00:00.000Z' }, 'e.7');
    const second = open();
    first.take({ kind: 'leave' });
    clock.advance(20_000);
    await settle();
    clock.advance(1_000);
    await settle();
    expect(asked.map((it) => it.lastEventId)).toEqual([null, 'e.7']);
    second.take({ kind: 'leave' });
    clock.advance(60_000);
    await settle();
    expect(asked).toHaveLength(2);
  });

  it('the stream that all pages of a browser share answers a page that asks whether it is still there, also without a session', async () => {
    const { open } = setUp();
    const page = open(() => 'none');
    await settle();
    page.take({ kind: 'still_there' });
    expect(page.heard.at(-1)).toEqual({ kind: 'here' });
  });
});
