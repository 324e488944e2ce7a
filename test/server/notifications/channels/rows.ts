import { randomUUID } from 'node:crypto';
import type { Message } from '../../../../server/notifications/channels/sender.ts';
import type { DeliveryRow } from '../../../../server/store/telemetry/rows.ts';
import { notificationOf } from '../../../../server/notifications/presentNotification.ts';
import { notificationRow } from '../rows.ts';

export function deliveryRow(more: Partial<DeliveryRow> = {}): DeliveryRow {
  return {
    delivery_id: randomUUID(),
    notification_id: randomUUID(),
    rule_id: randomUUID(),
    vehicle_id: randomUUID(),
    channel: 'webhook',
    target: 'http://127.0.0.1:9/',
    status: 'waiting',
    attempts: 0,
    next_attempt_ms: 0,
    last_error: null,
    created_ms: 0,
    sent_ms: null,
    step: null,
    user_id: null,
    ...more,
  };
}

export function messageOf(more: Partial<Message> = {}): Message {
  return {
    type: 'notification',
    delivery_id: randomUUID(),
    target: 'someone@example.org',
    depot: 'Port',
    timezone: 'Europe/Berlin',
    text: 'V 17: Overspeed, 94 km/h, limit 60',
    notification: notificationOf(
      notificationRow({
        severity: 'alarm',
        event_kind: 'overspeed',
        first_ms: Date.UTC(2026, 6, 1, 4, 43),
        last_ms: Date.UTC(2026, 6, 1, 4, 43),
        lat: 52.5,
        lon: 13.4,
      }),
    ),
    place: null,
    escalation: null,
    rule: { rule_id: randomUUID(), name: 'Overspeed', version: 1 },
    vehicle: { vehicle_id: randomUUID(), terminal_id: 'T17', name: 'V 17', plate: 'B-FD 17' },
    driver: null,
    ...more,
  };
}
