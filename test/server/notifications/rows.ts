import { randomUUID } from 'node:crypto';
import type { EventDetails } from '../../../server/contract/events.ts';
import { newRule, type NewRule, type Rule } from '../../../server/contract/rules.ts';
import type { EventRow, NotificationRow } from '../../../server/store/telemetry/rows.ts';

export const noDetails: EventDetails = {
  measured: null,
  threshold: null,
  unit: null,
  duration_s: null,
  alarm: null,
  limit_source: null,
  ended_at: null,
  fixes: [],
};

export function eventRow(more: Partial<EventRow> = {}): EventRow {
  return {
    event_id: randomUUID(),
    kind: 'geofence_enter',
    vehicle_id: 'v1',
    time_ms: 0,
    received_ms: 0,
    late: false,
    lat: 52.5,
    lon: 13.4,
    geozone_id: null,
    details: noDetails,
    rule_id: null,
    rule_version: null,
    ...more,
  };
}

export function notificationRow(more: Partial<NotificationRow> = {}): NotificationRow {
  return {
    notification_id: randomUUID(),
    rule_id: randomUUID(),
    rule_name: 'Rule',
    rule_version: 1,
    event_kind: 'sos',
    vehicle_id: 'v1',
    geozone_id: null,
    severity: 'alarm',
    quiet: more.severity === 'info',
    sound: 'default',
    state: 'open',
    count: 1,
    late: false,
    first_ms: 0,
    last_ms: 0,
    ongoing_until_ms: 0,
    details: noDetails,
    lat: null,
    lon: null,
    event_ids: [randomUUID()],
    ack: null,
    updated_ms: 0,
    ...more,
  };
}

export function ruleOf(wanted: Partial<NewRule> & Pick<NewRule, 'event_kind'>): Rule {
  return {
    ...newRule.parse({ name: 'Rule', scope: { all: true }, ...wanted }),
    video: wanted.video ?? null,
    rule_id: randomUUID(),
    disabled_reason: null,
    owner_id: null,
    version: 1,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
  };
}
