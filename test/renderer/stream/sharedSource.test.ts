import { describe, expect, it } from 'vitest';
import { Unreachable } from '../../../renderer/api/errors.ts';
import { LoggedOut } from '../../../renderer/auth/tokens.ts';
import type { LinkState } from '../../../renderer/stream/streamReader.ts';
import type { PageMessage, WorkerMessage } from '../../../renderer/stream/sharedProtocol.ts';
import { createSharedSource } from '../../../renderer/stream/sharedSource.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

function setUp({ hasWorkers = true, current = () => Promise.resolve('one') } = {}) {
  const clock = createFakeClock();
  const said: PageMessage[] = [];
  const topics: string[] = [];
  const ports = { opened: 0, closed: 0 };
  const links: LinkState[] = [];
  const ended: unknown[] = [];
  const alone = { running: false };
  let says: (it: WorkerMessage) => void = () => undefined;
  let breakDown: () => void = () => undefined;
  let page: (isThere: boolean) => void = () => undefined;
  const source = createSharedSource({
    openPort() {
      if (!hasWorkers) return null;
      ports.opened += 1;
      return {
        post: (it) => said.push(it),
        onSays: (handle) => (says = handle),
        onBroken: (handle) => (breakDown = handle),
        close: () => (ports.closed += 1),
        onPage(handle) {
          page = handle;
          return () => (page = () => undefined);
        },
      };
    },
    tokens: {
      current,
      renew: (stale) => Promise.resolve(`after ${stale}`),
      end: (reason) => ended.push(reason),
      sessionId: () => 's1',
    },
    alone: {
      start() {
        alone.running = true;
        return () => (alone.running = false);
      },
      tryNow: () => undefined,
    },
    clock,
  });
  const stop = source.start({
    message: ({ topic }) => topics.push(topic),
    link: (it) => links.push(it),
    malformed: () => undefined,
  });
  return {
    clock,
    said,
    topics,
    ports,
    links,
    ended,
    alone,
    stop,
    source,
    hear: (it: WorkerMessage) => says(it),
    breakDown: () => breakDown(),
    page: (isThere: boolean) => page(isThere),
  };
}

describe('a page of the shared stream', () => {
  it('a page of the shared stream joins, hands on what it hears, and leaves', () => {
    const { said, links, hear, stop, source } = setUp();
    hear({ kind: 'link', link: { phase: 'connecting' } });
    source.tryNow();
    stop();
    expect(links).toEqual([{ phase: 'connecting' }]);
    expect(said.map((it) => it.kind)).toEqual(['join', 'try_now', 'leave']);
  });

  it('a page of the shared stream lends its JWT, renewed when the server called it expired', async () => {
    const { said, hear } = setUp();
    hear({ kind: 'token_wanted', stale: null });
    hear({ kind: 'token_wanted', stale: 'one' });
    await settle();
    expect(said.slice(1)).toEqual([
      { kind: 'token', answer: { jwt: 'one' } },
      { kind: 'token', answer: { jwt: 'after one' } },
    ]);
  });

  it('a page of the shared stream distinguishes "no session" from "no server"', async () => {
    const gone = setUp({ current: () => Promise.reject(new LoggedOut()) });
    gone.hear({ kind: 'token_wanted', stale: null });
    const down = setUp({ current: () => Promise.reject(new Unreachable()) });
    down.hear({ kind: 'token_wanted', stale: null });
    await settle();
    expect(gone.said.at(-1)).toEqual({ kind: 'token', answer: 'none' });
    expect(down.said.at(-1)).toEqual({ kind: 'token', answer: 'later' });
  });

  it('a page of the shared stream ends its session when the worker says that the server did', () => {
    const { ended, hear } = setUp();
    hear({ kind: 'session_over', code: 'session_revoked' });
    expect(ended).toEqual(['session_revoked']);
  });

  it('a page of the shared stream leaves while the browser keeps the page aside, and joins again with it', () => {
    const { said, page } = setUp();
    page(false);
    page(true);
    expect(said.map((it) => it.kind)).toEqual(['join', 'leave', 'join']);
  });

  it('a page of the shared stream whose worker is gone begins another one, and reads again what it missed', () => {
    const { clock, said, topics, ports, links, hear, stop } = setUp();
    const live = { phase: 'live', since: 0, lostBefore: null } as const;
    hear({ kind: 'link', link: live });
    clock.advance(35_000);
    expect(said.map((it) => it.kind)).toEqual(['join', 'still_there', 'leave', 'join']);
    expect(ports).toEqual({ opened: 2, closed: 1 });
    expect(links.map((it) => it.phase)).toEqual(['live', 'lost']);
    hear({ kind: 'link', link: { phase: 'connecting' } });
    expect(topics).toEqual([]);
    hear({ kind: 'link', link: live });
    hear({ kind: 'link', link: live });
    expect(topics).toEqual(['reset']);
    stop();
    clock.advance(86_400_000);
    expect([said.at(-1), ports]).toEqual([{ kind: 'leave' }, { opened: 2, closed: 2 }]);
  });

  it('a page of the shared stream stays with a worker that is there and has nothing to say', () => {
    const { clock, said, ports, links, hear } = setUp();
    for (let minute = 0; minute < 10; minute++) {
      clock.advance(30_000);
      expect(said.at(-1)).toEqual({ kind: 'still_there' });
      hear({ kind: 'here' });
    }
    expect([ports.opened, links]).toEqual([1, []]);
  });

  it('a page of the shared stream opens its own stream where there are no shared workers or theirs does not start', () => {
    const without = setUp({ hasWorkers: false });
    expect(without.alone.running).toBe(true);
    without.stop();
    expect(without.alone.running).toBe(false);
    const broken = setUp();
    broken.breakDown();
    expect(broken.alone.running).toBe(true);
    broken.stop();
    expect(broken.alone.running).toBe(false);
  });
});
