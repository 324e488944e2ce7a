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

  it('the search of the palette does not find what stands inside of a word, but a number in a plate', () => {
    expect(marked('Overspeed', 'speed')).toBeUndefined();
    expect(marked('AB1234', '1234')).toBe('AB[1234]');
  });

  it('the search of the palette needs every word', () => {
    expect(match('V 17', 'v 18')).toBeNull();
  });

  it('the search of the palette puts the nearest first', () => {
    const found = bestMatches(['Depot road', 'Road 5'], (it) => it, 'road', 5);
    expect(found.map((it) => it.item)).toEqual(['Road 5', 'Depot road']);
  });
});
