import { describe, expect, it } from 'vitest';
import { Unreachable } from '../../../renderer/api/errors.ts';
import { LoggedOut } from '../../../renderer/auth/tokens.ts';
import type { LinkState } from '../../../renderer/stream/streamReader.ts';
import type { PageMessage, WorkerMessage } from '../../../renderer/stream/sharedProtocol.ts';
import { createSharedSource } from '../../../renderer/stream/sharedSource.ts';

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

function setUp({ hasWorkers = true, current = () => Promise.resolve('one') } = {}) {
  const said: PageMessage[] = [];
  const links: LinkState[] = [];
  const ended: unknown[] = [];
  const alone = { running: false };
  let says: (it: WorkerMessage) => void = () => undefined;
  let breakDown: () => void = () => undefined;
  let page: (isThere: boolean) => void = () => undefined;
  const source = createSharedSource({
    openPort: () =>
      hasWorkers
        ? {
            post: (it) => said.push(it),
            onSays: (handle) => (says = handle),
            onBroken: (handle) => (breakDown = handle),
            close: () => undefined,
            onPage(handle) {
              page = handle;
              return () => (page = () => undefined);
            },
          }
        : null,
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
  });
  const stop = source.start({
    message: () => undefined,
    link: (it) => links.push(it),
    malformed: () => undefined,
  });
  return {
    said,
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
