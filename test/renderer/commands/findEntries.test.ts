import { describe, expect, it } from 'vitest';
import { bestMatches, match } from '../../../renderer/commands/findEntries.ts';

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
