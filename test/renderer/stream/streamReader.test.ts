import { describe, expect, it } from 'vitest';
import { ApiProblem } from '../../../renderer/api/errors.ts';
import { createStreamReader, type LinkState } from '../../../renderer/stream/streamReader.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

/** A server whose streams the test opens, feeds and ends. */
function createFakeServer() {
  const asked: (string | null)[] = [];
  let refusal: Error | null = null;
  let current: { push: (text: string) => void; end: () => void; aborted: () => boolean } | null = null;
  return {
    asked,
    refuse(error: Error | null) {
      refusal = error;
    },
    stream() {
      if (current === null) throw new Error('no stream is open');
      return current;
    },
    open(lastEventId: string | null, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
      asked.push(lastEventId);
      if (refusal !== null) return Promise.reject(refusal);
      const queue: (Uint8Array | null)[] = [];
      let wake: () => void = () => undefined;
      const put = (item: Uint8Array | null) => {
        queue.push(item);
        wake();
      };
      signal.addEventListener('abort', () => put(null));
      current = {
        push: (text) => put(new TextEncoder().encode(text)),
        end: () => put(null),
        aborted: () => signal.aborted,
      };
      return Promise.resolve({
        async *[Symbol.asyncIterator]() {
          for (;;) {
            const item = queue.shift();
            if (item === null) return;
            if (item !== undefined) yield item;
            else await new Promise<void>((resolve) => (wake = resolve));
          }
        },
      });
    },
  };
}

/** Lets everything that waits for a promise go on. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

function setUp(isFinal: (error: unknown) => boolean = () => false) {
  const clock = createFakeClock();
  const server = createFakeServer();
  const links: LinkState[] = [];
  const messages: string[] = [];
  const reader = createStreamReader({
    clock,
    isFinal,
    open: (lastEventId, signal) => server.open(lastEventId, signal),
    onLink: (link) => links.push(link),
    onMessage: (message) => messages.push(message.data),
  });
  const link = () => links.at(-1);
  return { clock, server, links, link, messages, reader };
}

describe('the stream reader', () => {
  it('the stream reader is live with the first message and hands messages on', async () => {
    const { server, link, messages, reader, clock } = setUp();
    reader.start();
    await settle();
    expect(link()).toEqual({ phase: 'connecting' });
    server.stream().push('data: a\n\n');
    await settle();
    expect(link()).toEqual({ phase: 'live', since: clock.now(), lostBefore: null });
    expect(messages).toEqual(['a']);
  });

  it('the stream reader tries again after 1, 2, 4, 8 and then always 15 s', async () => {
    const { server, link, reader, clock } = setUp();
    server.refuse(new Error('down'));
    reader.start();
    await settle();
    for (const pause of [1, 2, 4, 8, 15, 15]) {
      expect(link()).toMatchObject({ phase: 'lost', nextTryAt: clock.now() + pause * 1_000 });
      const before = server.asked.length;
      clock.advance(pause * 1_000 - 1);
      await settle();
      expect(server.asked).toHaveLength(before);
      clock.advance(1);
      await settle();
      expect(server.asked).toHaveLength(before + 1);
    }
  });

  it('the stream reader says that one more stream was refused until the server lets it in', async () => {
    const { server, link, reader, clock } = setUp();
    server.refuse(
      new ApiProblem(
        {
          ...{ type: 'about:blank', title: 'Too many open streams', status: 429, detail: '' },
          ...{ code: 'too_many_streams', request_id: 'r' },
        },
        10,
      ),
    );
    reader.start();
    await settle();
    expect(link()).toMatchObject({ phase: 'lost', isRefused: true, nextTryAt: clock.now() + 1_000 });
    server.refuse(new Error('down'));
    clock.advance(1_000);
    await settle();
    expect(link()).not.toHaveProperty('isRefused');
  });

  it('the stream reader remembers since when the server is lost through all tries, and says so when it is back', async () => {
    const { server, link, reader, clock } = setUp();
    const began = clock.now();
    server.refuse(new Error('down'));
    reader.start();
    await settle();
    clock.advance(1_000);
    await settle();
    expect(link()).toMatchObject({ phase: 'lost', since: began });
    server.refuse(null);
    clock.advance(2_000);
    await settle();
    server.stream().push('data: a\n\n');
    await settle();
    expect(link()).toEqual({ phase: 'live', since: clock.now(), lostBefore: began });
  });

  it('the stream reader asks for what came after the last id', async () => {
    const { server, reader, clock } = setUp();
    reader.start();
    await settle();
    server.stream().push('id: e.41\ndata: a\n\n');
    await settle();
    clock.advance(5_000);
    server.stream().end();
    await settle();
    expect(server.asked).toEqual([null, 'e.41']);
  });

  it('the stream reader opens a stream that ended cleanly again at once, without calling the server lost', async () => {
    const { server, links, reader, clock } = setUp();
    reader.start();
    await settle();
    server.stream().push('data: a\n\n');
    await settle();
    clock.advance(60_000 - 45_000);
    server.stream().end();
    await settle();
    expect(server.asked).toHaveLength(2);
    expect(links.some((it) => it.phase === 'lost')).toBe(false);
  });

  it('the stream reader does not open streams over and over that end right after their first message', async () => {
    const { server, link, reader } = setUp();
    reader.start();
    await settle();
    server.stream().push('data: a\n\n');
    await settle();
    server.stream().end();
    await settle();
    expect(server.asked).toHaveLength(1);
    expect(link()).toMatchObject({ phase: 'lost' });
  });

  it('the stream reader calls the server lost after 20 s without any message and drops the silent stream', async () => {
    const { server, link, reader, clock } = setUp();
    reader.start();
    await settle();
    server.stream().push('data: a\n\n');
    await settle();
    clock.advance(19_999);
    await settle();
    expect(link()).toMatchObject({ phase: 'live' });
    clock.advance(1);
    await settle();
    expect(link()).toMatchObject({ phase: 'lost', since: clock.now() });
    expect(server.stream().aborted()).toBe(true);
  });

  it('the stream reader does not take messages of a stream that it gave up', async () => {
    const { server, messages, reader, clock } = setUp();
    reader.start();
    await settle();
    server.stream().push('data: a\n\n');
    await settle();
    const old = server.stream();
    clock.advance(20_000);
    await settle();
    old.push('data: late\n\n');
    await settle();
    expect(messages).toEqual(['a']);
  });

  it('the stream reader tries at once when asked to', async () => {
    const { server, link, reader, clock } = setUp();
    server.refuse(new Error('down'));
    reader.start();
    await settle();
    clock.advance(1_000);
    await settle();
    server.refuse(null);
    reader.tryNow();
    await settle();
    expect(link()).toMatchObject({ phase: 'lost', nextTryAt: null });
    server.stream().push('data: a\n\n');
    await settle();
    expect(link()).toMatchObject({ phase: 'live' });
    expect(server.asked).toHaveLength(3);
  });

  it('the stream reader opens the stream again at once when its computer has slept, and not while messages come', async () => {
    const { server, link, reader, clock } = setUp();
    reader.start();
    await settle();
    server.stream().push('data: a\n\n');
    await settle();
    reader.tryNow();
    expect(server.asked).toHaveLength(1);
    clock.sleep(8 * 3_600_000);
    reader.tryNow();
    expect(link()).toEqual({ phase: 'lost', since: clock.now(), nextTryAt: null });
    await settle();
    expect(server.asked).toHaveLength(2);
    server.stream().push('data: b\n\n');
    await settle();
    expect(link()).toMatchObject({ phase: 'live' });
    // A try that hangs since before the sleep is given up as well.
    server.refuse(null);
    clock.sleep(8 * 3_600_000);
    reader.tryNow();
    clock.sleep(8 * 3_600_000);
    reader.tryNow();
    await settle();
    expect(server.asked).toHaveLength(4);
  });

  it('the stream reader begins with short delays again after the server was back', async () => {
    const { server, link, reader, clock } = setUp();
    server.refuse(new Error('down'));
    reader.start();
    await settle();
    for (const pause of [1, 2, 4]) {
      clock.advance(pause * 1_000);
      await settle();
    }
    server.refuse(null);
    clock.advance(8_000);
    await settle();
    server.stream().push('data: a\n\n');
    await settle();
    server.refuse(new Error('down'));
    server.stream().end();
    await settle();
    expect(link()).toMatchObject({ phase: 'lost', nextTryAt: clock.now() + 1_000 });
  });

  it('the stream reader stops for good when the session is over', async () => {
    const { server, links, reader, clock } = setUp((error) => error instanceof TypeError);
    server.refuse(new TypeError('session over'));
    reader.start();
    await settle();
    clock.advance(60_000);
    await settle();
    expect(server.asked).toHaveLength(1);
    expect(links).toEqual([{ phase: 'connecting' }]);
  });

  it('the stream reader is silent after its end', async () => {
    const { server, links, reader, clock } = setUp();
    const stop = reader.start();
    await settle();
    stop();
    const published = links.length;
    clock.advance(60_000);
    await settle();
    expect(links).toHaveLength(published);
    expect(server.stream().aborted()).toBe(true);
  });
});
