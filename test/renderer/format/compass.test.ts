import { describe, expect, it } from 'vitest';
import { compassPoint, formatCourse } from '../../../renderer/format/compass.ts';

describe('courses', () => {
  it.each([
    [0, 'N'],
    [22.4, 'N'],
    [22.6, 'NE'],
    [337.6, 'N'],
    [360, 'N'],
    [-90, 'W'],
  ] as const)('%d° is %s', (deg, point) => {
    expect(compassPoint(deg)).toBe(point);
  });

  it('courses are said with their degrees', () => {
    expect(formatCourse(63.2)).toBe('NE 63°');
    expect(formatCourse(359.8)).toBe('N 0°');
  });
});
