import fc from 'fast-check';
import { expect, test } from 'vitest';
import { id } from '../../../server/contract/fields.ts';
import { timeOrderedId } from '../../../server/pipeline/pendingBatch.ts';

test('a time-ordered ID is a UUID as the contract has them, and one of a later moment sorts behind', () => {
  const moment = fc.integer({ min: 0, max: Date.UTC(2200, 0) });
  fc.assert(
    fc.property(moment, moment, (a, b) => {
      const [first, second] = [timeOrderedId(a), timeOrderedId(b)];
      expect(id.parse(first)).toBe(first);
      if (a !== b) expect(first < second).toBe(a < b);
    }),
  );
});

test('no two of one moment are the same', () => {
  const now_ms = Date.UTC(2026, 10, 21);
  expect(new Set(Array.from({ length: 10_000 }, () => timeOrderedId(now_ms))).size).toBe(10_000);
});
