import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Rule } from '../../../server/contract/rules.ts';
import type { PositionRow } from '../../../server/store/telemetry/rows.ts';
import { circle, offset } from '../geofences/geofences.ts';
import { ruleOf } from '../notifications/rows.ts';
import { positionRow, settings as plainSettings, vehicleRecord } from './positions.ts';
import { vehicleIn as movingVehicleIn, type World } from './vehicleIn.ts';

/** Trips have tests of their own: nothing here is one. */
const settings = { ...plainSettings, trip_radius_m: 1e9, trip_stop_s: 1e9, trip_gap_s: 1e9 };
const vehicleIn = (more: Partial<World> = {}) => movingVehicleIn({ settings, ...more });

const yard = { lat: 52.5, lon: 13.4 };
const outside = offset(yard, 1_000, 0);
const depot = circle(yard, 100);

function rule(event_kind: Rule['event_kind'], more: Partial<Rule> = {}): Rule {
  return {
    ...ruleOf({ event_kind }),
    updated_at: '1970-01-01T00:00:00.000Z',
    ...more,
  };
}

const restoredAt = (time_s: number) => vehicleRecord({ restored_at: new Date(time_s * 1_000).toISOString() });

const shortly = (news: ReturnType<ReturnType<typeof vehicleIn>['pass']>) =>
  news.map(({ event, isNew }) => `${isNew ? '' : 'again '}${event.kind} ${event.time_ms / 1_000}`);

describe('a vehicle that falls silent', () => {
  it('a vehicle that falls silent is off line after 600 s without a message, once, and on line at the next', () => {
    const { at, pass, next } = vehicleIn();
    at(10, { speed_kmh: 7, received_ms: 12_000 });
    expect(next()).toBe(612);
    expect(pass(611.999)).toEqual([]);
    const [news] = pass(612);
    expect(news).toMatchObject({
      isNew: true,
      event: {
        kind: 'offline',
        time_ms: 612_000,
        ...yard,
        rule_id: null,
        details: {
          measured: 600,
          threshold: 600,
          unit: 's',
          duration_s: 600,
          limit_source: 'setting',
          fixes: [{ speed_kmh: 7 }],
        },
      },
    });
    expect(next()).toBeNull();
    expect(pass(5_000)).toEqual([]);
    const [online] = at(5_000, { received_ms: 5_012_000 });
    expect(online).toMatchObject({
      isNew: true,
      event: { kind: 'online', time_ms: 5_012_000, details: { duration_s: 5_000 } },
    });
    expect(next()).toBe(5_612);
    expect(pass(5_612)).toHaveLength(1);
  });

  it('a vehicle that falls silent is never off line when it never reported', () => {
    const { pass, next } = vehicleIn();
    expect(next()).toBeNull();
    expect(pass(1e9)).toEqual([]);
  });

  it('a vehicle that falls silent is on line again by any message, late or without a fix or not even stored', () => {
    for (const more of [{ valid: false }, { time_ms: 100_000 }]) {
      const { at, pass, seen } = vehicleIn();
      at(0);
      pass(600);
      const row = positionRow({ time_ms: 5_000_000, received_ms: 5_000_000, ...more });
      expect(seen(row).map(({ event }) => event.kind)).toEqual(['online']);
    }
    const { at, pass, next, state, become } = vehicleIn();
    at(0);
    pass(600);
    become({ ...state(), last_contact_ms: 5_000_000 });
    expect(next()).toBe(5_000);
    expect(shortly(pass(5_000))).toEqual(['online 5000']);
    expect(next()).toBe(5_600);
  });

  it('a vehicle that falls silent is off line by the rules with times of their own as well, which report no return', () => {
    const own = rule('offline', { params: { min_duration_s: 100 } });
    const { at, pass, next } = vehicleIn({ rules: [own] });
    at(0);
    expect(next()).toBe(100);
    expect(pass(100)[0]?.event).toMatchObject({
      rule_id: own.rule_id,
      details: { threshold: 100, limit_source: 'rule' },
    });
    expect(next()).toBe(600);
    expect(at(200)).toEqual([]);
  });

  it('a vehicle that falls silent is counted from the last contact over a restart, and by nothing of it before the host has settled', () => {
    const { at, pass, next, world } = vehicleIn();
    at(0);
    world.started_ms = 500_000;
    expect(next()).toBe(600);
    world.started_ms = 590_000;
    expect(next()).toBe(650);
    world.started_ms = 5_000_000;
    expect(next()).toBe(5_060);
    expect(pass(5_059)).toEqual([]);
    expect(pass(5_060)[0]?.event).toMatchObject({ time_ms: 5_060_000, details: { duration_s: 5_060 } });
    expect(shortly(at(5_070))).toEqual(['online 5070']);
    world.settings = { ...settings, offline_s: 10 };
    expect(next()).toBe(5_080);
    world.settings = { ...settings, settling_s: 300 };
    world.started_ms = 9_000_000;
    expect(next()).toBe(9_300);
  });

  it('a vehicle that falls silent was long already when a rule came is none of that rule, not after a restart either', () => {
    const late = rule('offline', {
      params: { min_duration_s: 100 },
      updated_at: '1970-01-01T00:05:00.000Z',
    });
    const { at, pass, next, world } = vehicleIn({ rules: [late] });
    at(0);
    expect(next()).toBe(600);
    world.started_ms = 400_000;
    expect(next()).toBe(600);
    expect(pass(600).map(({ event }) => event.rule_id)).toEqual([null]);
    at(700);
    expect(next()).toBe(800);
  });
});

describe('a vehicle that is silent inside a geofence', () => {
  const silent = rule('silent_inside', { params: { silent_s: 300 }, version: 4 });

  it('a vehicle that is silent inside a geofence is reported once, when a rule asks for it, and again when it reports', () => {
    const { at, pass, next } = vehicleIn({ geofences: [depot], rules: [silent] });
    at(0, outside);
    at(60, yard);
    expect(next()).toBe(360);
    expect(pass(359)).toEqual([]);
    const [news] = pass(360);
    expect(news).toMatchObject({
      isNew: true,
      event: {
        kind: 'silent_inside',
        time_ms: 360_000,
        geozone_id: depot.geozone_id,
        rule_id: silent.rule_id,
        rule_version: 4,
        details: {
          measured: 300,
          threshold: 300,
          unit: 's',
          duration_s: 300,
          limit_source: 'rule',
          ended_at: null,
        },
      },
    });
    expect(shortly(pass(660))).toEqual(['offline 660']);
    const back = at(1_000, yard);
    expect(shortly(back)).toEqual(['again silent_inside 360', 'online 1000']);
    expect(back[0]?.event).toMatchObject({
      event_id: news?.event.event_id,
      details: {
        duration_s: 940,
        ended_at: '1970-01-01T00:16:40.000Z',
        fixes: [{ time: '1970-01-01T00:01:00.000Z' }],
      },
    });
    expect(shortly(pass(1_300))).toEqual(['geofence_dwell 1260', 'silent_inside 1300']);
  });

  it('a vehicle that is silent inside a geofence is nothing without such a rule, outside, or in a geofence that the rule does not name', () => {
    const silentAt = (more: Partial<World>, place = yard) => {
      const { at, pass } = vehicleIn({ geofences: [depot], rules: [silent], ...more });
      at(0, outside);
      at(60, place);
      return shortly(pass(599));
    };
    expect(silentAt({})).toEqual(['silent_inside 360']);
    expect(silentAt({ rules: [{ ...silent, geozone_ids: [depot.geozone_id] }] })).toHaveLength(1);
    expect(silentAt({ rules: [{ ...silent, params: {} }] })).toEqual(['silent_inside 360']);
    expect(silentAt({ rules: [] })).toEqual([]);
    expect(silentAt({}, outside)).toEqual([]);
    expect(silentAt({ rules: [{ ...silent, geozone_ids: ['other'] }] })).toEqual([]);
    expect(silentAt({ rules: [{ ...silent, updated_at: '1970-01-01T00:06:00.001Z' }] })).toEqual([]);
    const night = { timezone: 'UTC', ranges: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '22:00', to: '04:00' }] };
    const day = { ...night, ranges: [{ ...night.ranges[0], days: [4], from: '04:00', to: '22:00' }] };
    expect(silentAt({ geofences: [circle(yard, 100, { schedule: night })] })).toHaveLength(1);
    expect(silentAt({ geofences: [circle(yard, 100, { schedule: day })] })).toEqual([]);
  });

  it('a vehicle that is silent inside a geofence is reported no sooner than a minute after a start of the host', () => {
    const { at, next, world } = vehicleIn({ geofences: [depot], rules: [silent] });
    at(0, yard);
    world.started_ms = 350_000;
    expect(next()).toBe(410);
  });
});

describe('a vehicle that stays in a geofence', () => {
  it('a vehicle that stays in a geofence is reported after 1,200 s by the clock, once a visit', () => {
    const { at, pass, next } = vehicleIn({
      geofences: [depot],
      settings: { ...settings, offline_s: 86_400 },
    });
    at(0, outside);
    at(60, yard);
    expect(next()).toBe(1_260);
    expect(pass(1_259.999)).toEqual([]);
    expect(pass(1_300)).toMatchObject([
      {
        isNew: true,
        event: {
          kind: 'geofence_dwell',
          time_ms: 1_260_000,
          geozone_id: depot.geozone_id,
          ...yard,
          details: { measured: 1_200, threshold: 1_200, unit: 's', limit_source: 'setting', fixes: [{}] },
        },
      },
    ]);
    expect(pass(9_000)).toEqual([]);
    expect(at(9_000, yard)).toEqual([]);
    at(9_060, outside);
    at(9_120, yard);
    expect(next()).toBe(10_320);
  });

  it('a vehicle that stays in a geofence is reported by a fix that passes the moment, the one that leaves as well, before the exit', () => {
    const drive = (...fixes: [number, typeof yard][]) => {
      const { at } = vehicleIn({ geofences: [depot] });
      const published = fixes.flatMap(([time_s, place]) => shortly(at(time_s, place)));
      return published.filter((it) => it.startsWith('geofence'));
    };
    expect(drive([0, outside], [60, yard], [1_259, yard])).toEqual(['geofence_enter 60']);
    expect(drive([0, outside], [60, yard], [1_260, yard], [1_300, yard])).toEqual([
      'geofence_enter 60',
      'geofence_dwell 1260',
    ]);
    expect(drive([0, outside], [60, yard], [1_260, outside])).toEqual([
      'geofence_enter 60',
      'geofence_dwell 1260',
      'geofence_exit 1260',
    ]);
    expect(drive([0, outside], [60, yard], [1_259, outside])).toEqual([
      'geofence_enter 60',
      'geofence_exit 1259',
    ]);
  });

  it('a vehicle that stays in a geofence is reported for a visit between two fixes that lasts', () => {
    const { at } = vehicleIn({ geofences: [circle(yard, 900)], settings: { ...settings, dwell_s: 100 } });
    at(0, offset(yard, -1_000, 0));
    const published = shortly(at(200, outside)).filter((it) => it.startsWith('geofence'));
    expect(published.map((it) => it.split(' ')[0])).toEqual([
      'geofence_enter',
      'geofence_dwell',
      'geofence_exit',
    ]);
  });

  it('a vehicle that stays in a geofence is reported by each rule with a time of its own, in its geofences, from its arrival', () => {
    const [quick, foreign, young] = [
      rule('geofence_dwell', { params: { dwell_s: 300 } }),
      rule('geofence_dwell', { params: { dwell_s: 300 }, geozone_ids: ['other'] }),
      rule('geofence_dwell', { params: { dwell_s: 300 }, updated_at: '1970-01-01T00:06:00.001Z' }),
    ];
    const { at, pass } = vehicleIn({ geofences: [depot], rules: [quick, foreign, young] });
    at(0, outside);
    at(60, yard);
    const news = pass(500);
    expect(news.map(({ event }) => [event.time_ms, event.rule_id, event.details.limit_source])).toEqual([
      [360_000, quick.rule_id, 'rule'],
    ]);
    expect(shortly(pass(1_260))).toEqual(['offline 660', 'geofence_dwell 1260']);
  });

  it('a vehicle that stays in a geofence is not reported by a rule for groups that the vehicle came into later', () => {
    const scope = { vehicle_ids: [], group_ids: ['g'] };
    const vehicle = vehicleRecord({ group_ids: ['g'], groups_changed_at: '1970-01-01T00:10:00.000Z' });
    const rules = [rule('geofence_dwell', { params: { dwell_s: 300 }, scope })];
    const { at, pass } = vehicleIn({ geofences: [depot], rules, vehicle });
    at(0, yard);
    expect(shortly(pass(599))).toEqual([]);
  });

  it('a vehicle that is put back into service is not reported for what was due while it was archived', () => {
    const passed = (restored_s: number, started_s = 0) => {
      const rules = [
        rule('offline', { params: { min_duration_s: 900 } }),
        rule('silent_inside', { params: { silent_s: 700 } }),
      ];
      const { at, pass } = vehicleIn({
        ...{ geofences: [depot], rules, started_ms: started_s * 1_000 },
        vehicle: restoredAt(restored_s),
      });
      at(0, yard);
      return shortly(pass(5_000));
    };
    const last = 'geofence_dwell 1200';
    expect(passed(600)).toEqual(['offline 600', 'silent_inside 700', 'offline 900', last]);
    expect(passed(601)).toEqual(['silent_inside 700', 'offline 900', last]);
    expect(passed(701)).toEqual(['offline 900', last]);
    expect(passed(901)).toEqual([last]);
    expect(passed(1_201)).toEqual([]);
    // After a start of the host they are due later, but of the same silence.
    expect(passed(901, 902)).toEqual([last]);
    expect(passed(700, 902)).toEqual(['offline 962', 'silent_inside 962', last]);
  });

  it('a vehicle that is put back into service is not reported for idling that was long while it was archived', () => {
    const idled = (restored_s: number) => {
      const rules = [rule('idling', { params: { min_duration_s: 700 } })];
      const { at } = vehicleIn({ rules, vehicle: restoredAt(restored_s) });
      const idling = { ignition: true, speed_kmh: 0 };
      const updates = [...at(0, idling), ...at(5_000, idling)];
      return updates.flatMap(({ event }) => (event.kind === 'idling' ? event.details.threshold : []));
    };
    expect(idled(300)).toEqual([300, 700]);
    expect(idled(301)).toEqual([700]);
    expect(idled(701)).toEqual([]);
  });

  it('a vehicle that stays in a geofence is not reported outside of the schedule, for a geofence that moved, or while it may be leaving', () => {
    const schedule = { timezone: 'UTC', ranges: [{ days: [4], from: '00:00', to: '00:20' }] };
    const dwells = (
      geofence: World['geofences'][number],
      act: (it: ReturnType<typeof vehicleIn>) => unknown,
    ) => {
      const it = vehicleIn({ geofences: [geofence] });
      it.at(0, yard);
      act(it);
      return it.pass(5_000).filter(({ event }) => event.kind === 'geofence_dwell');
    };
    expect(dwells(depot, () => undefined)).toHaveLength(1);
    expect(dwells(circle(yard, 100, { schedule }), () => undefined)).toEqual([]);
    expect(dwells(depot, ({ world }) => (world.known_from_ms = 10))).toEqual([]);
    expect(dwells(depot, ({ world }) => (world.geofences = []))).toEqual([]);
    const patient = circle(yard, 100, { min_outside_s: 600 });
    expect(dwells(patient, ({ at }) => at(900, outside))).toEqual([]);
    expect(dwells(patient, ({ at }) => [at(900, outside), at(1_000, yard)])).toHaveLength(1);
  });
});

describe('the next moment', () => {
  const rules = [
    rule('offline', { params: { min_duration_s: 45 } }),
    rule('silent_inside', { params: { silent_s: 30 } }),
    rule('geofence_dwell', { params: { dwell_s: 70 } }),
    rule('geofence_dwell', { params: { dwell_s: 20 }, updated_at: '1970-01-01T00:02:00.000Z' }),
  ];
  const geofences = [depot, circle(offset(yard, 50, 0), 400, { min_outside_s: 50, min_inside_s: 15 })];
  const anyMessages = fc.array(
    fc.record({
      pause_s: fc.integer({ min: 1, max: 150 }),
      east_m: fc.constantFrom(0, 0, 120, 300, 1_000),
      valid: fc.constantFrom(true, true, true, false),
      lag_s: fc.constantFrom(0, 0, 3, 1_000),
    }),
    { minLength: 1, maxLength: 12 },
  );

  it('the next moment brings, whenever it is followed, what looking each second brings', () => {
    let published = 0;
    fc.assert(
      fc.property(anyMessages, fc.integer({ min: 0, max: 300 }), (messages, started_s) => {
        const more = {
          geofences,
          rules,
          started_ms: started_s * 1_000,
          settings: { ...settings, offline_s: 100, dwell_s: 90 },
        };
        const [eager, lazy] = [vehicleIn(more), vehicleIn(more)];
        const [seenByEager, seenByLazy] = [[] as object[], [] as object[]];
        let now_s = 0;
        const until = (end_s: number) => {
          for (let second = now_s; second <= end_s; second++) seenByEager.push(...eager.pass(second));
          let next = lazy.next();
          for (; next !== null && next <= end_s; next = lazy.next()) {
            const news = lazy.pass(next);
            // Or the host would be woken for nothing, over and over.
            expect(news).not.toEqual([]);
            seenByLazy.push(...news);
          }
          now_s = end_s;
        };
        for (const { pause_s, east_m, valid, lag_s } of messages) {
          // What is due in the very second of a message is either's.
          until(now_s + pause_s);
          const row: Partial<PositionRow> = {
            ...offset(yard, east_m, 0),
            valid,
            received_ms: now_s * 1_000,
          };
          const fresh = [eager, lazy].map((it) => it.at(now_s - lag_s, row));
          expect(fresh[0]).toEqual(fresh[1]);
        }
        until(now_s + 1_000);
        expect(lazy.next()).toBeNull();
        expect(seenByLazy).toEqual(seenByEager);
        expect(lazy.state()).toEqual(eager.state());
        published += seenByLazy.length;
      }),
      { numRuns: 150, endOnFailure: true },
    );
    expect(published).toBeGreaterThan(300);
  });

  it('the next moment leaves the state as it is when nothing is due', () => {
    const { at, state, pass } = vehicleIn({ geofences, rules });
    at(0);
    const before = state();
    pass(1);
    expect(state()).toBe(before);
  });
});
