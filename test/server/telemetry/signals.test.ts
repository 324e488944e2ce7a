import { describe, expect, it } from 'vitest';
import { ruleOf } from '../notifications/rows.ts';
import { settings } from './positions.ts';
import { vehicleIn } from './vehicleIn.ts';

describe('the ignition', () => {
  it('the ignition is reported when it changes between known values, with how long it had been the other way', () => {
    const { at, kinds } = vehicleIn();
    expect(kinds(0, { ignition: true })).toEqual([]);
    expect(kinds(10)).toEqual([]);
    expect(kinds(20, { ignition: true })).toEqual([]);
    const [off] = at(30, { ignition: false });
    expect(off).toMatchObject({
      isNew: true,
      event: {
        kind: 'ignition_off',
        time_ms: 30_000,
        lat: 52.5,
        details: { duration_s: null, fixes: [{ lat: 52.5 }] },
      },
    });
    expect(at(90, { ignition: true })[0]?.event).toMatchObject({
      kind: 'ignition_on',
      details: { duration_s: 60 },
    });
  });

  it('the ignition is moved by messages without a fix, which give no place', () => {
    const { at, kinds } = vehicleIn();
    kinds(0, { ignition: true });
    expect(at(10, { ignition: false, valid: false })[0]?.event).toMatchObject({
      kind: 'ignition_off',
      lat: null,
      details: { fixes: [] },
    });
  });

  it('the ignition is not moved by late messages, nor by those out of order', () => {
    const { kinds } = vehicleIn();
    kinds(5_000, { ignition: false });
    expect(kinds(4_999, { ignition: true, received_ms: 5_001_000 })).toEqual([]);
    expect(kinds(5_100, { ignition: true, received_ms: 6_000_001 })).toEqual([]);
    expect(kinds(6_010, { ignition: false })).toEqual([]);
    expect(kinds(6_020, { ignition: true })).toEqual(['ignition_on']);
  });
});

describe('the battery', () => {
  it('the battery is low at the threshold itself, and again only after it was over the clearing one', () => {
    const { at, kinds } = vehicleIn();
    expect(kinds(0, { battery_pct: 21 })).toEqual([]);
    expect(at(10, { battery_pct: 20 })[0]?.event).toMatchObject({
      kind: 'low_battery',
      details: { measured: 20, threshold: 20, unit: '%', limit_source: 'setting', alarm: null },
    });
    const later = [5, 25, 19, 30, 20].flatMap((battery_pct, step) => kinds(20 + step, { battery_pct }));
    expect(later).toEqual([]);
    expect(kinds(30)).toEqual([]);
    expect(kinds(40, { battery_pct: 31 })).toEqual([]);
    expect(kinds(50, { battery_pct: 20, valid: false })).toEqual(['low_battery']);
  });

  it('the battery is reported once when the terminal says so as well, in the same message or later', () => {
    const both = vehicleIn();
    const [news, ...more] = both.at(0, { battery_pct: 15, alarms: ['low_battery'] });
    expect(more).toEqual([]);
    expect(news?.event).toMatchObject({
      kind: 'low_battery',
      details: { measured: 15, alarm: 'low_battery' },
    });
    const later = vehicleIn();
    expect(later.kinds(0, { battery_pct: 15 })).toEqual(['low_battery']);
    expect(later.kinds(10, { battery_pct: 14, alarms: ['low_battery'] })).toEqual([]);
  });

  it('the battery is low when the terminal alone says so, each time that it begins to', () => {
    const { at, kinds } = vehicleIn();
    expect(at(0, { alarms: ['low_battery'] })[0]?.event).toMatchObject({
      kind: 'low_battery',
      details: { measured: null, threshold: null, alarm: 'low_battery' },
    });
    expect(kinds(10, { alarms: ['low_battery'] })).toEqual([]);
    expect(kinds(20)).toEqual([]);
    expect(kinds(30, { alarms: ['low_battery'] })).toEqual(['low_battery']);
  });

  it('the battery does not flap when the clearing threshold is set below the other', () => {
    const { kinds } = vehicleIn({ settings: { ...settings, low_battery_clear_pct: 10 } });
    const published = [20, 19, 20, 18].flatMap((battery_pct, at) => kinds(at, { battery_pct }));
    expect(published).toEqual(['low_battery']);
  });
});

describe('alarms of the terminal', () => {
  it('alarms of the terminal are events of their kind where there is one, and the terminal’s own else', () => {
    const { at } = vehicleIn();
    const alarms = ['fuel_leak', 'harsh_cornering', 'low_battery', 'power_cut', 'sos'];
    const published = at(0, { alarms }).map(({ event }) => [event.kind, event.details.alarm]);
    expect(published.sort()).toEqual([
      ['harsh_cornering', 'harsh_cornering'],
      ['low_battery', 'low_battery'],
      ['power_cut', 'power_cut'],
      ['sos', 'sos'],
      ['terminal_alarm', 'fuel_leak'],
    ]);
  });

  it('alarms of the terminal are reported late, too, and move nothing then', () => {
    const { at, kinds } = vehicleIn();
    const late = at(0, { alarms: ['low_battery', 'power_cut'], battery_pct: 5, received_ms: 900_001 });
    expect(late.map(({ event }) => [event.kind, event.late])).toEqual([
      ['low_battery', true],
      ['power_cut', true],
    ]);
    expect(kinds(1_000, { battery_pct: 5 })).toEqual(['low_battery']);
  });
});

describe('harsh driving', () => {
  const drive = (from: number, to: number, more = {}) => {
    const vehicle = vehicleIn();
    vehicle.at(0, { speed_kmh: from, course_deg: 0 });
    return vehicle.at(1, { speed_kmh: to, course_deg: 0, ...more });
  };

  it('harsh driving is reported at the threshold itself, with the measured value, in m/s²', () => {
    expect(drive(50, 60.8)[0]?.event).toMatchObject({
      kind: 'harsh_acceleration',
      details: {
        measured: 3,
        threshold: 3,
        unit: 'm/s²',
        duration_s: 1,
        limit_source: 'setting',
        alarm: null,
      },
    });
    expect(drive(50, 37.4)[0]?.event).toMatchObject({
      kind: 'harsh_braking',
      details: { measured: 3.5, threshold: 3.5, fixes: [{ speed_kmh: 50 }, { speed_kmh: 37.4 }] },
    });
    // 36 km/h are 10 m/s: 0.4 rad in a second.
    const corner = (course_deg: number) => drive(36, 36, { course_deg });
    expect(corner(22.92)[0]?.event).toMatchObject({
      kind: 'harsh_cornering',
      details: { measured: 4, threshold: 4 },
    });
    for (const news of [drive(50, 60.7), drive(50, 37.5), corner(22.8), corner(337.2)])
      expect(news).toEqual([]);
    expect(corner(337)[0]?.event.kind).toBe('harsh_cornering');
  });

  it('harsh driving is measured only between fixes at most 2 s apart', () => {
    for (const [gap_s, published] of [
      [2, ['harsh_braking']],
      [2.001, []],
      [0.4, []],
    ] as const) {
      const { at, kinds } = vehicleIn();
      at(0, { speed_kmh: 90 });
      expect(kinds(gap_s, { speed_kmh: 30 })).toEqual(published);
    }
  });

  it('harsh driving needs more than 10 km/h at both fixes for a corner', () => {
    for (const [from, to, published] of [
      [11, 11, ['harsh_cornering']],
      [10, 11, []],
      [11, 10, []],
    ] as const) {
      const { at, kinds } = vehicleIn();
      at(0, { speed_kmh: from, course_deg: 10 });
      expect(kinds(1, { speed_kmh: to, course_deg: 100 })).toEqual(published);
    }
  });

  it('harsh driving is one event over several fixes, and another one later', () => {
    const { kinds } = vehicleIn();
    const speeds = [90, 75, 60, 45, 30, 30, 30, 30, 30, 30, 30, 30, 15];
    const published = speeds.flatMap((speed_kmh, at) =>
      kinds(at, { speed_kmh }).map((kind) => `${kind} ${at}`),
    );
    expect(published).toEqual(['harsh_braking 1', 'harsh_braking 12']);
  });

  it('harsh driving is reported once when the terminal says so as well: in the same message, just before or just after', () => {
    const alarms = ['harsh_braking'];
    const [same, ...more] = drive(90, 60, { alarms });
    expect(more).toEqual([]);
    expect(same?.event.details).toMatchObject({ measured: 8.33, alarm: 'harsh_braking' });

    const after = vehicleIn();
    const published = [90, 60, 60, 60].flatMap((speed_kmh, at) =>
      after.kinds(at, { speed_kmh, alarms: at === 3 ? alarms : [] }),
    );
    expect(published).toEqual(['harsh_braking']);

    const before = vehicleIn();
    before.at(0, { speed_kmh: 90 });
    expect(before.at(1, { speed_kmh: 90, alarms })[0]?.event.details).toMatchObject({
      measured: null,
      alarm: 'harsh_braking',
    });
    expect(before.kinds(2, { speed_kmh: 60 })).toEqual([]);
  });
});

describe('idling', () => {
  const on = { speed_kmh: 0, ignition: true };

  it('idling is reported after 300 s with the ignition on below 3 km/h, once, and again when it is over', () => {
    const { at, kinds } = vehicleIn();
    kinds(0, { speed_kmh: 3, ignition: true });
    kinds(10, { speed_kmh: 2.9 });
    expect(kinds(309, on)).toEqual([]);
    const [news] = at(310, { ...on, received_ms: 312_000 });
    expect(news).toMatchObject({
      isNew: true,
      event: {
        kind: 'idling',
        time_ms: 310_000,
        received_ms: 312_000,
        rule_id: null,
        details: {
          measured: 300,
          threshold: 300,
          unit: 's',
          duration_s: 300,
          limit_source: 'setting',
          ended_at: null,
        },
      },
    });
    expect(kinds(400, on)).toEqual([]);
    const [over] = at(430, { speed_kmh: 8 });
    expect(over).toMatchObject({
      isNew: false,
      event: {
        event_id: news?.event.event_id,
        time_ms: 310_000,
        received_ms: 312_000,
        details: { duration_s: 420, ended_at: '1970-01-01T00:07:10.000Z' },
      },
    });
    expect(kinds(500, { speed_kmh: 8 })).toEqual([]);
  });

  it('idling ends with the ignition, also by a message without a fix', () => {
    const { at, kinds } = vehicleIn();
    kinds(0, on);
    kinds(300, on);
    const news = at(350, { ignition: false, valid: false });
    expect(news.map(({ event }) => event.kind)).toEqual(['ignition_off', 'idling']);
    expect(news[1]).toMatchObject({ isNew: false, event: { details: { duration_s: 350 } } });
  });

  it('idling is not what stands with the ignition off or unknown, or drives without saying how fast', () => {
    for (const ignition of [false, null]) {
      const { kinds } = vehicleIn();
      expect([0, 300, 600].flatMap((time_s) => kinds(time_s, { speed_kmh: 0, ignition }))).toEqual([]);
    }
    const silent = vehicleIn();
    const published = Array.from({ length: 40 }, (_, at) =>
      silent.kinds(at * 30, { ignition: true, lon: 13.4 + at * 0.004 }),
    );
    expect(published.flat()).not.toContain('idling');
  });

  it('idling ends at the last fix before a gap of more than an hour', () => {
    const { at, kinds } = vehicleIn();
    kinds(0, on);
    kinds(300, on);
    const [over] = at(3_901, on);
    expect(over?.event.details).toMatchObject({ duration_s: 300, ended_at: '1970-01-01T00:05:00.000Z' });
    expect(kinds(4_200, on)).toEqual([]);
    expect(kinds(4_201, on)).toEqual(['idling']);
  });

  it('idling is measured by the rules with times of their own as well, from when they are there', () => {
    const rule = ruleOf({ event_kind: 'idling', params: { min_duration_s: 60 } });
    rule.updated_at = '1970-01-01T00:00:00.000Z';
    const { at, kinds, world } = vehicleIn({ rules: [rule] });
    kinds(0, on);
    expect(at(60, on)[0]?.event).toMatchObject({
      rule_id: rule.rule_id,
      rule_version: 1,
      details: { threshold: 60, limit_source: 'rule' },
    });
    const younger = ruleOf({ event_kind: 'idling', params: { min_duration_s: 90 } });
    younger.updated_at = '1970-01-01T00:01:40.000Z';
    world.rules = [younger];
    // The one that is gone ends; the new one was not there when its time was reached.
    expect(at(120, on).map(({ isNew, event }) => [isNew, event.rule_id])).toEqual([[false, rule.rule_id]]);
    expect(kinds(200, on)).toEqual([]);
  });
});
