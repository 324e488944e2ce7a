import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { eventKind } from '../../../server/contract/events.ts';
import type { Rule } from '../../../server/contract/rules.ts';
import { createRecentNotifications } from '../../../server/notifications/recentNotifications.ts';
import {
  applyRules,
  isOwnMeasure,
  type RuleEvent,
  type Fired,
  type SnoozedUntil,
  type RuleOutcome,
} from '../../../server/notifications/ruleEngine.ts';
import type { EventRow, NotificationRow } from '../../../server/store/telemetry/rows.ts';
import { eventRow, noDetails, ruleOf } from './rows.ts';

/** Rules and rows as they are after each batch of events, as the pipeline would have them. */
function queueOf(...rules: Rule[]) {
  const clock = { at: 0, now: () => clock.at };
  const recent = createRecentNotifications([], clock);
  const rows = new Map<string, NotificationRow>();
  const scope = { holds: (_rule: Rule, _vehicleId: string | null) => true };
  const shelved: { until: SnoozedUntil } = { until: () => null };
  const put = (changed: readonly NotificationRow[]) => {
    recent.apply(changed);
    for (const row of changed) rows.set(row.notification_id, row);
  };
  function step(...news: RuleEvent[]): RuleOutcome {
    const published = applyRules({
      updates: news,
      rules,
      inScope: (rule, vehicleId) => scope.holds(rule, vehicleId),
      snoozedUntil: (row) => shelved.until(row),
      recent,
      newId: randomUUID,
      now_ms: clock.at,
    });
    put(published.rows);
    return published;
  }
  const batch = (...news: RuleEvent[]): Fired[] => step(...news).fired;
  return {
    clock,
    recent,
    scope,
    shelved,
    batch,
    published: (...events: EventRow[]) => step(...events.map((event) => ({ event, isNew: true }))),
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
  at(time_s, {
    event_id,
    kind: 'overspeed',
    details: { ...noDetails, measured: 90, ended_at: null },
    ...more,
  });

describe('the rules engine', () => {
  it('the rules engine makes a notification of an event, with what the rule and the event say', () => {
    const rule = { ...ruleOf({ event_kind: 'geofence_enter', severity: 'alarm', name: 'Quay' }), version: 7 };
    const queue = queueOf(rule);
    queue.clock.at = 5_000;
    const event = at(3, { geozone_id: 'f1', details: { ...noDetails, duration_s: 4 } });
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
      quiet: false,
      sound: 'default',
      state: 'open',
      count: 1,
      late: false,
      first_ms: 3_000,
      last_ms: 3_000,
      ongoing_until_ms: 3_000,
      details: event.details,
      lat: 52.5,
      lon: 13.4,
      event_ids: [event.event_id],
      ack: null,
      updated_ms: 5_000,
    });
    expect(fired).toEqual([{ row, rule, event }]);
  });

  it('the rules engine puts what a quiet rule fires, and what has severity info, on the quiet list', () => {
    const queue = queueOf(
      ruleOf({ event_kind: 'geofence_enter', severity: 'warning', quiet: true }),
      ruleOf({ event_kind: 'geofence_enter', severity: 'info' }),
      ruleOf({ event_kind: 'geofence_enter', severity: 'warning', sound: 'bell' }),
    );
    queue.happened(at(3));
    expect(queue.rows().map(({ severity, quiet, sound }) => [severity, quiet, sound])).toEqual([
      ['warning', true, 'default'],
      ['info', true, 'default'],
      ['warning', false, 'bell'],
    ]);
  });

  it('the rules engine counts repeats within the cool-down on the open row, and fires once', () => {
    const queue = queueOf(ruleOf({ event_kind: 'geofence_enter', cooldown_s: 300 }));
    expect(queue.happened(at(0))).toHaveLength(1);
    expect(queue.happened(at(200, { lat: 1 }), at(500))).toEqual([]);
    expect(queue.rows()).toMatchObject([{ count: 3, first_ms: 0, last_ms: 500_000, lat: 52.5 }]);
    expect(queue.rows()[0]?.event_ids).toHaveLength(3);
    expect(queue.happened(at(801))).toHaveLength(1);
    expect(queue.counts()).toEqual([3, 1]);
  });

  it('the rules engine counts within one batch as over several', () => {
    const queue = queueOf(ruleOf({ event_kind: 'geofence_enter', cooldown_s: 300 }));
    expect(queue.happened(at(0), at(100), at(401), at(402))).toHaveLength(2);
    expect(queue.counts()).toEqual([2, 2]);
  });

  it('the rules engine opens a new row for what happens after an acknowledgement', () => {
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

  it('the rules engine keeps vehicles, rules and geofences apart', () => {
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

  it('the rules engine keeps the newest 100 events of a row', () => {
    const queue = queueOf(ruleOf({ event_kind: 'geofence_enter' }));
    const events = Array.from({ length: 105 }, (_, time_s) => at(time_s));
    for (const event of events) queue.happened(event);
    expect(queue.rows()[0]?.count).toBe(105);
    expect(queue.rows()[0]?.event_ids).toEqual(events.slice(5).map((it) => it.event_id));
  });

  it('the rules engine asks kind, switch, geofences, schedule and scope of a rule', () => {
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

  it('the rules engine leaves the episodes of a speed rule with geofences of its own to that rule', () => {
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

  it('the rules engine leaves an episode measured by a rule’s own numbers to that rule', () => {
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
      speeding('e1', 10, { lat: 1, details: { ...noDetails, measured: 120, ...more } });

    it('the rules engine with an episode follows its growth and its end on the same row, and fires no more', () => {
      const queue = queueOf(ruleOf({ event_kind: 'overspeed' }));
      queue.happened(speeding('e1', 10));
      expect(queue.rows()).toMatchObject([{ ongoing_until_ms: null }]);
      queue.clock.at = 40_000;
      expect(queue.changed(grown({}))).toEqual([]);
      expect(queue.rows()).toMatchObject([
        { count: 1, details: { measured: 120 }, lat: 1, ongoing_until_ms: null, updated_ms: 40_000 },
      ]);
      queue.changed(grown({ ended_at: '1970-01-01T00:00:30.000Z' }));
      expect(queue.rows()).toMatchObject([{ ongoing_until_ms: 30_000 }]);
    });

    it('the rules engine with an episode follows it on a row that a user has acknowledged meanwhile', () => {
      const queue = queueOf(ruleOf({ event_kind: 'overspeed' }));
      queue.happened(speeding('e1', 10));
      queue.acknowledge();
      queue.changed(grown({ ended_at: '1970-01-01T00:00:30.000Z' }));
      expect(queue.rows()).toMatchObject([
        { state: 'acknowledged', details: { measured: 120 }, ongoing_until_ms: 30_000 },
      ]);
    });

    it('the rules engine with an episode follows it on the rows of all rules that it fired', () => {
      const queue = queueOf(
        ruleOf({ event_kind: 'overspeed' }),
        ruleOf({ event_kind: 'overspeed', severity: 'alarm' }),
      );
      queue.happened(speeding('e1', 10));
      queue.changed(grown({}));
      expect(queue.rows().map((row) => row.details.measured)).toEqual([120, 120]);
    });

    it('the rules engine with an episode follows it within the batch in which it began', () => {
      const queue = queueOf(ruleOf({ event_kind: 'overspeed' }));
      const fired = queue.batch(
        { event: speeding('e1', 10), isNew: true },
        { event: grown({ ended_at: '1970-01-01T00:00:30.000Z' }), isNew: false },
      );
      expect(fired).toHaveLength(1);
      expect(queue.rows()).toMatchObject([{ count: 1, ongoing_until_ms: 30_000 }]);
    });

    it('the rules engine with an episode shows the newest episode of a row, not an older one that is reported later', () => {
      const queue = queueOf(ruleOf({ event_kind: 'overspeed' }));
      queue.happened(speeding('e1', 10), speeding('e2', 100));
      queue.changed(grown({ measured: 200 }));
      expect(queue.rows()).toMatchObject([{ count: 2, details: { measured: 90 } }]);
    });

    it('the rules engine with an episode emits nothing for an episode that no rule fired on', () => {
      const queue = queueOf(ruleOf({ event_kind: 'sos' }));
      queue.happened(speeding('e1', 10));
      queue.changed(grown({}));
      expect(queue.rows()).toEqual([]);
    });
  });

  describe('with late alarms', () => {
    const sos = (time_s: number, late: boolean) => at(time_s, { kind: 'sos', late });

    it('the rules engine with late alarms opens a row of their own time beside the live one, and counts on both', () => {
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

    it('the rules engine with late alarms keeps what the newest event of a row says', () => {
      const queue = queueOf(ruleOf({ event_kind: 'sos' }));
      queue.happened(sos(100, false));
      queue.happened({ ...sos(50, false), lat: 9 });
      expect(queue.rows()).toMatchObject([{ count: 2, lat: 52.5, first_ms: 50_000, last_ms: 100_000 }]);
    });

    it('the rules engine with late alarms is no longer late once something of the row is not', () => {
      const queue = queueOf(ruleOf({ event_kind: 'sos' }));
      queue.happened(sos(10, true));
      expect(queue.rows()).toMatchObject([{ late: true }]);
      queue.happened(sos(20, false));
      expect(queue.rows()).toMatchObject([{ late: false }]);
    });
  });
});

describe('a rule', () => {
  it('a rule is evaluated separately with thresholds of its own, in its own geofences, and wherever it asks for silence', () => {
    const geofence = [randomUUID()];
    const own = [
      ruleOf({ event_kind: 'overspeed', params: { tolerance_kmh: 0 } }),
      ruleOf({ event_kind: 'overspeed', geozone_ids: geofence }),
      ruleOf({ event_kind: 'geofence_dwell', params: { dwell_s: 60 } }),
      ruleOf({ event_kind: 'silent_inside' }),
      ruleOf({ event_kind: 'silent_inside', params: { silent_s: 60 } }),
      ruleOf({ event_kind: 'idling', params: { min_duration_s: 60 } }),
      ruleOf({ event_kind: 'offline', params: { min_duration_s: 60 } }),
    ];
    expect(own.map(isOwnMeasure)).toEqual(own.map(() => true));
    const common = [
      ruleOf({ event_kind: 'geofence_dwell', geozone_ids: geofence }),
      ruleOf({ event_kind: 'terminal_alarm', params: { alarms: ['tow'] } }),
      ...eventKind.options
        .filter((kind) => kind !== 'silent_inside')
        .map((event_kind) => ruleOf({ event_kind })),
    ];
    expect(common.map(isOwnMeasure)).toEqual(common.map(() => false));
  });

  it('a rule of every kind fires on events of its kind alone, and on what it measured or on what is common', () => {
    for (const event_kind of eventKind.options) {
      const rule = ruleOf({ event_kind });
      const rule_id = isOwnMeasure(rule) ? rule.rule_id : null;
      for (const kind of eventKind.options) {
        expect(queueOf(rule).happened(at(0, { kind, rule_id })), `${event_kind} on ${kind}`).toHaveLength(
          kind === event_kind ? 1 : 0,
        );
      }
      const strangers = [isOwnMeasure(rule) ? null : rule.rule_id, randomUUID()];
      for (const rule_id of strangers) {
        expect(queueOf(rule).happened(at(0, { kind: event_kind, rule_id }))).toEqual([]);
      }
    }
  });

  it('a rule of dwelling in some geofences by the common number asks where it was', () => {
    const yard = randomUUID();
    const queue = queueOf(ruleOf({ event_kind: 'geofence_dwell', geozone_ids: [yard] }));
    expect(queue.happened(at(0, { kind: 'geofence_dwell', geozone_id: 'elsewhere' }))).toEqual([]);
    expect(queue.happened(at(0, { kind: 'geofence_dwell', geozone_id: yard }))).toHaveLength(1);
  });

  it('a rule of a terminal’s alarms that names some fires on these alone', () => {
    const named = ruleOf({ event_kind: 'terminal_alarm', params: { alarms: ['tow', 'jamming'] } });
    const any = ruleOf({ event_kind: 'terminal_alarm' });
    const firedBy = (alarm: string | null) =>
      queueOf(named, any)
        .happened(at(0, { kind: 'terminal_alarm', details: { ...noDetails, alarm } }))
        .map((it) => it.rule.rule_id);
    expect(firedBy('jamming')).toEqual([named.rule_id, any.rule_id]);
    expect(firedBy('door')).toEqual([any.rule_id]);
    expect(firedBy(null)).toEqual([any.rule_id]);
  });

  it('a rule keeps a row going while an episode of any kind does, and ends it at its end', () => {
    for (const kind of ['overspeed', 'idling', 'silent_inside'] as const) {
      const rule = ruleOf({ event_kind: kind });
      const queue = queueOf(rule);
      const rule_id = isOwnMeasure(rule) ? rule.rule_id : null;
      const event = at(10, { kind, rule_id });
      queue.happened(event);
      expect(queue.rows(), kind).toMatchObject([{ ongoing_until_ms: null }]);
      queue.changed({ ...event, details: { ...noDetails, ended_at: '1970-01-01T00:01:00.000Z' } });
      expect(queue.rows(), kind).toMatchObject([{ count: 1, ongoing_until_ms: 60_000 }]);
    }
  });

  it('a rule takes all else for a moment, also a vehicle that is off line, unless an end is reported', () => {
    const queue = queueOf(ruleOf({ event_kind: 'offline' }));
    const event = at(10, { kind: 'offline' });
    queue.happened(event);
    expect(queue.rows()).toMatchObject([{ ongoing_until_ms: 10_000 }]);
    queue.changed({ ...event, details: { ...noDetails, ended_at: '1970-01-01T00:01:00.000Z' } });
    expect(queue.rows()).toMatchObject([{ ongoing_until_ms: 60_000 }]);
  });

  it('a rule is kept as it was for each row that it opens', () => {
    const rule = { ...ruleOf({ event_kind: 'sos' }), version: 4 };
    const other = ruleOf({ event_kind: 'sos' });
    const queue = queueOf(rule, other);
    const { versions } = queue.published(at(0, { kind: 'sos' }), at(0, { kind: 'sos', vehicle_id: 'v2' }));
    expect(versions.map((it) => [it.rule_id, it.version])).toEqual([
      [rule.rule_id, 4],
      [other.rule_id, 1],
    ]);
    expect(JSON.parse(versions[0]?.rule ?? '')).toEqual(rule);
    expect(queue.published(at(1, { kind: 'sos' })).versions).toEqual([]);
  });
});

describe('the delivery of a notification', () => {
  const published = {
    event_kind: 'sos' as const,
    channels: ['desktop' as const, 'webhook' as const, 'email' as const],
    webhook_url: 'https://hooks.example/1',
    email_to: ['a@example.org', 'b@example.org', 'a@example.org'],
  };

  it('the delivery of a notification goes to each place once when a row is opened, and not when one is counted', () => {
    const queue = queueOf(ruleOf(published));
    queue.clock.at = 7_000;
    const first = queue.published(at(5, { kind: 'sos' }));
    expect(first.deliveries.map((it) => [it.channel, it.target])).toEqual([
      ['webhook', 'https://hooks.example/1'],
      ['email', 'a@example.org'],
      ['email', 'b@example.org'],
    ]);
    expect(new Set(first.deliveries.map((it) => it.delivery_id)).size).toBe(3);
    const [row] = queue.rows();
    expect(first.deliveries[0]).toEqual({
      delivery_id: first.deliveries[0]?.delivery_id,
      notification_id: row?.notification_id,
      rule_id: row?.rule_id,
      vehicle_id: 'v1',
      channel: 'webhook',
      target: 'https://hooks.example/1',
      status: 'waiting',
      attempts: 0,
      next_attempt_ms: 7_000,
      last_error: null,
      created_ms: 7_000,
      sent_ms: null,
      step: null,
      user_id: null,
    });
    expect(queue.published(at(6, { kind: 'sos' })).deliveries).toEqual([]);
    queue.acknowledge();
    expect(queue.published(at(7, { kind: 'sos' })).deliveries).toHaveLength(3);
  });

  it('the delivery of a notification skips a channel that is off, and the desktop', () => {
    const queue = queueOf(
      ruleOf({ ...published, channels: ['desktop'] }),
      ruleOf({ ...published, channels: [] }),
    );
    expect(queue.published(at(0, { kind: 'sos' })).deliveries).toEqual([]);
  });

  it('the delivery of a notification covers late alarms, too', () => {
    const queue = queueOf(ruleOf(published));
    expect(queue.published(at(0, { kind: 'sos', late: true })).deliveries).toHaveLength(3);
  });

  it('the delivery of a notification is skipped while the row is snoozed, which is made all the same', () => {
    const queue = queueOf(ruleOf(published));
    queue.shelved.until = (row) => (row.vehicle_id === 'v1' ? 1 : null);
    const shelved = queue.published(at(0, { kind: 'sos' }));
    expect([shelved.rows.length, shelved.deliveries.length, shelved.versions.length]).toEqual([1, 0, 1]);
    expect(queue.published(at(0, { kind: 'sos', vehicle_id: 'v2' })).deliveries).toHaveLength(3);
  });
});

describe('the rows that are remembered', () => {
  it('the rows that are remembered are those that lay in the store at the start', () => {
    const rule = ruleOf({ event_kind: 'sos' });
    const before = queueOf(rule);
    before.happened(at(0, { kind: 'sos' }));
    const recent = createRecentNotifications(before.rows(), { now: () => 0 });
    const again = applyRules({
      updates: [{ event: at(9, { kind: 'sos' }), isNew: true }],
      rules: [rule],
      inScope: () => true,
      snoozedUntil: () => null,
      recent,
      newId: randomUUID,
      now_ms: 0,
    });
    expect(again.fired).toEqual([]);
    expect(again.rows).toMatchObject([{ notification_id: before.rows()[0]?.notification_id, count: 2 }]);
  });

  it('the rows that are remembered are forgotten after two days, when no cool-down can reach them any more', () => {
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
