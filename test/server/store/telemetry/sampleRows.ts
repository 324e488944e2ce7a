import {
  type Batch,
  type EventRow,
  type IdempotencyRow,
  type NotificationRow,
  type PositionRow,
  type TaskRow,
  type TerminalCommandRow,
  emptyBatch,
} from '../../../../server/store/telemetry/rows.ts';
import type { IncidentOpening } from '../../../../server/store/telemetry/incidentRows.ts';
import type { ActMessage } from '../../../../server/store/telemetry/runActs.ts';

export function batch(part: Partial<Batch>): Batch {
  return { ...emptyBatch(), ...part };
}

/** 21 November 2026, 08:00 UTC. */
export const morning = 1_795_248_000_000;

export function position(part: Partial<PositionRow> = {}): PositionRow {
  return {
    vehicle_id: 'van',
    time_ms: morning,
    received_ms: morning + 1_500,
    lat: 55.7512345678,
    lon: -37.6178,
    altitude_m: null,
    speed_kmh: null,
    course_deg: null,
    accuracy_m: null,
    satellites: null,
    hdop: null,
    valid: true,
    ignition: null,
    odometer_m: null,
    battery_pct: null,
    alarms: [],
    attributes: {},
    ...part,
  };
}

export function event(part: Partial<EventRow> = {}): EventRow {
  return {
    event_id: 'event',
    kind: 'overspeed',
    vehicle_id: 'van',
    time_ms: morning,
    received_ms: morning + 1_500,
    late: false,
    lat: null,
    lon: null,
    geozone_id: null,
    details: {
      measured: null,
      threshold: null,
      unit: null,
      duration_s: null,
      alarm: null,
      limit_source: null,
      ended_at: null,
      fixes: [],
    },
    rule_id: null,
    rule_version: null,
    ...part,
  };
}

export function notification(part: Partial<NotificationRow> = {}): NotificationRow {
  return {
    notification_id: 'notification',
    rule_id: 'rule',
    rule_name: 'Слишком быстро',
    rule_version: 3,
    event_kind: 'overspeed',
    vehicle_id: 'van',
    geozone_id: null,
    severity: 'warning',
    quiet: false,
    sound: 'default',
    state: 'open',
    count: 1,
    late: false,
    first_ms: morning,
    last_ms: morning,
    ongoing_until_ms: null,
    details: event().details,
    lat: null,
    lon: null,
    event_ids: [],
    ack: null,
    updated_ms: morning,
    ...part,
  };
}

export function opening(part: Partial<IncidentOpening> = {}): IncidentOpening {
  return {
    ...{ incident_id: 'of van', repeat_key: 'rule van', title: 'Help', rule_name: 'Rule', rule_id: 'rule' },
    rule_owner: null,
    ...{ event_kind: 'overspeed', vehicle_id: 'van', geozone_id: 'yard', lat: 56, lon: 24 },
    ...{ severity: 'alarm', opened_by: 'rule', time_ms: morning },
    ...{ from_ms: morning - 1_000, to_ms: morning + 1_000, described: false, driver: null, place: null },
    ...{ checklist: ['Call'], notification_id: 'van', task_ids: [] },
    ...part,
  };
}

export function task(part: Partial<TaskRow> = {}): TaskRow {
  return {
    task_id: 'task',
    profile_id: 'profile',
    vehicle_id: 'van',
    terminal_id: '0007',
    channel: 1,
    from_ms: morning,
    to_ms: morning + 30_000,
    event_id: null,
    stream: null,
    main_task_id: null,
    status: 'queued',
    important: false,
    attempts: 0,
    next_attempt_ms: null,
    error: null,
    file: null,
    file_name: null,
    created_by: 'user',
    rule_id: null,
    created_ms: morning,
    updated_ms: morning,
    done_ms: null,
    expires_ms: null,
    version: 1,
    ...part,
  };
}

export function terminalCommand(part: Partial<TerminalCommandRow> = {}): TerminalCommandRow {
  return {
    command_id: 'command',
    vehicle_id: 'van',
    terminal_id: '356307042441013',
    kind: 'text',
    text: 'getinfo',
    status: 'queued',
    protocol: null,
    response: null,
    error: null,
    created_by: 'user',
    created_ms: morning,
    sent_ms: null,
    completed_ms: null,
    expires_ms: morning + 86_400_000,
    ...part,
  };
}

/** An act of which nothing but the response to its request is stored. */
export function actWith({ at_ms, ...response }: IdempotencyRow, max: number | null = null): ActMessage {
  const nothing = { entities: [], writes: [], changes: [], intents: [] };
  return { ...nothing, at_ms, by: null, once: { ...response, max } };
}
