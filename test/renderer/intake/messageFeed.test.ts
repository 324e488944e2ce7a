import { describe, expect, it } from 'vitest';
import { Unreachable } from '../../../renderer/api/errors.ts';
import type { Api } from '../../../renderer/api/client.ts';
import { createMessageFeed } from '../../../renderer/intake/messageFeed.ts';
import type { IntakeMessage } from '../../../server/contract/intake.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { sampleMessage } from './sampleMessage.ts';

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

function setUp(asked: Parameters<typeof createMessageFeed>[1] = { listener: null, terminalId: null }) {
  const clock = createFakeClock();
  const queries: unknown[] = [];
  const host = { messages: [] as IntakeMessage[], isDown: false };
  const request = (_route: unknown, { query }: { query: unknown }) => {
    queries.push(query);
    return host.isDown
      ? Promise.reject(new Unreachable('down'))
      : Promise.resolve({ messages: [...host.messages] });
  };
  const feed = createMessageFeed({ api: { request } as unknown as Api, clock }, asked);
  const pass = async (ms: number) => {
    clock.advance(ms);
    await settle();
  };
  const numbers = () => feed.store.getState().messages.map(({ sequence: number }) => number);
  return { clock, queries, host, feed, pass, numbers };
}

describe('the last messages', () => {
  it('the last messages are read again while they are followed, and no more after the end', async () => {
    const { feed, host, pass, numbers, queries } = setUp();
    const stop = feed.start();
    await settle();
    expect(numbers()).toEqual([]);
    host.messages = [sampleMessage({ sequence: 7 })];
    await pass(2_000);
    expect(numbers()).toEqual([7]);
    stop();
    await pass(60_000);
    expect(queries).toHaveLength(2);
  });

  it('the last messages are requested for one listener and one terminal', async () => {
    const { feed, queries } = setUp({ listener: 'wialon', terminalId: '123' });
    feed.start();
    await settle();
    expect(queries).toEqual([{ listener: 'wialon', terminal_id: '123' }]);
  });

  it('the last messages stay as they are while paused, and are read at once when followed again', async () => {
    const { feed, host, clock, pass, numbers, queries } = setUp();
    feed.start();
    await settle();
    feed.follow(false);
    expect(feed.store.getState().pausedAt).toBe(clock.now());
    host.messages = [sampleMessage({ sequence: 8 })];
    await pass(60_000);
    expect(queries).toHaveLength(1);
    feed.follow(true);
    await settle();
    expect(numbers()).toEqual([8]);
    await pass(2_000);
    expect(queries).toHaveLength(3);
  });

  it('the last messages stay paused when the pause began during a reading', async () => {
    const { feed, pass, queries } = setUp();
    feed.start();
    feed.follow(false);
    await settle();
    await pass(60_000);
    expect(queries).toHaveLength(1);
  });

  it('the last messages stay on the screen when the host is lost, and go on when it is back', async () => {
    const { feed, host, pass, numbers } = setUp();
    host.messages = [sampleMessage({ sequence: 1 })];
    feed.start();
    await settle();
    host.isDown = true;
    await pass(2_000);
    expect(feed.store.getState().load.phase).toBe('failed');
    expect(numbers()).toEqual([1]);
    host.isDown = false;
    host.messages = [sampleMessage({ sequence: 2 })];
    await pass(1_000);
    expect(feed.store.getState().load.phase).toBe('ready');
    expect(numbers()).toEqual([2]);
  });

  it('the last messages are read at once when the user tries again, and only then', async () => {
    const { feed, host, queries } = setUp();
    host.isDown = true;
    feed.start();
    await settle();
    host.isDown = false;
    feed.retry();
    await settle();
    expect(feed.store.getState().load.phase).toBe('ready');
    feed.retry();
    await settle();
    expect(queries).toHaveLength(2);
  });
});
