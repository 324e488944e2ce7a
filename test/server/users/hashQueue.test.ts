import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHashQueue, type Requester, type Standing } from '../../../server/users/hashQueue.ts';

/** A queue whose hashes end when the test says so. */
function heldQueue() {
  const standings = new Map<string, Standing>();
  const queue = createHashQueue(({ id }) => standings.get(id) ?? 'unknown');
  /** Who was hashed for, in this order. */
  const started: string[] = [];
  const running: { id: string; end: () => void }[] = [];
  let maxConcurrent = 0;

  /** Resolves with `done`, or with the code and status of the refusal. */
  function ask(id: string, gone?: AbortSignal, kind: Requester['kind'] = 'address'): Promise<unknown> {
    const work = async () => {
      started.push(id);
      await new Promise<void>((end) => {
        running.push({ id, end });
        maxConcurrent = Math.max(maxConcurrent, running.length);
      });
      return 'done';
    };
    return queue.run({ kind, id }, work, gone).catch((error: unknown) => error);
  }

  return {
    queue,
    standings,
    started,
    running,
    ask,
    maxConcurrent: () => maxConcurrent,
    /** Ends what has run longest, when all that may run has begun. */
    async endOne(): Promise<void> {
      await nextTurn();
      running.shift()?.end();
      await nextTurn();
    },
    async endAll(): Promise<void> {
      await nextTurn();
      while (running.length > 0) await this.endOne();
    },
  };
}

const names = (count: number, word = 'stranger') => Array.from({ length: count }, (_, i) => `${word} ${i}`);
const unavailable = {
  code: 'unavailable',
  headers: { 'Retry-After': expect.stringMatching(/^[1-9]\d*$/) as string },
};

describe('the queue before all work on passwords', () => {
  it('the queue before all work on passwords runs two hashes at once and one for each requester, whatever their number', async () => {
    const held = heldQueue();
    held.standings.set('office', 'trusted');
    const asked = [held.ask('office'), held.ask('office'), held.ask('office')];
    await nextTurn();
    expect(held.started).toEqual(['office']);
    asked.push(...names(30).map((id) => held.ask(id)));
    await nextTurn();
    expect(held.running).toHaveLength(2);
    await held.endAll();
    expect(await Promise.all(asked)).toEqual(asked.map(() => 'done'));
    expect(held.maxConcurrent()).toBe(2);
  });

  it('the queue before all work on passwords hashes for an address with a recent login after the two that run, whatever waits', async () => {
    const held = heldQueue();
    const flood = names(30).map((id) => held.ask(id));
    held.standings.set('office', 'trusted');
    const honest = held.ask('office');
    await held.endOne();
    expect(held.started.slice(2)).toEqual(['office']);
    await held.endAll();
    expect(await honest).toBe('done');
    await Promise.all(flood);
  });

  it('the queue before all work on passwords hashes for a new address beside one with a recent login that asks 40 times, and after one unknown address at most', async () => {
    const held = heldQueue();
    held.standings.set('office', 'trusted');
    const office = Array.from({ length: 40 }, () => held.ask('office'));
    const flood = names(30).flatMap((id) => [held.ask(id), held.ask(id), held.ask(id)]);
    const honest = held.ask('newcomer');
    await nextTurn();
    held.started.length = 0;
    while (!held.started.includes('newcomer')) await held.endOne();
    const before = held.started.slice(0, held.started.indexOf('newcomer'));
    expect(before.filter((id) => id !== 'office').length).toBeLessThanOrEqual(1);
    expect(before.length).toBeLessThanOrEqual(3);
    await held.endAll();
    expect(await honest).toBe('done');
    await Promise.all([...office, ...flood]);
  });

  it('the queue before all work on passwords hashes for a new address second at the latest after the two that run, whatever new and failed addresses wait', async () => {
    const held = heldQueue();
    for (const id of names(30, 'failed')) held.standings.set(id, 'failing');
    const flood = [...names(60), ...names(30, 'failed')].map((id) => held.ask(id));
    for (const rounds of [0, 1, 2, 3, 4]) {
      await nextTurn();
      for (let i = 0; i < rounds; i += 1) await held.endOne();
      const before = held.started.length;
      const honest = held.ask(`newcomer ${rounds}`);
      while (!held.started.includes(`newcomer ${rounds}`)) await held.endOne();
      // One that has been passed over three times may be owed its turn.
      expect(held.started.indexOf(`newcomer ${rounds}`) - before).toBeLessThanOrEqual(1);
      flood.push(honest);
    }
    await held.endAll();
    expect(await Promise.all(flood)).toEqual(flood.map(() => 'done'));
  });

  it('the queue before all work on passwords hashes for each of many new addresses that come one after another, and for the first of them soon enough', async () => {
    const held = heldQueue();
    const asked = [held.ask('x'), held.ask('y'), held.ask('first')];
    // Two new ones come for each that is served, and always before those that wait.
    for (let i = 0; !held.started.includes('first'); i += 2) {
      asked.push(held.ask(`stranger ${i}`), held.ask(`stranger ${i + 1}`));
      await held.endOne();
    }
    // After the two that ran and three newer ones.
    expect(held.started.indexOf('first')).toBe(5);
    await held.endAll();
    expect(await Promise.all(asked)).toEqual(asked.map(() => 'done'));
  });

  it('the queue before all work on passwords hashes for an address without failed attempts before those that failed, which share one of two places', async () => {
    const held = heldQueue();
    for (const id of names(30)) held.standings.set(id, 'failing');
    const flood = names(30).map((id) => held.ask(id));
    await nextTurn();
    expect(held.running.map((it) => it.id)).toEqual(['stranger 0']);
    const honest = held.ask('newcomer');
    await nextTurn();
    expect(held.started).toEqual(['stranger 0', 'newcomer']);
    await held.endAll();
    await Promise.all([honest, ...flood]);
    expect(held.started).toHaveLength(31);
  });

  it('the queue before all work on passwords skips no caller more than three times in a row', async () => {
    const held = heldQueue();
    for (const id of names(10, 'user')) held.standings.set(id, 'trusted');
    const first = [held.ask('x'), held.ask('y')];
    const asked = [held.ask('stranger'), ...names(10, 'user').map((id) => held.ask(id))];
    await held.endAll();
    // After the two that ran and three users.
    expect(held.started.indexOf('stranger')).toBe(5);
    await Promise.all([...first, ...asked]);
  });

  it('the queue before all work on passwords holds one waiting attempt of an address without a recent login, and refuses more with 503 and Retry-After', async () => {
    const held = heldQueue();
    const [runs, waits] = [held.ask('stranger'), held.ask('stranger')];
    expect(await held.ask('stranger')).toMatchObject(unavailable);
    expect(held.queue.waiting()).toBe(1);
    await held.endAll();
    expect(await Promise.all([runs, waits])).toEqual(['done', 'done']);
  });

  it('the queue before all work on passwords admits 20 dispatchers who come at once from one address with a recent login, amid a flood', async () => {
    const held = heldQueue();
    const flood = names(100).map((id) => held.ask(id));
    held.standings.set('office', 'trusted');
    const dispatchers = Array.from({ length: 20 }, () => held.ask('office'));
    await held.endAll();
    expect(await Promise.all(dispatchers)).toEqual(dispatchers.map(() => 'done'));
    await Promise.all(flood);
  });

  it('the queue before all work on passwords holds 120 attempts at most, and refuses the last of the address with the most when another address comes', async () => {
    const held = heldQueue();
    held.standings.set('office', 'trusted');
    const office = Array.from({ length: 300 }, () => held.ask('office'));
    expect(held.queue.waiting()).toBe(120);
    const strangers = names(90).map((id) => held.ask(id));
    expect(held.queue.waiting()).toBe(120);
    await held.endAll();
    expect(await Promise.all(strangers)).toEqual(strangers.map(() => 'done'));
    // One ran at once, and 31 of those that waited were left: one unknown caller found the other place free.
    const answers = await Promise.all(office);
    expect(answers.filter((it) => it === 'done')).toHaveLength(32);
    expect(answers.at(-1)).toMatchObject(unavailable);
  });

  it('the queue before all work on passwords holds one of 120 addresses each, of which the new one that waits longest gives way to one that comes', async () => {
    const held = heldQueue();
    const flood = names(122).map((id) => held.ask(id));
    expect(held.queue.waiting()).toBe(120);
    const honest = [held.ask('newcomer')];
    held.standings.set('office', 'trusted');
    honest.push(held.ask('office'));
    expect(held.queue.waiting()).toBe(120);
    await held.endAll();
    expect(await Promise.all(honest)).toEqual(['done', 'done']);
    const answers = await Promise.all(flood);
    // The first two ran at once.
    expect(answers.map((it) => it === 'done')).toEqual(names(122).map((_, i) => i !== 2 && i !== 3));
    expect(answers[2]).toMatchObject(unavailable);
  });

  it('the queue before all work on passwords holds one of 120 addresses that failed, refuses one more of them, and lets a new one in', async () => {
    const held = heldQueue();
    for (const id of names(122)) held.standings.set(id, 'failing');
    const flood = names(121).map((id) => held.ask(id));
    expect(await held.ask('stranger 121')).toMatchObject(unavailable);
    const first = held.ask('finds the second place');
    const honest = held.ask('newcomer');
    expect(held.queue.waiting()).toBe(120);
    await held.endAll();
    expect(await Promise.all([first, honest])).toEqual(['done', 'done']);
    const answers = await Promise.all(flood);
    // One gave way; the newcomer found the place that the one before it had taken and left at once.
    expect(answers.filter((it) => it === 'done')).toHaveLength(120);
  });

  it('the queue before all work on passwords forgets an attempt whose client has gone, and hashes nothing for it', async () => {
    const held = heldQueue();
    const others = [held.ask('a'), held.ask('b')];
    const gone = new AbortController();
    const left = held.ask('stranger', gone.signal);
    gone.abort();
    expect(await left).toMatchObject({ name: 'AbortError' });
    expect(held.queue.waiting()).toBe(0);
    expect(await held.ask('stranger', AbortSignal.abort())).toMatchObject({ name: 'AbortError' });
    await held.endAll();
    expect(held.started).toEqual(['a', 'b']);
    await Promise.all(others);
  });

  it('the queue before all work on passwords goes on when a hash fails', async () => {
    const { queue } = heldQueue();
    const fail = () => queue.run({ kind: 'user', id: 'a' }, () => Promise.reject(new Error('no memory')));
    for (let i = 0; i < 3; i += 1) await expect(fail()).rejects.toThrow('no memory');
    await expect(queue.run({ kind: 'user', id: 'a' }, () => Promise.resolve(1))).resolves.toBe(1);
  });

  it('the queue before all work on passwords answers everybody, in whatever order they come, leave and end', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('ask' as const), id: fc.integer({ min: 0, max: 7 }) }),
      fc.record({ kind: fc.constant('leave' as const), id: fc.integer({ min: 0, max: 40 }) }),
      fc.record({ kind: fc.constant('end' as const), id: fc.constant(0) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const held = heldQueue();
        held.standings.set('0', 'trusted').set('1', 'trusted').set('2', 'failing').set('3', 'failing');
        const asked: Promise<unknown>[] = [];
        const leaving: AbortController[] = [];
        for (const { kind, id } of steps) {
          if (kind === 'end') await held.endOne();
          else if (kind === 'leave') leaving[id]?.abort();
          else {
            const gone = new AbortController();
            leaving.push(gone);
            asked.push(held.ask(String(id), gone.signal));
          }
          await nextTurn();
          const ids = held.running.map((it) => it.id);
          expect(ids.length).toBeLessThanOrEqual(2);
          expect(new Set(ids).size).toBe(ids.length);
          expect(ids.filter((it) => it === '2' || it === '3').length).toBeLessThanOrEqual(1);
        }
        await nextTurn();
        await held.endAll();
        expect(held.queue.waiting()).toBe(0);
        await Promise.all(asked);
      }),
      { numRuns: 50 },
    );
  });
});
