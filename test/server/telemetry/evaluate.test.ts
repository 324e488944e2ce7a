import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { circle, offset, square } from '../geofences/geofences.ts';
import { ruleOf } from '../notifications/rows.ts';
import { positionRow, settings, vehicleRecord } from './positions.ts';
import { vehicleIn as movingVehicleIn, type World } from './vehicleIn.ts';

const yard = { lat: 52.5, lon: 13.4 };
const outside = offset(yard, 1_000, 0);

/** Trips have tests of their own: nothing here is one. */
const vehicleIn = (more: Partial<World> = {}) =>
  movingVehicleIn({ settings: { ...settings, trip_radius_m: 1e9, trip_stop_s: 1e9 }, ...more });

describe('the evaluation of a position', () => {
  it('the evaluation of a position reports an entry with its place, moment and evidence', () => {
    const geofence = circle(yard, 100);
    const { at } = vehicleIn({ geofences: [geofence] });
    expect(at(0, outside)).toEqual([]);
    const [news, ...more] = at(60, { ...yard, speed_kmh: 30, received_ms: 65_000 });
    expect(more).toEqual([]);
    expect(news).toEqual({
      isNew: true,
      event: {
        event_id: 'e1',
        kind: 'geofence_enter',
        vehicle_id: 'v1',
        time_ms: 60_000,
        received_ms: 65_000,
        late: false,
        ...yard,
        geozone_id: geofence.geozone_id,
        rule_id: null,
        rule_version: null,
        details: {
          measured: null,
          threshold: null,
          unit: null,
          duration_s: null,
          alarm: null,
          limit_source: null,
          ended_at: null,
          fixes: [{ time: '1970-01-01T00:01:00.000Z', ...yard, speed_kmh: 30 }],
        },
      },
    });
  });

  it('the evaluation of a position remembers what a message need not repeat', () => {
    const { at, state } = vehicleIn();
    at(0, { ignition: true, battery_pct: 70 });
    at(10, { lat: 52.6 });
    expect(state()).toMatchObject({
      ignition: true,
      battery_pct: 70,
      newest: { lat: 52.6 },
      last_stored_ms: 10_000,
    });
  });

  describe('of a position that moves no engine', () => {
    const arrive = () => {
      const vehicle = vehicleIn({
        geofences: [circle(yard, 100)],
        vehicle: vehicleRecord({ speed_limit_kmh: 50 }),
      });
      vehicle.at(0, { ...outside, speed_kmh: 40 });
      vehicle.at(1_000, { ...outside, speed_kmh: 40 });
      return vehicle;
    };

    it('late: received over fifteen minutes after its time', () => {
      const { at, kinds, state } = arrive();
      expect(at(1_100, { ...yard, speed_kmh: 90, received_ms: 1_100_000 + 900_001 })).toEqual([]);
      expect(state().evaluated?.time_ms).toBe(1_000_000);
      // Drawn all the same: it is the newest that is known.
      expect(state().newest?.time_ms).toBe(1_100_000);
      expect(kinds(1_200, { ...yard, received_ms: 1_200_000 + 900_000 })).toEqual(['geofence_enter']);
    });

    it('a position out of order, or at a time that was evaluated already, moves no engine', () => {
      const { at, state } = arrive();
      expect(at(500, { ...yard, speed_kmh: 90, received_ms: 1_001_000 })).toEqual([]);
      expect(at(1_000, { ...yard, speed_kmh: 90 })).toEqual([]);
      expect(state().evaluated).toMatchObject({ time_ms: 1_000_000, ...outside });
      expect(state().sides).toEqual({});
      expect(state().last_contact_ms).toBe(1_001_000);
    });

    it('a position without a fix moves no engine', () => {
      const { at, state } = arrive();
      expect(at(1_100, { ...yard, speed_kmh: 90, valid: false, battery_pct: 40 })).toEqual([]);
      expect(state()).toMatchObject({
        newest: { time_ms: 1_000_000 },
        evaluated: { time_ms: 1_000_000 },
        battery_pct: 40,
        last_contact_ms: 1_100_000,
      });
    });
  });

  describe('with alarms', () => {
    it('the evaluation of a position with alarms emits the emergency button each time, and another alarm when the message before did not have it', () => {
      const { at, kinds } = vehicleIn();
      const [first] = at(0, { alarms: ['sos', 'tow'] });
      expect(first?.event).toMatchObject({
        kind: 'sos',
        lat: 52.5,
        details: { alarm: 'sos', fixes: [{ lat: 52.5 }] },
      });
      expect(kinds(10, { alarms: ['sos', 'tow'] })).toEqual(['sos']);
      expect(kinds(20)).toEqual([]);
      expect(kinds(30, { alarms: ['tow'] })).toEqual(['terminal_alarm']);
    });

    it('the evaluation of a position with alarms always emits late ones, and marks them', () => {
      const { at } = vehicleIn();
      at(5_000, { alarms: ['tow'] });
      const late = (time_s: number) => at(time_s, { alarms: ['sos', 'tow'], received_ms: 5_000_000 });
      for (const time_s of [1_000, 1_010]) {
        expect(late(time_s).map(({ event }) => [event.kind, event.late, event.time_ms])).toEqual([
          ['sos', true, time_s * 1_000],
          ['terminal_alarm', true, time_s * 1_000],
        ]);
      }
    });

    it('the evaluation of a position with alarms emits those out of order, except those of the newest message', () => {
      const { kinds, state } = vehicleIn();
      kinds(100, { alarms: ['tow'] });
      expect(kinds(50, { alarms: ['power_cut'], received_ms: 101_000 })).toEqual(['power_cut']);
      expect(state().alarms).toEqual(['tow']);
    });

    it('the evaluation of a position with alarms emits those of a message without a fix, without a place', () => {
      const { at } = vehicleIn();
      const [sos] = at(0, { alarms: ['sos'], valid: false });
      expect(sos?.event).toMatchObject({ kind: 'sos', lat: null, lon: null, details: { fixes: [] } });
    });

    it('the evaluation of a position with alarms emits only those that are new in a position that was merged', () => {
      const { at, seen } = vehicleIn();
      at(0, { alarms: ['tow'] });
      const merged = positionRow({ alarms: ['sos', 'tow'], received_ms: 5_000 });
      expect(seen(merged, ['sos']).map(({ event }) => event.details.alarm)).toEqual(['sos']);
    });
  });

  describe('with geofences that hold for groups', () => {
    const north = randomUUID();
    const geofences = [circle(yard, 100, { group_ids: [north] })];
    const inNorth = (changed_s = 0) =>
      vehicleRecord({ group_ids: [north], groups_changed_at: new Date(changed_s * 1_000).toISOString() });

    it('the evaluation of a position with geofences that hold for groups knows them for vehicles of such a group alone', () => {
      const stranger = vehicleIn({ geofences });
      stranger.at(1, outside);
      expect(stranger.kinds(60, yard)).toEqual([]);
      const member = vehicleIn({ geofences, vehicle: inNorth() });
      member.at(1, outside);
      expect(member.kinds(60, yard)).toEqual(['geofence_enter']);
    });

    it('the evaluation of a position with geofences that hold for groups raises nothing for a vehicle that is put into the group while inside, nor when it is taken out', () => {
      const { at, kinds, world, state } = vehicleIn({ geofences });
      at(1, yard);
      world.vehicle = inNorth(30);
      expect(kinds(60, yard)).toEqual([]);
      expect(Object.keys(state().sides)).toHaveLength(1);
      expect(kinds(120, outside)).toEqual(['geofence_exit']);
      kinds(180, yard);
      world.vehicle = vehicleRecord({ groups_changed_at: new Date(200_000).toISOString() });
      expect(kinds(240, outside)).toEqual([]);
      expect(state().sides).toEqual({});
    });

    it('the evaluation of a position with geofences that hold for groups goes on with fences for every vehicle when the groups change', () => {
      const { at, kinds, world } = vehicleIn({ geofences: [circle(yard, 100)] });
      at(1, outside);
      world.vehicle = inNorth(30);
      expect(kinds(60, yard)).toEqual(['geofence_enter']);
    });
  });

  it('the evaluation of a position raises nothing for a fence that is put or moved over a vehicle, by when it was last heard', () => {
    const { at, kinds, world } = vehicleIn();
    at(10, yard);
    world.geofences = [circle(yard, 100)];
    world.known_from_ms = 20_000;
    expect(kinds(60, yard)).toEqual([]);
    expect(kinds(120, outside)).toEqual(['geofence_exit']);
  });

  describe('of a speed', () => {
    const fast = { ...yard, speed_kmh: 90 };

    it('the evaluation of a position of a speed goes by the lowest limit of the geofences it is in, else by the vehicle’s', () => {
      const slow = circle(yard, 100, { speed_limit_kmh: 30 });
      const vehicle = vehicleRecord({ speed_limit_kmh: 20 });
      const inGeofence = vehicleIn({
        geofences: [square(yard, 200, { speed_limit_kmh: 60 }), slow, circle(yard, 50)],
        vehicle,
      });
      inGeofence.at(0, fast);
      const [news] = inGeofence.at(30, { ...fast, received_ms: 33_000 });
      expect(news).toMatchObject({
        isNew: true,
        event: {
          kind: 'overspeed',
          time_ms: 30_000,
          received_ms: 33_000,
          geozone_id: slow.geozone_id,
          rule_id: null,
          details: {
            measured: 90,
            threshold: 30,
            unit: 'km/h',
            limit_source: 'geofence',
            duration_s: 30,
            ended_at: null,
          },
        },
      });
      const elsewhere = vehicleIn({ vehicle });
      elsewhere.at(0, fast);
      expect(elsewhere.at(30, fast)[0]?.event).toMatchObject({
        geozone_id: null,
        details: { threshold: 20, limit_source: 'vehicle', fixes: [{}, {}] },
      });
      expect(vehicleIn().at(0, fast)).toEqual([]);
    });

    it('the evaluation of a position of a speed goes by the limit of a geofence only while its schedule holds', () => {
      const schedule = {
        timezone: 'UTC',
        ranges: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:10' }],
      };
      const { at, kinds } = vehicleIn({ geofences: [circle(yard, 100, { speed_limit_kmh: 30, schedule })] });
      at(500, fast);
      expect(kinds(590, fast)).toEqual(['overspeed']);
      const [ended] = at(600, fast);
      expect(ended?.event.details.ended_at).toBe('1970-01-01T00:10:00.000Z');
      expect(at(700, fast)).toEqual([]);
    });

    it('the evaluation of a position of a speed is one event that grows and ends, in the same place of the log', () => {
      const { at } = vehicleIn({ vehicle: vehicleRecord({ speed_limit_kmh: 50 }) });
      at(0, { speed_kmh: 60 });
      const news = [10, 20, 30].flatMap((time_s, step) =>
        at(time_s, { speed_kmh: [60, 80, 40][step] ?? null, lat: 52 + step }),
      );
      expect(
        news.map(({ isNew, event }) => [isNew, event.event_id, event.details.measured, event.lat]),
      ).toEqual([
        [true, 'e1', 60, 52.5],
        [false, 'e1', 80, 53],
        [false, 'e1', 80, 53],
      ]);
      expect(news[2]?.event).toMatchObject({
        time_ms: 10_000,
        details: { duration_s: 30, ended_at: '1970-01-01T00:00:30.000Z' },
      });
      // It began before it was confirmed, whatever its peak: its first fix and its duration say so.
      const began = '1970-01-01T00:00:00.000Z';
      expect(news.map(({ event }) => event.details.fixes[0]?.time)).toEqual([began, began, began]);
    });

    it('the evaluation of a position of a speed is measured by the rules with numbers of their own as well, within their geofences', () => {
      const geofence = circle(yard, 100);
      const rule = ruleOf({
        event_kind: 'overspeed',
        params: { limit_kmh: 70, tolerance_kmh: 0 },
        geozone_ids: [geofence.geozone_id],
      });
      const { at } = vehicleIn({ geofences: [geofence], rules: [rule] });
      expect(at(0, { ...outside, speed_kmh: 90 })).toEqual([]);
      expect(at(30, { ...outside, speed_kmh: 90 })).toEqual([]);
      const [, over] = at(60, fast);
      expect(over?.event).toMatchObject({
        kind: 'overspeed',
        rule_id: rule.rule_id,
        rule_version: 1,
        geozone_id: geofence.geozone_id,
        details: { threshold: 70, limit_source: 'rule' },
      });
      expect(at(90, { ...outside, speed_kmh: 90 }).map(({ isNew }) => isNew)).toEqual([true, false]);
    });

    it('the evaluation of a position of a speed is measured by a rule’s own tolerance under the limit that holds there', () => {
      const rule = ruleOf({ event_kind: 'overspeed', params: { tolerance_kmh: 30 } });
      const { at } = vehicleIn({ vehicle: vehicleRecord({ speed_limit_kmh: 50 }), rules: [rule] });
      at(0, { speed_kmh: 70 });
      expect(at(30, { speed_kmh: 70 }).map(({ event }) => event.rule_id)).toEqual([null]);
      expect(
        at(60, { speed_kmh: 81 }).map(({ event, isNew }) => [event.rule_id, isNew, event.details.threshold]),
      ).toEqual([
        [null, false, 50],
        [rule.rule_id, true, 50],
      ]);
    });
  });
});
