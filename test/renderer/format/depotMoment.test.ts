import fc from 'fast-check';
import { expect, test } from 'vitest';
import { offsets, parseDateTime } from '../../../server/contract/localTime.ts';
import { dateField, readDate, readTime, timeField } from '../../../renderer/format/depotMoment.ts';

const berlin = 'Europe/Berlin';

function at(date: string, time: string, zone = berlin): string {
  const day = readDate(date);
  const second = readTime(time);
  if (day === null || second === null) throw new Error('the test is wrong');
  return new Date(parseDateTime(day, second, zone)).toISOString();
}

test('the depot’s clock reads a time of the depot’s zone, in summer and in winter', () => {
  expect(at('2026-11-19', '12:03:18')).toBe('2026-11-19T11:03:18.000Z');
  expect(at('2026-07-19', '12:03:18')).toBe('2026-07-19T10:03:18.000Z');
  expect(at('2026-11-19', '00:00', 'Asia/Kathmandu')).toBe('2026-11-18T18:15:00.000Z');
});

test('the depot’s clock takes the first of two equal times, and a time that was jumped over as much later as the jump', () => {
  expect(at('2026-10-25', '02:30')).toBe('2026-10-25T00:30:00.000Z');
  expect(at('2026-03-29', '02:30')).toBe('2026-03-29T01:30:00.000Z');
});

test('the depot’s clock reads back what it wrote, at every moment of a year in every kind of zone', () => {
  const zones = fc.constantFrom(berlin, 'UTC', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata');
  fc.assert(
    fc.property(zones, fc.integer({ min: 0, max: 366 * 86_400 }), (zone, second) => {
      const ms = Date.UTC(2026, 0, 1) + second * 1_000;
      const day = readDate(dateField(ms, zone));
      const time = readTime(timeField(ms, zone));
      if (day === null || time === null) throw new Error('what was written is not read');
      const read = parseDateTime(day, time, zone);
      // A clock that is put back shows an hour twice.
      expect([0, 1_800_000, 3_600_000]).toContain(ms - read);
    }),
  );
});

test('the depot’s clock takes what people type for a time, and nothing else', () => {
  expect(readTime('9:14')).toBe(9 * 3_600 + 14 * 60);
  expect(readTime(' 12:03:18 ')).toBe(43_398);
  for (const text of ['', '24:00', '12:60', '12', '12:3', '12:03:61', 'noon'])
    expect(readTime(text)).toBeNull();
  for (const text of ['', '2026-02-30', '2026-13-01', '19.11.2026']) expect(readDate(text)).toBeNull();
});

test('the depot’s clock knows its offset at any moment as the list of zones has it, also beside a change that is not at a full hour', () => {
  const goose = offsets('America/Goose_Bay');
  const change = Date.parse('1987-04-05T04:01:00Z');
  expect([-60_000, -1, 0, 60_000].map((ms) => goose(change + ms) / 3_600_000)).toEqual([-4, -4, -3, -3]);
  const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
  const anyMoment = fc.integer({ min: Date.UTC(1960, 0), max: Date.UTC(2037, 0) });
  fc.assert(
    fc.property(zones, fc.array(anyMoment, { minLength: 1, maxLength: 5 }), (zone, moments) => {
      const offsetAt = offsets(zone);
      for (const ms of moments) {
        const wall = Date.parse(`${dateField(ms, zone)}T${timeField(ms, zone)}Z`);
        expect(offsetAt(ms)).toBe(wall - Math.floor(ms / 1_000) * 1_000);
      }
    }),
    { numRuns: 60 },
  );
});
