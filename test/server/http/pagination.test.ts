import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  beforeOf,
  decodeCursor,
  encodeCursor,
  newestFirst,
  paginate,
  type PageBudget,
} from '../../../server/http/pagination.ts';

interface Row {
  name: string;
  id: string;
}
const key = (row: Row) => [row.name, row.id] as const;
const rows = fc.uniqueArray(
  fc.record({ name: fc.constantFrom('', 'a', 'A', 'b', 'é', '🚚'), id: fc.string() }),
  {
    selector: (row) => JSON.stringify(row),
    maxLength: 40,
  },
);

/** All pages, read one after the other; `between` may change the list after each of them. */
function readAll(
  list: readonly Row[],
  limit: number,
  between: (round: number) => readonly Row[] = () => list,
  budget?: PageBudget<Row>,
): Row[] {
  const read: Row[] = [];
  let shown = list;
  let cursor: string | undefined;
  for (let round = 0; ; round += 1) {
    const page = paginate(shown, key, { limit, cursor }, budget);
    expect(page.items.length).toBeLessThanOrEqual(limit);
    read.push(...page.items);
    if (page.next_cursor === null) return read;
    cursor = page.next_cursor;
    shown = between(round);
  }
}

describe('the pages of a list', () => {
  it('the pages of a list with a budget hold no more than it allows, or one item alone, and every item once', () => {
    const sizeOf = ({ name, id }: Row) => name.length + id.length;
    fc.assert(
      fc.property(rows, fc.nat({ max: 30 }), (list, max) => {
        const read = readAll(list, 45, () => list, { max, of: sizeOf });
        expect(read).toEqual(readAll(list, 45));
        const { items } = paginate(list, key, { limit: 45 }, { max, of: sizeOf });
        if (items.length > 1) expect(items.reduce((sum, it) => sum + sizeOf(it), 0)).toBeLessThanOrEqual(max);
      }),
    );
  });

  it('the pages of a list hold every item once, in one order, whatever their size', () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 45 }), (list, limit) => {
        const read = readAll(list, limit);
        expect(read).toHaveLength(list.length);
        expect(new Set(read.map((it) => JSON.stringify(it)))).toEqual(
          new Set(list.map((it) => JSON.stringify(it))),
        );
        expect(read).toEqual(readAll([...list].reverse(), 50));
      }),
    );
  });

  it('the pages of a list lose and repeat nothing that stays, when other items come and go in between', () => {
    fc.assert(
      fc.property(rows, rows, fc.integer({ min: 1, max: 10 }), (stay, others, limit) => {
        const names = new Set(stay.map((it) => JSON.stringify(it)));
        const passing = others.filter((it) => !names.has(JSON.stringify(it)));
        const read = readAll(stay, limit, (round) => (round % 2 === 0 ? [...stay, ...passing] : stay));
        expect(read.filter((it) => names.has(JSON.stringify(it)))).toEqual(readAll(stay, 50));
      }),
    );
  });

  it('the pages of a list of an empty list is one without a cursor', () => {
    expect(paginate([], key, { limit: 10 })).toEqual({ items: [], next_cursor: null });
  });

  it('the pages of a list that are exactly full have no empty one behind them', () => {
    const list = [1, 2, 3, 4].map((it) => ({ name: 'x', id: String(it) }));
    const first = paginate(list, key, { limit: 2 });
    expect(paginate(list, key, { limit: 2, cursor: first.next_cursor ?? '' }).next_cursor).toBeNull();
  });
});

describe('a page that the store has sorted', () => {
  it('a page that the store has sorted shows one row less than was read and goes on before its last', () => {
    const read = [30, 20, 20].map((ms, at) => ({ ms, id: `r${at}` }));
    const page = newestFirst(
      read,
      2,
      (it) => it,
      ({ id }) => id,
    );
    expect(page.items).toEqual(['r0', 'r1']);
    expect(beforeOf(page.next_cursor ?? '')).toEqual({ before: { ms: 20, id: 'r1' } });
    expect(
      newestFirst(
        read,
        3,
        (it) => it,
        ({ id }) => id,
      ).next_cursor,
    ).toBeNull();
  });

  it('a page that the store has not searched to its end goes on where the search ended, also when it is empty', () => {
    const pageOf = (count: number) =>
      newestFirst(
        Array.from({ length: count }, (_, at) => ({ ms: 30 - at, id: `r${at}` })),
        2,
        (it) => it,
        ({ id }) => id,
        { ms: 7, id: 'unread' },
      );
    for (const count of [0, 1, 2])
      expect(beforeOf(pageOf(count).next_cursor ?? '')).toEqual({ before: { ms: 7, id: 'unread' } });
  });
});

describe('a cursor', () => {
  it('a cursor comes back as it went out', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.integer())), (parts) => {
        expect(decodeCursor(encodeCursor(parts))).toEqual(parts);
        expect(encodeCursor(parts)).toMatch(/^[\w-]*$/);
      }),
    );
  });

  it('a cursor that this server did not write is answered 400', () => {
    for (const cursor of ['nonsense', 'e30', 'W3t9XQ', 'bnVsbA', '!']) {
      expect(() => decodeCursor(cursor)).toThrow(
        expect.objectContaining({ code: 'validation_failed' }) as Error,
      );
    }
    expect(() => beforeOf(encodeCursor(['a', 'b']))).toThrow(/another list/);
  });
});
