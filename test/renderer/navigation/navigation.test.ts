import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { screenNames, readHash, writeHash } from '../../../renderer/navigation/navigation.ts';

describe('the address of a place', () => {
  it('the address of a place names the place and what is shown there', () => {
    expect(readHash('#/live?vehicle=a1&notification=n2')).toEqual({
      place: 'live',
      query: { vehicle: 'a1', notification: 'n2' },
    });
    expect(writeHash({ place: 'video', query: { task: 't' } })).toBe('#/video?task=t');
  });

  it('the address of a place leads to Live when it is empty or unknown', () => {
    expect(readHash('').place).toBe('live');
    expect(readHash('#/nonsense').place).toBe('live');
    expect(readHash('#setup=CODE').place).toBe('live');
  });

  it('the address of a place reads back whatever it wrote', () => {
    const query = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.string());
    fc.assert(
      fc.property(fc.constantFrom(...screenNames), query, (place, words) => {
        expect(readHash(writeHash({ place, query: words }))).toEqual({ place, query: { ...words } });
      }),
    );
  });
});
