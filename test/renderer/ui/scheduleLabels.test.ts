import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { formats } from '../../../renderer/format/formats.ts';
import { schedule } from '../../../server/contract/schedule.ts';
import {
  dayNames,
  endsNextDay,
  isClock,
  formatSchedule,
  tidyClock,
} from '../../../renderer/ui/scheduleLabels.ts';

describe('a time of the day as a hand types it', () => {
  it.each([
    ['8', '08:00'],
    ['08', '08:00'],
    ['830', '08:30'],
    ['0830', '08:30'],
    ['8:30', '08:30'],
    ['8.30', '08:30'],
    [' 23:59 ', '23:59'],
    ['0', '00:00'],
  ])('a time of the day as a hand types it takes %s as %s', (typed, clock) => {
    expect(tidyClock(typed)).toBe(clock);
  });

  it.each(['24:00', '12:60', 'noon', '', '8:30:15', '-1'])(
    'a time of the day as a hand types it leaves %j as it is',
    (typed) => {
      expect(tidyClock(typed)).toBe(typed);
      expect(isClock(tidyClock(typed))).toBe(false);
    },
  );

  it('a time of the day as a hand types it leaves every time that is already whole', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }), (hour, minute) => {
        const clock = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
        expect(tidyClock(clock)).toBe(clock);
        expect(isClock(clock)).toBe(true);
      }),
    );
  });
});

describe('a schedule in words', () => {
  it('a schedule in words names the days from Monday on', () => {
    expect(dayNames().map((it) => it.short)).toEqual(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']);
    expect(dayNames()[6]).toEqual({ day: 7, short: 'Sun', long: 'Sunday' });
  });

  it('a schedule in words says days that follow each other by the first and the last', () => {
    const text = formatSchedule({
      timezone: 'UTC',
      ranges: [
        { days: [5, 1, 2, 3, 4], from: '08:00', to: '17:00' },
        { days: [6, 7], from: '22:00', to: '06:00' },
        { days: [1, 3, 4, 5], from: '09:00', to: '10:00' },
      ],
    });
    expect(text).toBe('Mon – Fri 08:00 – 17:00, Sat, Sun 22:00 – 06:00, Mon, Wed – Fri 09:00 – 10:00');
  });

  it('a schedule in words knows a range that goes on into the next day, the whole day among them', () => {
    const range = (from: string, to: string) => ({ days: [1], from, to });
    expect(endsNextDay(range('22:00', '06:00'))).toBe(true);
    expect(endsNextDay(range('08:00', '08:00'))).toBe(true);
    expect(endsNextDay(range('08:00', '17:00'))).toBe(false);
    expect(endsNextDay(range('08:00', '6'))).toBe(false);
  });

  it('a schedule in words tidies into what the contract takes', () => {
    const ranges = [{ days: [1], from: tidyClock('8'), to: tidyClock('1730') }];
    expect(schedule.safeParse({ timezone: 'Europe/Berlin', ranges }).success).toBe(true);
  });
});

describe('the days of the week', () => {
  afterEach(() => formats.setState({ firstDay: 1, hourCycle: 'h23' }));

  it('the days of the week begin with the first day of the user’s week', () => {
    const shown = () => dayNames('en').map(({ short }) => short);
    expect(shown()).toEqual(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']);
    formats.setState({ firstDay: 7 });
    expect(shown()).toEqual(['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']);
    formats.setState({ firstDay: 6 });
    expect(shown().slice(0, 3)).toEqual(['Sat', 'Sun', 'Mon']);
    const ranges = [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '17:00' }];
    expect(formatSchedule({ timezone: 'UTC', ranges }, dayNames('en'))).toBe('Mon – Fri 08:00 – 17:00');
  });

  it('a schedule in words has its times by the clock of the user', () => {
    formats.setState({ hourCycle: 'h12' });
    const ranges = [{ days: [6], from: '00:00', to: '17:30' }];
    expect(formatSchedule({ timezone: 'UTC', ranges })).toBe('Sat 12:00 am – 5:30 pm');
  });
});
