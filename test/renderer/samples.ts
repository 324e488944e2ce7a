import type { Incident } from '../../server/contract/incidents.ts';
import type { Notification } from '../../server/contract/notifications.ts';
import type { Position } from '../../server/contract/positions.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import type { Task } from '../../server/contract/video.ts';

const NOON = '2026-11-21T12:00:00.000Z';

export function samplePosition(fields: Partial<Position> = {}): Position {
  return {
    vehicle_id: 'v1',
    terminal_id: '1',
    time: NOON,
    received_at: fields.time ?? NOON,
    lat: 52.5,
    lon: 13.4,
    altitude_m: null,
    speed_kmh: 40,
    course_deg: 90,
    accuracy_m: null,
    satellites: null,
    hdop: null,
    valid: true,
    ignition: null,
    odometer_m: null,
    battery_pct: null,
    alarms: [],
    attributes: {},
    ...fields,
  };
}

export function sampleVehicle(fields: Partial<Vehicle> = {}): Vehicle {
  return {
    vehicle_id: 'v1',
    terminal_id: '1',
    name: 'V 1',
    plate: null,
    type: null,
    color: null,
    driver: null,
    current_driver: null,
    phone: null,
    vin: null,
    speed_limit_kmh: null,
    clock_offset_s: 0,
    group_ids: [],
    attributes: {},
    status: 'stopped',
    overdue: false,
    position: null,
    archived_at: null,
    version: 1,
    created_at: NOON,
    updated_at: NOON,
    ...fields,
  };
}

export function sampleNotification(fields: Partial<Notification> = {}): Notification {
  return {
    notification_id: 'n1',
    rule_id: 'r1',
    rule_name: 'Rule',
    rule_version: 1,
    event_kind: 'overspeed',
    vehicle_id: 'v1',
    geozone_id: null,
    severity: 'warning',
    quiet: fields.severity === 'info',
    sound: 'default',
    state: 'open',
    count: 1,
    late: false,
    first_time: NOON,
    last_time: fields.first_time ?? NOON,
    ongoing_until: null,
    details: {
      measured: 94,
      threshold: 60,
      unit: 'km/h',
      duration_s: null,
      alarm: null,
      limit_source: 'rule',
      ended_at: null,
      fixes: [],
    },
    lat: 52.5,
    lon: 13.4,
    event_ids: ['e1'],
    ack: null,
    shelved_until: null,
    escalation: null,
    updated_at: NOON,
    ...fields,
  };
}

export function sampleIncident(fields: Partial<Incident> = {}): Incident {
  return {
    incident_id: 'i1',
    number: 1,
    title: 'SOS',
    status: 'open',
    close_reason: null,
    severity: 'alarm',
    opened_by: 'sos',
    event_kind: 'sos',
    rule_id: 'r1',
    owner_id: null,
    owner_name: null,
    vehicle_id: 'v1',
    geozone_id: null,
    driver: null,
    lat: 52.5,
    lon: 13.4,
    place: null,
    time: NOON,
    from: '2026-11-21T11:50:00.000Z',
    to: '2026-11-21T12:10:00.000Z',
    notification_ids: [],
    task_ids: [],
    snapshots: [],
    checklist: [],
    notes: 0,
    last_entry: null,
    created_by: null,
    created_at: NOON,
    updated_at: NOON,
    closed_at: null,
    version: 1,
    revision: 1,
    ...fields,
  };
}

export function sampleTask(fields: Partial<Task> = {}): Task {
  return {
    task_id: 't1',
    profile_id: 'p1',
    vehicle_id: 'v1',
    terminal_id: '1',
    channel: 1,
    from: NOON,
    to: '2026-11-21T12:00:30.000Z',
    event_id: 'e1',
    stream: null,
    main_task_id: null,
    status: 'queued',
    important: false,
    progress: 0,
    received_bytes: null,
    total_bytes: null,
    attempts: 0,
    error: null,
    file: null,
    created_by: 'u1',
    rule_id: null,
    done_at: null,
    expires_at: null,
    version: 1,
    created_at: NOON,
    updated_at: NOON,
    ...fields,
  };
}
