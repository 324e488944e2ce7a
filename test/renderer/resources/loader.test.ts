import { describe, expect, it } from 'vitest';
import { ApiProblem, Unreachable } from '../../../renderer/api/errors.ts';
import { createListLoader, createLoader } from '../../../renderer/resources/loader.ts';
import {
  createResourceStore,
  olderByVersion,
  type LoadState,
} from '../../../renderer/resources/resourceStore.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

function setUp(answers: (() => Promise<string>)[]) {
  const clock = createFakeClock();
  const states: LoadState[] = [];
  const taken: string[] = [];
  let reads = 0;
  const loader = createLoader({
    clock,
    read: () => {
      const answer = answers[Math.min(reads, answers.length - 1)];
      reads += 1;
      return answer === undefined ? Promise.reject(new Error('no answer')) : answer();
    },
    take: (value) => taken.push(value),
    onState: (state) => states.push(state),
  });
  return { clock, states, taken, loader, reads: () => reads };
}

const down = () => Promise.reject(new Unreachable('down'));

const refusal = (status: number, code: 'rate_limited' | 'forbidden', retryAfterS: number | null) => () =>
  Promise.reject(
    new ApiProblem({ type: '', title: '', status, detail: '', code, request_id: 'r' }, retryAfterS),
  );

describe('a loader', () => {
  it('a loader retries automatically and says when', async () => {
    const { loader, clock, states, taken } = setUp([down, () => Promise.resolve('list')]);
    loader.load();
    await settle();
    expect(states.at(-1)).toMatchObject({ phase: 'failed', nextTryAt: clock.now() + 1_000 });
    clock.advance(1_000);
    await settle();
    expect(states.map((it) => it.phase)).toEqual(['loading', 'failed', 'failed', 'ready']);
    expect(taken).toEqual(['list']);
  });

  it('a loader waits as long as the server asks', async () => {
    const { loader, clock, states } = setUp([refusal(429, 'rate_limited', 41)]);
    loader.load();
    await settle();
    expect(states.at(-1)).toMatchObject({ nextTryAt: clock.now() + 41_000 });
  });

  it('a loader does not repeat what no second try will change', async () => {
    const { loader, clock, states, reads } = setUp([refusal(403, 'forbidden', null)]);
    loader.load();
    await settle();
    expect(states.at(-1)).toMatchObject({ phase: 'failed', nextTryAt: null });
    clock.advance(600_000);
    await settle();
    expect(reads()).toBe(1);
  });

  it('a loader tries at once when asked, and only after a failure', async () => {
    const { loader, reads } = setUp([down, () => Promise.resolve('list')]);
    loader.load();
    await settle();
    loader.retry();
    await settle();
    loader.retry();
    await settle();
    expect(reads()).toBe(2);
  });

  it('a loader tries once when several ask in one go, and again when one asks while that goes on', async () => {
    const { loader, reads } = setUp([down, () => new Promise(() => undefined)]);
    loader.load();
    await settle();
    loader.retry();
    loader.retry();
    await settle();
    expect(reads()).toBe(2);
    loader.retry();
    expect(reads()).toBe(3);
  });

  it('a loader takes nothing after its end', async () => {
    const { loader, taken } = setUp([() => Promise.resolve('list')]);
    loader.load();
    loader.stop();
    await settle();
    expect(taken).toEqual([]);
  });
});

describe('a loader of lists', () => {
  it('a loader of lists reads page after page into the store, and keeps what the stream sent meanwhile', async () => {
    const things = createResourceStore<{ id: string; version: number }>({
      idOf: (it) => it.id,
      isOlder: olderByVersion,
    });
    const cursors: (string | undefined)[] = [];
    const pages = [
      () => Promise.reject(new Unreachable('down')),
      () => Promise.resolve({ items: [{ id: 'a', version: 1 }], next_cursor: 'second' }),
      () => {
        things.receive([
          { id: 'a', version: 2 },
          { id: 'new', version: 1 },
        ]);
        return Promise.resolve({ items: [{ id: 'b', version: 1 }], next_cursor: null });
      },
    ];
    const clock = createFakeClock();
    const loader = createListLoader({
      store: things,
      readPage: ({ cursor }) =>
        pages[cursors.push(cursor) - 1]?.() ?? expect.fail('one page too many is read'),
      clock,
    });
    loader.load();
    await settle();
    expect(things.store.getState().load).toMatchObject({ phase: 'failed' });
    loader.retry();
    await settle();
    const { byId, load } = things.store.getState();
    expect(load).toEqual({ phase: 'ready' });
    expect(cursors).toEqual([undefined, undefined, 'second']);
    expect([...byId.values()].map(({ id, version }) => `${id} ${version}`).sort()).toEqual([
      'a 2',
      'b 1',
      'new 1',
    ]);
  });
});
