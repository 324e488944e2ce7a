import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEdgeOrder, type Ordered } from '../../../server/geofences/edgeOrder.ts';

function listFrom(handle: Ordered<number> | undefined): number[] {
  let first: Ordered<number> | null = handle ?? null;
  while (first?.before != null) first = first.before;
  const items: number[] = [];
  for (let it = first; it !== null; it = it.after) items.push(it.item);
  return items;
}

describe('the order of the sides under a sweep', () => {
  it('the order of the sides under a sweep holds what a sorted list holds, whatever is put in and taken out', () => {
    const step = fc.tuple(fc.boolean(), fc.nat(1_000_000));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300, size: 'max' }), (steps) => {
        const order = createEdgeOrder<number>();
        const handles: Ordered<number>[] = [];
        for (const [isNew, number] of steps) {
          if (isNew || handles.length === 0) {
            handles.push(order.insert(number, (other) => number >= other));
          } else {
            const [handle] = handles.splice(number % handles.length, 1);
            if (handle !== undefined) order.remove(handle);
          }
          expect(listFrom(handles[0])).toEqual(handles.map((it) => it.item).sort((a, b) => a - b));
        }
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['rising', (at: number) => at],
    ['falling', (at: number) => -at],
    ['alternating', (at: number) => (at % 2 === 0 ? at : -at)],
  ])(
    'the order of the sides under a sweep asks at most 1.45 log2(n) + 2 times where %s items belong, after half of them left too',
    (_, itemAt) => {
      const order = createEdgeOrder<number>();
      const handles: Ordered<number>[] = [];
      let max = 0;
      for (let at = 0; at < 20_000; at += 1) {
        let asked = 0;
        const item = itemAt(at);
        handles.push(
          order.insert(item, (other) => {
            asked += 1;
            return item > other;
          }),
        );
        max = Math.max(max, asked);
        const oldest = handles[at / 2];
        if (at % 2 === 0 && oldest !== undefined) order.remove(oldest);
      }
      expect(max).toBeLessThanOrEqual(1.45 * Math.log2(20_000) + 2);
      expect(max).toBeGreaterThan(8);
    },
  );
});
