import { describe, expect, it } from 'vitest';
import type { LinkState } from '../../../renderer/stream/streamReader.ts';
import { readOnceListening } from '../../../renderer/stream/fleetStream.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

const live: LinkState = { phase: 'live', since: 0, lostBefore: null };
const lost: LinkState = { phase: 'lost', since: 0, nextTryAt: null };

function bench() {
  const clock = createFakeClock();
  const done: string[] = [];
  let onLink: (link: LinkState) => void = () => undefined;
  let onReset: () => void = () => undefined;
  const stop = readOnceListening({
    clock,
    read: () => done.push('read'),
    retry: () => done.push('retry'),
    stream: {
      on(_topic, handle) {
        onReset = () => handle({ reason: '' } as never);
        return () => undefined;
      },
      onLink(handle) {
        onLink = handle;
        return () => undefined;
      },
    },
  });
  return { clock, done, stop, link: (link: LinkState) => onLink(link), reset: () => onReset() };
}

describe('the reader of lists', () => {
  it('the reader of lists waits until the stream listens, so that nothing falls between the two', () => {
    const { clock, done, link } = bench();
    link({ phase: 'connecting' });
    expect(done).toEqual([]);
    link(live);
    clock.advance(60_000);
    expect(done).toEqual(['read']);
  });

  it('the reader of lists does not wait long, and then reads again when the stream listens', () => {
    const { clock, done, link } = bench();
    clock.advance(1_000);
    expect(done).toEqual(['read']);
    link(live);
    expect(done).toEqual(['read', 'read']);
  });

  it('the reader of lists reads once while the stream is lost from the beginning, and again when it is there', () => {
    const { clock, done, link } = bench();
    link(lost);
    link(lost);
    clock.advance(60_000);
    expect(done).toEqual(['read']);
    link(live);
    expect(done).toEqual(['read', 'read']);
  });

  it('the reader of lists tries again what could not be read whenever the stream is back, and reads all after a reset', () => {
    const { done, link, reset } = bench();
    link(live);
    link(lost);
    link(live);
    reset();
    expect(done).toEqual(['read', 'retry', 'read']);
  });

  it('the reader of lists reads nothing after its end', () => {
    const { clock, done, stop } = bench();
    stop();
    clock.advance(60_000);
    expect(done).toEqual([]);
  });
});
