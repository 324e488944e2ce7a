import { describe, expect, it } from 'vitest';
import { createI18n, createTranslate } from '../../../renderer/i18n/text.ts';
import {
  formatCodes,
  summarize,
  formatOutcome,
  refusalWords,
  reportFacts,
  saysMore,
  rejectionLabels,
} from '../../../renderer/intake/intakeLabels.ts';
import { NOON, sampleMessage, sampleReport } from './sampleMessage.ts';

const t = createTranslate(createI18n());
const spaced = (text: string) => text.replaceAll('\u00a0', ' ');

describe('the outcome of a message', () => {
  it('the outcome of a message is a word for one report, and counts for several', () => {
    const of = (outcomes: ReturnType<typeof sampleMessage>['outcomes'], decoded: number) =>
      formatOutcome(sampleMessage({ outcomes, report_count: decoded }), t);
    expect(of({ stored: 1 }, 1)).toBe('stored');
    expect(of({ stored: 3 }, 3)).toBe('3 stored');
    expect(of({ stored: 3, rejected: 1 }, 4)).toBe('1 rejected, 3 stored');
  });

  it('the outcome of a message differs from one that is still to come', () => {
    expect(formatOutcome(sampleMessage(), t)).toBe('nothing to store');
    expect(formatOutcome(sampleMessage({ report_count: 2 }), t)).toBe('in progress');
  });

  it('the outcome of a message is that it cannot be read, unless something became of a part of it', () => {
    expect(formatOutcome(sampleMessage({ undecodable: true }), t)).toBe('unreadable');
    const partly = sampleMessage({ undecodable: true, outcomes: { stored: 2 }, report_count: 2 });
    expect(formatOutcome(partly, t)).toBe('2 stored');
  });

  it('the outcome of a message has its codes beside it, each with how many reports it is of', () => {
    expect(formatCodes(sampleMessage())).toBe('');
    expect(formatCodes(sampleMessage({ codes: { time_in_future: 1 } }))).toBe('time_in_future');
    expect(formatCodes(sampleMessage({ codes: { time_in_future: 2, disk_full: 1 } }))).toBe(
      '2 time_in_future, disk_full',
    );
  });
});

describe('the gist of a message', () => {
  it('the gist of a message is its first position', () => {
    const reports = [sampleReport({ speed_kmh: 64, alarms: ['sos'] }), sampleReport()];
    expect(summarize(sampleMessage({ summary: 'codec 8', reports, report_count: 4 }), t)).toBe(
      '52.50000, 13.40000 · 64 km/h · sos · + 3 more',
    );
  });

  it('the gist of a message is what it was, when it bore no position', () => {
    expect(summarize(sampleMessage({ summary: 'the CRC does not fit' }), t)).toBe('the CRC does not fit');
    const reports = [sampleReport({ lat: null, lon: null })];
    expect(summarize(sampleMessage({ summary: 'IMEI 356', reports, report_count: 1 }), t)).toBe('IMEI 356');
    expect(summarize(sampleMessage({ reports, report_count: 1 }), t)).toBe('no position');
    expect(summarize(sampleMessage(), t)).toBe('nothing readable yet');
  });
});

describe('the count of rejected connections', () => {
  it('the count of rejected connections is given by reason, without those that never happened', () => {
    const counts = {
      undecodable: 0,
      protocol_mismatch: 3,
      unidentified: 0,
      incomplete: 1,
      idle: 0,
      slow_reader: 0,
      limit: 0,
    };
    expect(rejectionLabels({ rejections: counts }, t)).toEqual({
      total: 4,
      words: ['3 wrong protocol', '1 incomplete'],
    });
  });

  it('the count of rejected connections is absent where it is not counted', () => {
    expect(rejectionLabels({ rejections: null }, t)).toEqual({ total: 0, words: [] });
  });
});

describe('the list of a report’s values', () => {
  const facts = (fields: Parameters<typeof sampleReport>[0]) =>
    Object.fromEntries(
      reportFacts(sampleReport(fields), Date.parse(NOON), t, (ms) => new Date(ms).toISOString()).map(
        ([name, value]) => [name, spaced(value)],
      ),
    );

  it('the list of a report’s values leaves out what the terminal left out', () => {
    expect(facts({})).toEqual({ Time: NOON, Location: '52.500000, 13.400000' });
  });

  it('the list of a report’s values has each measure with its unit, and what the standard has no field for under its own name', () => {
    expect(
      facts({
        altitude_m: 34,
        speed_kmh: 64.4,
        course_deg: 63,
        accuracy_m: 3.5,
        satellites: 0,
        hdop: 0.9,
        valid: false,
        ignition: false,
        odometer_m: 12,
        battery_pct: 80,
        alarms: ['sos', 'power_cut'],
        attributes: { io21: 5, io78: '0011' },
      }),
    ).toMatchObject({
      Fix: 'No GPS fix',
      Speed: '64 km/h',
      Course: 'NE 63°',
      Altitude: '34 m',
      Accuracy: '3.5 m',
      Satellites: '0',
      HDOP: '0.9',
      Ignition: 'off',
      Odometer: '12 m',
      Battery: '80 %',
      Alarms: 'sos, power_cut',
      io21: '5',
      io78: '0011',
    });
  });

  it('the list of a report’s values says how far its time is from the receipt, unless that is a minute at most', () => {
    expect(facts({ time: '2026-11-21T20:00:00.000Z' })['Time']).toBe(
      '2026-11-21T20:00:00.000Z, 8 h ahead of its receipt',
    );
    expect(facts({ time: '2026-11-21T11:30:00.000Z' })['Time']).toBe(
      '2026-11-21T11:30:00.000Z, 30 min before its receipt',
    );
    expect(facts({ time: '2026-11-21T11:59:01.000Z' })['Time']).toBe('2026-11-21T11:59:01.000Z');
    expect(facts({ time: null })['Time']).toBe('none, receive time used');
  });

  it('the list of a report’s values says that there is no GPS fix', () => {
    expect(facts({ lat: null, lon: null })['Location']).toBe('no position');
  });
});

describe('a report that only identifies its terminal', () => {
  it('a report that only identifies its terminal is distinguished from one that says anything else', () => {
    const login = sampleReport({ time: null, lat: null, lon: null });
    expect(saysMore(login)).toBe(false);
    expect(saysMore({ ...login, time: NOON })).toBe(true);
    expect(saysMore({ ...login, alarms: ['sos'] })).toBe(true);
    expect(saysMore({ ...login, valid: false })).toBe(true);
    expect(saysMore({ ...login, attributes: { io21: 5 } })).toBe(true);
  });
});

describe('the reason of a rejected message', () => {
  const why = (
    code: keyof ReturnType<typeof sampleMessage>['codes'],
    fields: Parameters<typeof sampleReport>[0] = {},
    offset_s = 0,
  ) =>
    spaced(
      refusalWords(
        { reports: [sampleReport(fields)], at: NOON, codes: { [code]: 1 } },
        { max_future_s: 600, offset_s },
        t,
      ),
    );

  it('the reason of a rejected message is its time, with how far that is ahead and what is allowed', () => {
    expect(why('time_in_future', { time: '2026-11-21T19:59:59.900Z' })).toContain('8 h ahead, limit 10 min');
  });

  it('the reason of a rejected message is its time without how far, when what is at hand is not ahead or the vehicle is set to that by now', () => {
    expect(why('time_in_future')).toContain('too far ahead, limit 10 min');
    expect(why('time_in_future', { time: '2026-11-21T20:00:00.000Z' }, 28_800)).toContain(
      'too far ahead, limit 10 min',
    );
  });

  it('the reason of a rejected message is its place, when there is none such', () => {
    expect(why('invalid_coordinates', { lat: 91 })).toBe('Rejected: invalid coordinates.');
  });

  it('the reason of a rejected message is not guessed from anything else', () => {
    expect(why('undecodable', { time: '2027-11-21T20:00:00.000Z', lat: 91 })).toBe('Decoded but rejected.');
  });
});
