import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inOrderOf, rangeOf } from '../../../renderer/ui/tableOrder.ts';
import { compareValues } from '../../../server/contract/compareValues.ts';

const sorted = (values: (string | number)[]) => [...values].sort(compareValues);
const rows = (...keys: string[]) => keys.map((key) => ({ key }));

describe('the order of a table', () => {
  it('the order of a table goes by size for numbers and as people read it for texts', () => {
    expect(sorted([12, 3, -1, 100])).toEqual([-1, 3, 12, 100]);
    expect(sorted(['V 17', 'v 2', 'Äpfel', 'Birnen'])).toEqual(['Äpfel', 'Birnen', 'v 2', 'V 17']);
  });

  it('the order of a table puts numbers before texts, whichever way they are asked for', () => {
    expect(sorted(['a', 1, 'b', 2])).toEqual([1, 2, 'a', 'b']);
  });

  it('the order of a table is the same for every order in which the values come', () => {
    const value = fc.oneof(fc.integer(), fc.stringMatching(/^[a-c0-9 ]{0,4}$/));
    fc.assert(
      fc.property(fc.array(value), (values) => {
        const once = sorted(values);
        const again = sorted([...values].reverse());
        expect(again.map((it, at) => compareValues(it, once[at] ?? it))).toEqual(once.map(() => 0));
      }),
    );
  });
});

describe('rows that keep their place', () => {
  it('rows that keep their place stand as they stood, with what they hold now', () => {
    const now = [
      { key: 'a', speed: 90 },
      { key: 'b', speed: 10 },
    ];
    expect(inOrderOf(['b', 'a'], now)).toEqual([now[1], now[0]]);
  });

  it('rows that keep their place are sorted again when one came or went', () => {
    expect(inOrderOf(['a', 'b'], rows('a', 'b', 'c'))).toBeNull();
    expect(inOrderOf(['a', 'b'], rows('a'))).toBeNull();
    expect(inOrderOf(['a', 'b'], rows('a', 'c'))).toBeNull();
  });
});

describe('boxes that are selected with Shift', () => {
  const keys = ['a', 'b', 'c', 'd'];

  it('boxes that are selected with Shift select everything from the last one, upwards and downwards', () => {
    expect(rangeOf(keys, 'd', 'b')).toEqual(['b', 'c', 'd']);
    expect(rangeOf(keys, 'a', 'c')).toEqual(['a', 'b', 'c']);
  });

  it('boxes that are selected with Shift select one alone where there was none before, or it is gone', () => {
    expect(rangeOf(keys, 'c', null)).toEqual(['c']);
    expect(rangeOf(keys, 'c', 'gone')).toEqual(['c']);
  });
});
