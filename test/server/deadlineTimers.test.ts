import { expect, test } from 'vitest';
import { createDeadlineTimers } from '../../server/deadlineTimers.ts';
import { createFakeClock } from '../support/fakeClock.ts';

function open() {
  const clock = createFakeClock();
  const start = clock.now();
  const calls: string[] = [];
  const time = createDeadlineTimers(clock, (due) => {
    for (const id of due) calls.push(`${id} at ${(clock.now() - start) / 1_000}`);
  });
  return { clock, time, calls, at: (s: number) => start + s * 1_000 };
}

test('a vehicle is called for at its moment, and once', () => {
  const { clock, time, calls, at } = open();
  time.set('van', at(600));
  time.set('bus', at(20));
  clock.advance(19_999);
  expect(calls).toEqual([]);
  clock.advance(1);
  expect(calls).toEqual(['bus at 20']);
  clock.advance(1_000_000);
  expect(calls).toEqual(['bus at 20', 'van at 600']);
});

test('a moment that moves later is not called for early, and one that moves earlier not late', () => {
  const { clock, time, calls, at } = open();
  time.set('van', at(10));
  time.set('van', at(50));
  clock.advance(30_000);
  time.set('van', at(31));
  clock.advance(1_000);
  expect(calls).toEqual(['van at 31']);
  time.set('bus', at(40));
  time.set('bus', null);
  clock.advance(60_000);
  expect(calls).toEqual(['van at 31']);
});

test('a moment that passes while the machine sleeps is called for within a minute of its end', () => {
  const { clock, time, calls, at } = open();
  time.set('van', at(7_200));
  clock.advance(30_000);
  clock.sleep(28_800_000);
  clock.advance(60_000);
  expect(calls).toHaveLength(1);
  clock.advance(7_200_000);
  expect(calls).toHaveLength(1);
});

test('moments that lie close together are one call, at most a second late', () => {
  const { clock, time, calls, at } = open();
  for (let s = 0; s < 10; s++) time.set(`v${s}`, at(5 + s / 10));
  clock.advance(7_000);
  expect(calls.map((it) => it.split(' ')[2])).toEqual(['5', ...Array.from({ length: 9 }, () => '6')]);
});

test('a timer requests nothing after its end', () => {
  const { clock, time, calls, at } = open();
  time.set('van', at(5));
  time.close();
  time.set('bus', at(6));
  clock.advance(60_000);
  expect(calls).toEqual([]);
});
