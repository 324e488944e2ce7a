import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAmong, parseRange, rangeHolds } from '../../../server/video/sendVideo.ts';

describe('a Range header', () => {
  it.each([
    ['bytes=0-99', { start: 0, end: 99 }],
    ['bytes=900-', { start: 900, end: 999 }],
    ['bytes=-100', { start: 900, end: 999 }],
    ['bytes=-5000', { start: 0, end: 999 }],
    ['bytes=990-5000', { start: 990, end: 999 }],
    ['bytes=1000-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=9-3', null],
    ['bytes=-', null],
    ['bytes=0-1,5-6', null],
    ['lines=0-1', null],
    [undefined, null],
  ])('%s of 1,000 bytes is read as RFC 9110 says', (header, expected) => {
    expect(parseRange(header, 1000)).toEqual(expected);
  });

  it('a Range header never leads outside the file', () => {
    fc.assert(
      fc.property(fc.nat(5000), fc.option(fc.nat(9000)), fc.option(fc.nat(9000)), (size, first, last) => {
        const range = parseRange(`bytes=${first ?? ''}-${last ?? ''}`, size);
        if (range === null || range === 'unsatisfiable') return;
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.end).toBeGreaterThanOrEqual(range.start);
        expect(range.end).toBeLessThan(size);
      }),
    );
  });
});

describe('entity tags', () => {
  it('entity tags of If-None-Match are compared weakly, those of If-Range strongly', () => {
    expect(isAmong('"x", W/"a"', '"a"')).toBe(true);
    expect(isAmong('*', '"a"')).toBe(true);
    expect(isAmong('"b"', '"a"')).toBe(false);
    expect(isAmong(undefined, '"a"')).toBe(false);
    expect(rangeHolds(undefined, '"a"')).toBe(true);
    expect(rangeHolds('"a"', '"a"')).toBe(true);
    expect(rangeHolds('W/"a"', '"a"')).toBe(false);
    expect(rangeHolds('Sat, 21 Nov 2026 12:00:00 GMT', '"a"')).toBe(false);
  });
});
