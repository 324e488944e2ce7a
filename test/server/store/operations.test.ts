import { expect, test } from 'vitest';
import { asCaller, currentCaller, type Caller } from '../../../server/store/caller.ts';
import { methodsOf, operations } from '../../../server/store/operations.ts';
import { position } from './telemetry/sampleRows.ts';

const ann: Caller = { user_id: 'ann', login: 'Ann', address: '192.0.2.1', request_id: 'r' };

test('the store has a method for each of its operations', () => {
  const methods = methodsOf(() => Promise.resolve([]));
  expect(Object.keys(methods)).toEqual(Object.keys(operations));
});

test('an operation is run on its side of the store with what its method was given', async () => {
  const calls: unknown[] = [];
  const methods = methodsOf((...call) => {
    calls.push(call);
    return Promise.resolve(null);
  });
  await methods.deleteSessions(['a', 'b']);
  await methods.ruleVersion({ rule_id: 'r', version: 2 });
  expect(calls).toEqual([
    ['write', 'deleteSessions', ['a', 'b']],
    ['read', 'ruleVersion', { rule_id: 'r', version: 2 }],
  ]);
});

test('a page of a track that is asked for later is read for the caller of the track', async () => {
  const callers: (Caller | null)[] = [];
  const { track } = methodsOf((_side, _op, args) => {
    callers.push(currentCaller());
    const { from_ms, limit } = args as { from_ms: number; limit: number };
    const count = Math.min(limit, 3_000 - from_ms);
    return Promise.resolve(Array.from({ length: count }, (_, at) => position({ time_ms: from_ms + at })));
  });
  const pages = asCaller(ann, () => track({ vehicle_id: 'van', from_ms: 0, to_ms: 3_000 }));
  const sizes: number[] = [];
  for await (const page of pages) sizes.push(page.length);
  expect(sizes).toEqual([2_000, 1_000]);
  expect(callers).toEqual([ann, ann]);
  expect(currentCaller()).toBeNull();
});
