import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestMatches, createItemSearch, match } from '../../../renderer/search/itemSearch.ts';

const marked = (text: string, typed: string) =>
  match(text, typed)
    ?.parts.map((part) => (part.typed ? `[${part.text}]` : part.text))
    .join('');

describe('the search of the palette', () => {
  it('the search of the palette finds words by how they begin and marks what was typed', () => {
    expect(marked('V 17 Overspeed 12:03:48', 'v 17 ov')).toBe('[V] [17] [Ov]erspeed 12:03:48');
    expect(marked('Ring road', 'road')).toBe('Ring [road]');
  });

  it('the search of the palette also finds what stands inside of a word, behind what begins one', () => {
    expect(marked('Overspeed', 'speed')).toBe('Over[speed]');
    expect(marked('AB1234', '1234')).toBe('AB[1234]');
    const found = bestMatches(['Overspeed', 'No speed'], (it) => it, 'speed', 5);
    expect(found.map((it) => it.item)).toEqual(['No speed', 'Overspeed']);
  });

  it.each([
    ['AL4287', '[AL 4287]'],
    ['al-4287', '[AL 4287]'],
    ['al 42', '[AL] [42]87'],
    ['l42', 'A[L 42]87'],
  ])('the search of the palette finds AL 4287 by %s', (typed, expected) => {
    expect(marked('AL 4287', typed)).toBe(expected);
  });

  it.each([
    ['Müller', 'muller', '[Müller]'],
    ['Mu\u0308ller', 'müll', '[Mu\u0308ll]er'],
    ['Straße 5', 'strasse', '[Straße] 5'],
    ['Łódź', 'lodz', '[Łódź]'],
    ['Werk‑Süd', 'werksud', '[Werk‑Süd]'],
  ])('the search of the palette finds %s by %s', (text, typed, expected) => {
    expect(marked(text, typed)).toBe(expected);
  });

  it('the search of the palette needs every word', () => {
    expect(match('V 17', 'v 18')).toBeNull();
  });

  it('the search of the palette puts the nearest first', () => {
    const found = bestMatches(['Depot road', 'Road 5'], (it) => it, 'road', 5);
    expect(found.map((it) => it.item)).toEqual(['Road 5', 'Depot road']);
  });
});

describe('the search of many items', () => {
  const words = fc.array(fc.constantFrom('Van', 'van-01', 'Ring', 'AL', '42', 'Müller', 'a', 'ab', '0100'), {
    minLength: 1,
    maxLength: 4,
  });
  const text = words.map((it) => it.join(' '));

  it('finds at each key what a search of every item anew finds, head before tail', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { maxLength: 30 }), text, (texts, typed) => {
        const items = new Map(texts.map(([head, tail], at) => [`${at}`, { head, tail }]));
        const search = createItemSearch((it: { head: string; tail: string }) => [it.head, it.tail] as const);
        const rankOf = ({ head, tail }: { head: string; tail: string }, keys: string) =>
          match(head, keys)?.rank ?? (match(`${head} ${tail}`, keys)?.rank ?? NaN) + 1_000_000;
        for (let end = 1; end <= typed.length; end++) {
          const keys = typed.slice(0, end);
          const ranks = [...items.values()].map((it) => rankOf(it, keys)).filter((it) => !Number.isNaN(it));
          const { found, others } = search.best(items, keys, 5);
          expect(found.length + others).toBe(ranks.length);
          expect(found.map(({ item }) => rankOf(item, keys))).toEqual(
            ranks.toSorted((a, b) => a - b).slice(0, 5),
          );
          for (const { item, parts } of found)
            expect([item.head, `${item.head} ${item.tail}`]).toContain(parts.map((it) => it.text).join(''));
        }
      }),
    );
  });

  it('finds a changed item by what it is called now, and warms in slices', () => {
    const search = createItemSearch((it: { name: string }) => [it.name, ''] as const);
    const before = new Map([
      ['1', { name: 'Van 1' }],
      ['2', { name: 'Van 2' }],
    ]);
    expect([search.warm(before, 1), search.warm(before, 1), search.warm(before, 1)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(search.best(before, 'lo', 5).found).toEqual([]);
    const after = new Map(before).set('2', { name: 'Lorry 2' });
    expect(search.best(after, 'lor', 5).found.map((it) => it.item.name)).toEqual(['Lorry 2']);
  });
});
