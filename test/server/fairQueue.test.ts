import { describe, expect, it } from 'vitest';
import { createFairQueue, type FairQueue } from '../../server/fairQueue.ts';

function takeAll(queue: FairQueue<string>): string[] {
  return Array.from({ length: queue.size() }, () => queue.take() ?? '');
}

describe('a fair queue', () => {
  it('a fair queue takes items round-robin by user, each user’s in the order of their coming', () => {
    const queue = createFairQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.add(item.slice(0, 1), item);
    expect(takeAll(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
    expect(queue.take()).toBeUndefined();
  });

  it('a fair queue serves a newcomer before a second item of the user who was just served', () => {
    const queue = createFairQueue<string>();
    for (const item of ['a1', 'a2', 'a3']) queue.add('a', item);
    queue.take();
    queue.add('b', 'b1');
    expect(takeAll(queue)).toEqual(['b1', 'a2', 'a3']);
  });

  it('a fair queue gives a user who returns one item at a time no more slots than one whose items wait', () => {
    const queue = createFairQueue<string>();
    for (const item of ['a1', 'a2', 'a3']) queue.add('a', item);
    queue.add('b', 'b');
    const taken: string[] = [];
    for (let turn = 0; turn < 6; turn++) {
      const item = queue.take() ?? '';
      taken.push(item);
      if (item === 'b') queue.add('b', 'b');
    }
    expect(taken).toEqual(['a1', 'b', 'a2', 'b', 'a3', 'b']);
  });

  it('a fair queue lets an absent user save no slots', () => {
    const queue = createFairQueue<string>();
    queue.add('b', 'b1');
    for (const item of ['a1', 'a2', 'a3', 'a4']) queue.add('a', item);
    expect([queue.take(), queue.take(), queue.take()]).toEqual(['b1', 'a1', 'a2']);
    for (const item of ['b2', 'b3']) queue.add('b', item);
    expect(takeAll(queue)).toEqual(['b2', 'a3', 'b3', 'a4']);
  });

  it('a fair queue counts what waits and gives out what is removed', () => {
    const queue = createFairQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1']) queue.add(item.slice(0, 1), item);
    expect([queue.size(), queue.size('a'), queue.size('b'), queue.size('c')]).toEqual([4, 3, 1, 0]);
    expect([queue.remove('a2'), queue.remove('a2'), queue.remove('b1')]).toEqual([true, false, true]);
    expect([...queue.users()]).toEqual(['a']);
    expect([queue.takeLast('a'), queue.takeLast('b')]).toEqual(['a3', undefined]);
    expect(takeAll(queue)).toEqual(['a1']);
  });
});
