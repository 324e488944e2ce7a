import { describe, expect, it } from 'vitest';
import { formatBytes, formatDistance, formatNumber } from '../../../renderer/format/numbers.ts';

/** As the eye reads it: unbreakable and thin spaces are spaces. */
const plain = (text: string) => text.replace(/[\u00a0\u2009]/g, ' ');

describe('numbers', () => {
  it('numbers have a true minus sign, and none at zero', () => {
    expect(formatNumber(-4.6, 1)).toBe('−4.6');
    expect(formatNumber(-0.04, 1)).toBe('0.0');
  });

  it('numbers are grouped from five digits on', () => {
    expect(plain(formatNumber(218_406))).toBe('218 406');
    expect(formatNumber(5_027)).toBe('5027');
    expect(plain(formatNumber(1_234_567.89, 1))).toBe('1 234 567.9');
  });

  it('numbers change the unit of a length at a kilometre', () => {
    expect(formatDistance(999)).toBe('999 m');
    expect(formatDistance(999.6)).toBe('1.0 km');
    expect(formatDistance(142_600)).toBe('142.6 km');
    expect(formatBytes(71_800_000)).toBe('71.8 MB');
  });
});
