import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { driveAt, drivesOf, type DriveSources } from '../../../server/drivers/drives.ts';
import type { CardMoment } from '../../../server/store/telemetry/cardReads.ts';

const hour = 3_600_000;
const read = (time_ms: number, card: string, off_ms: number | null = null): CardMoment => ({
  ...{ time_ms, card, off_ms },
});
const assigned = (assignment_id: string, from_ms: number, to_ms: number | null = null) => ({
  ...{ assignment_id, driver_id: `driver of ${assignment_id}` },
  from: new Date(from_ms).toISOString(),
  to: to_ms === null ? null : new Date(to_ms).toISOString(),
});
const drives = (sources: Partial<DriveSources>) =>
  drivesOf({
    ...{ moments: [], assignments: [], now_ms: 100 * hour },
    holderOf: (card) => (card === 'X' ? null : `holder of ${card}`),
    ...sources,
  });
const brief = (sources: Partial<DriveSources>) =>
  drives(sources).map((it) => [it.from_ms / hour, it.to_ms === null ? null : it.to_ms / hour, it.driver_id]);

describe('a card that was read', () => {
  it('a card counts until another one is read', () => {
    const moments = [read(hour, 'A'), read(2 * hour, 'A'), read(3 * hour, 'B', 4 * hour)];
    expect(brief({ moments })).toEqual([
      [1, 3, 'holder of A'],
      [3, 4, 'holder of B'],
    ]);
  });

  it('a card counts until it is taken out or the ignition is switched off', () => {
    const moments = [read(hour, 'A'), read(2 * hour, ''), read(3 * hour, 'A', 5 * hour)];
    expect(brief({ moments })).toEqual([
      [1, 2, 'holder of A'],
      [3, 5, 'holder of A'],
    ]);
  });

  it('a card counts for 12 hours at most, and is a drive that goes on while it may still be there', () => {
    expect(brief({ moments: [read(hour, 'A')] })).toEqual([[1, 13, 'holder of A']]);
    expect(brief({ moments: [read(hour, 'A')], now_ms: 5 * hour })).toEqual([[1, null, 'holder of A']]);
  });

  it('a card that no driver has is a drive of nobody known', () => {
    expect(drives({ moments: [read(hour, 'X', 2 * hour)] })).toEqual([
      { from_ms: hour, to_ms: 2 * hour, driver_id: null, card: 'X', assignment_id: null },
    ]);
  });
});

describe('an assignment', () => {
  it('an assignment counts where no card does', () => {
    const assignments = [assigned('a', 0, 10 * hour)];
    const moments = [read(2 * hour, 'A', 3 * hour), read(5 * hour, 'X', 6 * hour)];
    expect(brief({ assignments, moments })).toEqual([
      [0, 2, 'driver of a'],
      [2, 3, 'holder of A'],
      [3, 5, 'driver of a'],
      [5, 6, null],
      [6, 10, 'driver of a'],
    ]);
  });

  it('an assignment that began later counts while it lasts, then the one before it again', () => {
    const assignments = [
      assigned('a', 0),
      assigned('b', 2 * hour, 4 * hour),
      assigned('c', 3 * hour, 5 * hour),
    ];
    expect(brief({ assignments })).toEqual([
      [0, 2, 'driver of a'],
      [2, 3, 'driver of b'],
      [3, 5, 'driver of c'],
      [5, null, 'driver of a'],
    ]);
  });

  it('an assignment that has not begun is no drive, and one that has not ended goes on', () => {
    const assignments = [assigned('a', 0, 200 * hour), assigned('b', 150 * hour)];
    expect(brief({ assignments })).toEqual([[0, null, 'driver of a']]);
  });
});

it('at every moment the drives say what the rule says of that moment alone', () => {
  const moment = fc.record({
    at: fc.nat(60),
    card: fc.constantFrom('A', 'B', 'X', ''),
    off: fc.option(fc.nat(20)),
  });
  const period = fc.record({ from: fc.nat(60), hours: fc.option(fc.integer({ min: 1, max: 40 })) });
  fc.assert(
    fc.property(
      fc.uniqueArray(moment, { selector: (it) => it.at, maxLength: 8 }),
      fc.array(period, { maxLength: 6 }),
      fc.nat(80),
      (reads, periods, now) => {
        const moments = reads
          .filter((it) => it.at <= now)
          .sort((a, b) => a.at - b.at)
          .map(({ at, card, off }, index, all) => {
            const next = all[index + 1]?.at ?? Infinity;
            const off_at = off === null || card === '' ? null : at + 1 + off;
            const isSeen = off_at !== null && off_at < Math.min(next, at + 12) && off_at <= now;
            return read(at * hour, card, isSeen ? off_at * hour : null);
          });
        const assignments = periods
          .sort((a, b) => a.from - b.from)
          .map(({ from, hours }, at) =>
            assigned(`a${at}`, from * hour, hours === null ? null : (from + hours) * hour),
          );
        const found = drives({ moments, assignments, now_ms: now * hour });
        for (let at = 0; at <= now; at++) {
          const at_ms = at * hour;
          const last = moments.findLast((it) => it.time_ms <= at_ms);
          const counts =
            last !== undefined &&
            last.card !== '' &&
            at_ms < Math.min(last.time_ms + 12 * hour, last.off_ms ?? Infinity);
          const covering = assignments.findLast(
            (it) => Date.parse(it.from) <= at_ms && (it.to === null || at_ms < Date.parse(it.to)),
          );
          const expected = counts ? last.card : (covering?.assignment_id ?? null);
          const drive = driveAt(found, at_ms);
          expect(drive?.card ?? drive?.assignment_id ?? null).toBe(expected);
        }
        for (const [at, { from_ms }] of found.entries()) {
          const before = found[at - 1];
          if (before !== undefined) expect(before.to_ms ?? Infinity).toBeLessThanOrEqual(from_ms);
        }
      },
    ),
    { numRuns: 500 },
  );
});
