import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Rule } from '../../../server/contract/rules.ts';
import { createRecentNotifications } from '../../../server/notifications/recentNotifications.ts';
import { applyRules, type EventNews, type Fired } from '../../../server/notifications/ruleEngine.ts';
import type { EventRow, NotificationRow } from '../../../server/store/telemetry/rows.ts';
import { eventRow, noValues, ruleOf } from './rows.ts';

/** Rules and rows as they are after each batch of events, as the pipeline would have them. */
function queueOf(...rules: Rule[]) {
  const clock = { at: 0, now: () => clock.at };
  const recent = createRecentNotifications([], clock);
  const rows = new Map<string, NotificationRow>();
  const scope = { holds: (_rule: Rule, _vehicleId: string) => true };
  const put = (changed: readonly NotificationRow[]) => {
    recent.apply(changed);
    for (const row of changed) rows.set(row.notification_id, row);
  };
  function batch(...news: EventNews[]): Fired[] {
    const step = applyRules({
      news,
      rules,
      inScope: (rule, vehicleId) => scope.holds(rule, vehicleId),
      recent,
      newId: randomUUID,
      now_ms: clock.at,
    });
    put(step.rows);
    return step.fired;
  }
  return {
    clock,
    recent,
    scope,
    batch,
    happened: (...events: EventRow[]) => batch(...events.map((event) => ({ event, isNew: true }))),
    changed: (event: EventRow) => batch({ event, isNew: false }),
    acknowledge() {
      const ack = { user_id: 'u', at_ms: clock.at, note: null };
      put([...rows.values()].map((row) => ({ ...row, state: 'acknowledged', ack })));
    },
    rows: () => [...rows.values()],
    counts: () => [...rows.values()].map((row) => row.count),
  };
}

const at = (time_s: number, more: Partial<EventRow> = {}) => eventRow({ time_ms: time_s * 1_000, ...more });
const speeding = (event_id: string, time_s: number, more: Partial<EventRow> = {}) =>
  at(time_s, { event_id, kind: 'overspeed', values: { ...noValues, measured: 90, ended_at: null }, ...more });

describe('the rules engine', () => {
  it('makes a notification of an event, with what the rule and the event say', () => {
    const rule = { ...ruleOf({ event_kind: 'geofence_enter', severity: 'alarm', name: 'Quay' }), version: 7 };
    const queue = queueOf(rule);
    queue.clock.at = 5_000;
    const event = at(3, { geozone_id: 'f1', values: { ...noValues, duration_s: 4 } });
    const fired = queue.happened(event);
    const [row] = queue.rows();
    expect(row).toEqual({
      notification_id: row?.notification_id,
      rule_id: rule.rule_id,
      rule_name: 'Quay',
      rule_version: 7,
      event_kind: 'geofence_enter',
      vehicle_id: 'v1',
      geozone_id: 'f1',
      severity: 'alarm',
      state: 'open',
      count: 1,
      late: false,
      first_ms: 3_000,
      last_ms: 3_000,
      ongoing_until_ms: 3_000,
      values: event.values,
      lat: 52.5,
      lon: 13.4,
      event_ids: [event.event_id],
      ack: null,
      updated_ms: 5_000,
    });
    expect(fired).toEqual([{ row, rule, event }]);
  });

  it('counts repeats within the cool-down on the open row, and fires once', () => {
    const queue = queueOf(ruleOf({ event_kind: 'geofence_enter', cooldown_s: 300 }));
    expect(queue.happened(at(0))).toHaveLength(1);
    expect(queue.happened(at(200, { lat: 1 }), at(500))).toEqual([]);
    expect(queue.rows()).toMatchObject([{ count: 3, first_ms: 0, last_ms: 500_000, lat: 52.5 }]);
    expect(queue.rows()[0]?.event_ids).toHaveLength(3);
    expect(queue.happened(at(801))).toHaveLength(1);
    expect(queue.counts()).toEqual([3, 1]);
  });

  it('counts within one batch as over several', () => {
    const queue = queueOf(ruleOf({ event_kind: 'geofence_enter', cooldown_s: 300 }));
    expect(queue.happened(at(0), at(100), at(401), at(402))).toHaveLength(2);
    expect(queue.counts()).toEqual([2, 2]);
  });

  it('opens a new row for what happens after an acknowledgement', () => {
    const queue = queueOf(ruleOf({ event_kind: 'geofence_enter' }));
    queue.happened(at(0));
    queue.acknowledge();
    expect(queue.happened(at(10))).toHaveLength(1);
    expect(queue.happened(at(20))).toEqual([]);
    expect(queue.rows()).toMatchObject([
      { state: 'acknowledged', count: 1 },
      { state: 'open', count: 2, ack: null },
    ]);
  });

  it('keeps vehicles, rules and geofences apart', () => {
    const queue = queueOf(ruleOf({ event_kind: 'geofence_enter' }), ruleOf({ event_kind: 'geofence_enter' }));
    queue.happened(
      at(0, { geozone_id: 'f1' }),
      at(1, { geozone_id: 'f2' }),
      at(2, { geozone_id: 'f1', vehicle_id: 'v2' }),
    );
    expect(queue.rows()).toHaveLength(6);
    queue.happened(at(3, { geozone_id: 'f2' }));
    expect(queue.counts().sort()).toEqual([1, 1, 1, 1, 2, 2]);
  });

  it('keeps the newest 100 events of a row', () => {
    const queue = queueOf(ruleOf({ event_kind: 'geofence_enter' }));
    const events = Array.from({ length: 105 }, (_, time_s) => at(time_s));
    for (const event of events) queue.happened(event);
    expect(queue.rows()[0]?.count).toBe(105);
    expect(queue.rows()[0]?.event_ids).toEqual(events.slice(5).map((it) => it.event_id));
  });

  it('asks kind, switch, geofences, schedule and scope of a rule', () => {
    const schedule = { timezone: 'UTC', ranges: [{ days: [4], from: '08:00', to: '09:00' }] };
    const [f1, f2] = [randomUUID(), randomUUID()];
    const queue = queueOf(
      ruleOf({ event_kind: 'geofence_exit' }),
      ruleOf({ event_kind: 'geofence_enter', enabled: false }),
      ruleOf({ event_kind: 'geofence_enter', geozone_ids: [f1, f2] }),
      ruleOf({ event_kind: 'geofence_enter', schedule }),
    );
    const fired = (...events: EventRow[]) =>
      queue.happened(...events).map((it) => it.rule.geozone_ids.length);
    expect(fired(at(0, { geozone_id: 'f3' }))).toEqual([]);
    expect(fired(at(0, { geozone_id: null }))).toEqual([]);
    expect(fired(at(0, { geozone_id: f2 }))).toEqual([2]);
    expect(fired(at(8.5 * 3_600, { geozone_id: 'f3' }))).toEqual([0]);
    queue.scope.holds = (_, vehicleId) => vehicleId === 'v2';
    expect(fired(at(9_000, { geozone_id: f2 }))).toEqual([]);
    expect(fired(at(9_000, { geozone_id: f2, vehicle_id: 'v2' }))).toEqual([2]);
  });

  it('leaves the episodes of a speed rule with geofences of its own to that rule', () => {
    const yard = randomUUID();
    const everywhere = ruleOf({ event_kind: 'overspeed' });
    const inTheYard = ruleOf({ event_kind: 'overspeed', geozone_ids: [yard] });
    const queue = queueOf(everywhere, inTheYard);
    queue.happened(speeding('e1', 0, { geozone_id: yard }));
    queue.happened(speeding('e2', 0, { geozone_id: null, rule_id: inTheYard.rule_id }));
    expect(queue.rows().map((row) => [row.rule_id, row.event_ids])).toEqual([
      [everywhere.rule_id, ['e1']],
      [inTheYard.rule_id, ['e2']],
    ]);
  });

  it('leaves an episode measured by a rule’s own numbers to that rule', () => {
    const common = ruleOf({ event_kind: 'overspeed' });
    const own = ruleOf({ event_kind: 'overspeed', params: { limit_kmh: 50 } });
    const queue = queueOf(common, own);
    const firedBy = (event: EventRow) => queue.happened(event).map((it) => it.rule.rule_id);
    expect(firedBy(speeding('e1', 0))).toEqual([common.rule_id]);
    expect(firedBy(speeding('e2', 0, { rule_id: own.rule_id }))).toEqual([own.rule_id]);
    expect(firedBy(speeding('e3', 0, { rule_id: 'another' }))).toEqual([]);
  });

  describe('with an episode', () => {
    const grown = (more: object) =>
      speeding('e1', 10, { lat: 1, values: { ...noValues, measured: 120, ...more } });

    it('follows its growth and its end on the same row, and fires no more', () => {
      const queue = queueOf(ruleOf({ event_kind: 'overspeed' }));
      queue.happened(speeding('e1', 10));
      expect(queue.rows()).toMatchObject([{ ongoing_until_ms: null }]);
      queue.clock.at = 40_000;
      expect(queue.changed(grown({}))).toEqual([]);
      expect(queue.rows()).toMatchObject([
        { count: 1, values: { measured: 120 }, lat: 1, ongoing_until_ms: null, updated_ms: 40_000 },
      ]);
      queue.changed(grown({ ended_at: '1970-01-01T00:00:30.000Z' }));
      expect(queue.rows()).toMatchObject([{ ongoing_until_ms: 30_000 }]);
    });

    it('follows it on a row that somebody has acknowledged meanwhile', () => {
      const queue = queueOf(ruleOf({ event_kind: 'overspeed' }));
      queue.happened(speeding('e1', 10));
      queue.acknowledge();
      queue.changed(grown({ ended_at: '1970-01-01T00:00:30.000Z' }));
      expect(queue.rows()).toMatchObject([
        { state: 'acknowledged', values: { measured: 120 }, ongoing_until_ms: 30_000 },
      ]);
    });

    it('follows it on the rows of all rules that it fired', () => {
      const queue = queueOf(
        ruleOf({ event_kind: 'overspeed' }),
        ruleOf({ event_kind: 'overspeed', severity: 'alarm' }),
      );
      queue.happened(speeding('e1', 10));
      queue.changed(grown({}));
      expect(queue.rows().map((row) => row.values.measured)).toEqual([120, 120]);
    });

    it('follows it within the batch in which it began', () => {
      const queue = queueOf(ruleOf({ event_kind: 'overspeed' }));
      const fired = queue.batch(
        { event: speeding('e1', 10), isNew: true },
        { event: grown({ ended_at: '1970-01-01T00:00:30.000Z' }), isNew: false },
      );
      expect(fired).toHaveLength(1);
      expect(queue.rows()).toMatchObject([{ count: 1, ongoing_until_ms: 30_000 }]);
    });

    it('shows the newest episode of a row, not an older one that is told of later', () => {
      const queue = queueOf(ruleOf({ event_kind: 'overspeed' }));
      queue.happened(speeding('e1', 10), speeding('e2', 100));
      queue.changed(grown({ measured: 200 }));
      expect(queue.rows()).toMatchObject([{ count: 2, values: { measured: 90 } }]);
    });

    it('tells nothing of an episode that no rule fired on', () => {
      const queue = queueOf(ruleOf({ event_kind: 'sos' }));
      queue.happened(speeding('e1', 10));
      queue.changed(grown({}));
      expect(queue.rows()).toEqual([]);
    });
  });

  describe('with late alarms', () => {
    const sos = (time_s: number, late: boolean) => at(time_s, { kind: 'sos', late });

    it('opens a row of their own time beside the live one, and counts on both', () => {
      const queue = queueOf(ruleOf({ event_kind: 'sos', cooldown_s: 300 }));
      queue.happened(sos(100_000, false));
      expect(queue.happened(sos(50_000, true))).toHaveLength(1);
      expect(queue.happened(sos(50_010, true))).toEqual([]);
      expect(queue.happened(sos(49_990, true))).toEqual([]);
      expect(queue.happened(sos(100_010, false))).toEqual([]);
      expect(queue.rows()).toMatchObject([
        { late: false, count: 2, first_ms: 100_000_000, last_ms: 100_010_000 },
        { late: true, count: 3, first_ms: 49_990_000, last_ms: 50_010_000 },
      ]);
    });

    it('keeps what the newest event of a row says', () => {
      const queue = queueOf(ruleOf({ event_kind: 'sos' }));
      queue.happened(sos(100, false));
      queue.happened({ ...sos(50, false), lat: 9 });
      expect(queue.rows()).toMatchObject([{ count: 2, lat: 52.5, first_ms: 50_000, last_ms: 100_000 }]);
    });

    it('is no longer late once something of the row is not', () => {
      const queue = queueOf(ruleOf({ event_kind: 'sos' }));
      queue.happened(sos(10, true));
      expect(queue.rows()).toMatchObject([{ late: true }]);
      queue.happened(sos(20, false));
      expect(queue.rows()).toMatchObject([{ late: false }]);
    });
  });
});

describe('the rows that are remembered', () => {
  it('are those that lay in the store at the start', () => {
    const rule = ruleOf({ event_kind: 'sos' });
    const before = queueOf(rule);
    before.happened(at(0, { kind: 'sos' }));
    const recent = createRecentNotifications(before.rows(), { now: () => 0 });
    const again = applyRules({
      news: [{ event: at(9, { kind: 'sos' }), isNew: true }],
      rules: [rule],
      inScope: () => true,
      recent,
      newId: randomUUID,
      now_ms: 0,
    });
    expect(again.fired).toEqual([]);
    expect(again.rows).toMatchObject([{ notification_id: before.rows()[0]?.notification_id, count: 2 }]);
  });

  it('are forgotten after two days, when no cool-down can reach them any more', () => {
    const queue = queueOf(ruleOf({ event_kind: 'sos', cooldown_s: 86_400 }));
    queue.happened(at(0, { kind: 'sos' }));
    const [row] = queue.rows();
    const key = `${row?.rule_id} v1 `;
    expect(queue.recent.open(key)).toHaveLength(1);
    queue.clock.at = 3 * 86_400_000;
    for (let more = 0; more < 1_000; more++)
      queue.happened(at(3 * 86_400, { kind: 'sos', vehicle_id: `v${more + 2}` }));
    expect(queue.recent.open(key)).toEqual([]);
    expect(queue.recent.withEvent(row?.event_ids[0] ?? '')).toEqual([]);
    expect(queue.recent.open(`${row?.rule_id} v2 `)).toHaveLength(1);
  });
});
