import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Geofence } from '../../../server/contract/geofences.ts';
import type { EventRow, PositionRow } from '../../../server/store/telemetry/rows.ts';
import { evaluate } from '../../../server/telemetry/evaluate.ts';
import {
  initialVehicleState,
  readState,
  writeState,
  type VehicleState,
} from '../../../server/telemetry/vehicleState.ts';
import { anyFence, circle, indexOf, offset } from '../geofences/geofences.ts';
import { doubtMs, naiveCrossings } from '../geofences/naiveGeofences.ts';
import { ruleOf } from '../notifications/rows.ts';
import { positionRow, settings, vehicleRecord } from './positions.ts';
import { hasTracks, readTracks, type RealFix } from './realTracks.ts';

const yard = { lat: 52.5, lon: 13.4 };
const vehicle = vehicleRecord({ vehicle_id: 'v1', speed_limit_kmh: 50 });
const geofences = [
  circle(yard, 300),
  circle(offset(yard, 400, 0), 300, { speed_limit_kmh: 30, min_inside_s: 20, min_outside_s: 20 }),
];
const rules = [
  ruleOf({ event_kind: 'geofence_dwell', params: { dwell_s: 60 } }),
  ruleOf({ event_kind: 'idling', params: { min_duration_s: 30 } }),
  ruleOf({ event_kind: 'overspeed', params: { limit_kmh: 70, min_duration_s: 0 } }),
].map((rule) => ({ ...rule, updated_at: '1970-01-01T00:00:00.000Z' }));

interface Seen {
  event: EventRow;
  isNew: boolean;
}

interface Way {
  of?: readonly Geofence[];
  /** What becomes of the state between two messages. */
  between?: (state: VehicleState, at: number) => VehicleState;
  dwell_s?: number;
}

function emit(rows: readonly PositionRow[], { of = geofences, between, dwell_s = 90 }: Way = {}): Seen[] {
  let ids = 0;
  const around = {
    geofences: indexOf(of, -1),
    measuredRules: rules,
    settings: { ...settings, dwell_s, idle_s: 60, trip_stop_s: 60 },
    newId: () => `e${++ids}`,
    started_ms: 0,
  };
  let state = initialVehicleState;
  return rows.flatMap((row, at) => {
    const { received_ms, alarms } = row;
    const admitted = { vehicle, row, received_ms, outcome: 'stored' as const, newAlarms: alarms };
    const step = evaluate(between?.(state, at) ?? state, admitted, around);
    ({ state } = step);
    return step.updates;
  });
}

/** Messages of a vehicle about the yard, each of which says this and that. */
const anyMessages = fc
  .array(
    fc.record({
      pause_s: fc.constantFrom(1, 1, 2, 10, 20, 40, 310, 4_000),
      east_m: fc.integer({ min: -500, max: 900 }),
      speed_kmh: fc.constantFrom(null, 0, 0, 2, 20, 55, 80),
      course_deg: fc.constantFrom(null, 0, 90),
      valid: fc.constantFrom(true, true, true, false),
      ignition: fc.constantFrom(null, null, true, true, false),
      battery_pct: fc.constantFrom(null, 15, 20, 25, 40),
      alarms: fc.subarray(['harsh_braking', 'low_battery', 'power_cut', 'tow']),
    }),
    { minLength: 1, maxLength: 60, size: 'max' },
  )
  .map((messages) => {
    let time_ms = 0;
    return messages.map(({ pause_s, east_m, ...more }) => {
      time_ms += pause_s * 1_000;
      return positionRow({ ...more, ...offset(yard, east_m, 0), time_ms });
    });
  });

describe('the engines together', () => {
  it('the engines together emit the same when the host is restarted between any two messages', () => {
    const kinds = new Set<string>();
    fc.assert(
      fc.property(anyMessages, fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }), (rows, restarts) => {
        const published = emit(rows);
        const between = (state: VehicleState, at: number) =>
          restarts[at] === true ? (readState(writeState(state)) ?? expect.fail()) : state;
        expect(emit(rows, { between })).toEqual(published);
        for (const { event } of published) kinds.add(event.kind);
      }),
      { numRuns: 200, endOnFailure: true },
    );
    // All but what time alone brings.
    expect([...kinds].sort()).toEqual([
      'geofence_dwell',
      'geofence_enter',
      'geofence_exit',
      'harsh_acceleration',
      'harsh_braking',
      'harsh_cornering',
      'idling',
      'ignition_off',
      'ignition_on',
      'low_battery',
      'moving',
      'overspeed',
      'power_cut',
      'stopped',
      'terminal_alarm',
    ]);
  });

  it('the engines together emit the same whatever comes late, twice or out of order in between', () => {
    fc.assert(
      fc.property(anyMessages, fc.infiniteStream(fc.integer({ min: 0, max: 5 })), (sober, dice) => {
        const rows = sober.map((row) => ({ ...row, alarms: [] }));
        const disturbed = rows.flatMap((row, at) => {
          const old = rows[Math.max(0, at - 3)] ?? row;
          const { received_ms } = row;
          const strange = { ...offset(yard, 5_000, 0), speed_kmh: 150, ignition: null, battery_pct: null };
          const [die = 0] = [dice.next().value];
          if (die === 0) return [row, { ...row, received_ms: received_ms + 500 }];
          if (die === 1) return [row, { ...old, received_ms }];
          if (die === 2 && at > 0) {
            return [row, { ...old, ...strange, time_ms: old.time_ms - 1, received_ms, ignition: true }];
          }
          if (die === 3)
            return [
              row,
              { ...row, ...strange, time_ms: row.time_ms + 1, received_ms: received_ms + 900_002 },
            ];
          return [row];
        });
        expect(plainly(emit(disturbed))).toEqual(plainly(emit(rows)));
      }),
      { numRuns: 200, endOnFailure: true },
    );
  });

  it('the engines together raise nothing by the first message but what it says of itself', () => {
    fc.assert(
      fc.property(anyMessages, ([row]) => {
        if (row === undefined) return;
        for (const { event } of emit([row])) {
          const ofItself = ['low_battery', 'power_cut', 'harsh_braking', 'terminal_alarm', 'overspeed'];
          expect(ofItself).toContain(event.kind);
        }
      }),
    );
  });

  it('the engines together give each event what answers why it fired', () => {
    const measured = new Set(['geofence_dwell', 'overspeed', 'moving', 'stopped', 'idling']);
    fc.assert(
      fc.property(anyMessages, (rows) => {
        for (const { event } of emit(rows)) {
          const { details } = event;
          expect(details.fixes.length).toBeLessThanOrEqual(4);
          if (!measured.has(event.kind)) continue;
          expect(details).toMatchObject({
            measured: expect.any(Number) as number,
            threshold: expect.any(Number) as number,
            unit: expect.any(String) as string,
            limit_source: expect.any(String) as string,
          });
          const { measured: found, threshold } = details;
          expect(found).toBeGreaterThanOrEqual(threshold ?? NaN);
        }
      }),
    );
  });
});

/** Events have other names when others were emitted in between, and another time of receipt when they came again. */
function plainly(seen: readonly Seen[]) {
  return seen.map(({ event: { event_id: _, ...event }, isNew }) => ({ ...event, isNew }));
}

describe.skipIf(!hasTracks)('a long stay in a geofence, on real tracks', () => {
  const rowsOf = (track: readonly RealFix[]) =>
    track.map((fix) => positionRow({ ...fix, course_deg: fix.course_deg }));

  it.each([
    ['nyc-buses-2010-2021.csv', 100],
    ['austin-buses-2017-04-18.csv', 200],
  ] as const)(
    'a long stay in a geofence, on real tracks is reported where a check of every fix against every geofence finds one: %s',
    (file, min) => {
      const dwell_s = 240;
      let [expected, unsure] = [0, 0];
      for (const [at, track] of readTracks(file).slice(0, 80).entries()) {
        const middle = track[Math.floor(track.length / 2)] ?? expect.fail();
        const places = fc.sample(anyFence(middle, 3_000), { numRuns: 20, seed: at });
        const published = emit(rowsOf(track), { of: places, dwell_s })
          .map(({ event }) => event)
          .filter(({ kind, rule_id }) => kind === 'geofence_dwell' && rule_id === null);
        for (const geofence of places) {
          const crossings = naiveCrossings(geofence, [...track, farAway(track)]);
          if (crossings === null) {
            unsure++;
            continue;
          }
          const stays = staysOf(crossings, track).filter(
            ({ from_ms, to_ms }) => to_ms - from_ms >= dwell_s * 1_000,
          );
          expected += stays.length;
          const moments = published
            .filter((it) => it.geozone_id === geofence.geozone_id)
            .map((it) => it.time_ms);
          expect(moments).toHaveLength(stays.length);
          for (const [visit, { from_ms }] of stays.entries()) {
            expect(Math.abs((moments[visit] ?? NaN) - from_ms - dwell_s * 1_000)).toBeLessThanOrEqual(
              doubtMs,
            );
          }
        }
      }
      expect(expected).toBeGreaterThan(min);
      expect(unsure).toBeLessThan(expected);
    },
  );
});

/** Long after the end: a vehicle that was inside until then leaves, and nothing is crossed on the way. */
function farAway(track: readonly RealFix[]): RealFix {
  const last = track.at(-1) ?? expect.fail();
  return { ...last, lat: last.lat + 5, time_ms: last.time_ms + 3_600_000 };
}

/** From the crossings of a whole track: a vehicle that leaves first was inside from its first fix on. */
function staysOf(
  crossings: readonly { kind: string; time_ms: number }[],
  track: readonly RealFix[],
): { from_ms: number; to_ms: number }[] {
  const begins = crossings[0]?.kind === 'geofence_exit' ? [track[0]?.time_ms ?? 0] : [];
  const enters = [
    ...begins,
    ...crossings.filter((it) => it.kind === 'geofence_enter').map((it) => it.time_ms),
  ];
  const exits = crossings.filter((it) => it.kind === 'geofence_exit').map((it) => it.time_ms);
  const end_ms = track.at(-1)?.time_ms ?? 0;
  return enters.map((from_ms, at) => ({ from_ms, to_ms: Math.min(exits[at] ?? end_ms, end_ms) }));
}
