import { describe, expect, it } from 'vitest';
import { formatAge, formatShortAge } from '../../../renderer/format/age.ts';

/** As the eye reads it: unbreakable and thin spaces are spaces. */
const plain = (text: string) => text.replace(/[\u00a0\u2009]/g, ' ');

describe('ages', () => {
  it.each([
    [0, '0 s'],
    [-5_000, '0 s'],
    [3_400, '3 s'],
    [43_000, '43 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [7 * 60_000 + 59_000, '7 min'],
    [7_800_000, '2 h 10 min'],
    [7_200_000, '2 h'],
    [86_400_000 * 3 + 3_600_000 * 4, '3 d 4 h'],
  ])('%d ms is %s', (ms, text) => {
    expect(plain(formatAge(ms))).toBe(text);
  });

  it('ages are in one unit for a column', () => {
    expect(plain(formatShortAge(720_000))).toBe('12 min');
    expect(plain(formatShortAge(7_800_000))).toBe('2 h');
    expect(plain(formatShortAge(86_400_000 * 3.2))).toBe('3 d');
  });

  it('ages do not break between number and unit', () => {
    expect(formatAge(7_800_000)).not.toContain(' ');
  });
});
