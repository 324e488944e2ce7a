import type { Batch } from '../../../../server/store/telemetry/telemetryStore.ts';
import type { PositionRow, TaskRow } from '../../../../server/store/telemetry/rows.ts';

export const rowsPerBatch = 20;

/** One batch of the crash test: its number stands in every row, so that a part of one cannot pass for a whole. */
export function crashBatch(index: number): Batch {
  const received_ms = 1_795_248_000_000 + index;
  const bare = { altitude_m: null, course_deg: null, accuracy_m: null, satellites: null, hdop: null };
  const positions: PositionRow[] = Array.from({ length: rowsPerBatch }, (_, row) => ({
    ...bare,
    vehicle_id: `vehicle ${row}`,
    time_ms: index,
    received_ms,
    lat: row,
    lon: index % 180,
    speed_kmh: null,
    valid: true,
    ignition: null,
    odometer_m: index,
    battery_pct: null,
    alarms: [],
    attributes: { batch: index },
  }));
  const values = {
    measured: index,
    threshold: null,
    unit: null,
    duration_s: null,
    alarm: null,
    limit_from: null,
    ended_at: null,
    fixes: [],
  };
  return {
    positions,
    events: [
      {
        event_id: `event ${index}`,
        kind: 'geofence_enter',
        vehicle_id: 'vehicle 0',
        time_ms: index,
        received_ms,
        late: false,
        lat: null,
        lon: null,
        geozone_id: null,
        values,
        rule_id: null,
        rule_version: null,
      },
    ],
    notifications: [],
    rules: [],
    deliveries: [],
    tasks: [
      task(index, { task_id: `small ${index}`, stream: 'sub', full_task_id: `full ${index}` }),
      task(index, { task_id: `full ${index}`, stream: 'main' }),
    ],
    states: [{ vehicle_id: `state ${index}`, state: `${index}` }],
    refused: [],
  };
}

function task(index: number, of: Pick<TaskRow, 'task_id' | 'stream'> & Partial<TaskRow>): TaskRow {
  return {
    profile_id: 'profile',
    vehicle_id: 'vehicle 0',
    terminal_id: '0',
    channel: 1,
    from_ms: index,
    to_ms: index + 1,
    event_id: `event ${index}`,
    full_task_id: null,
    status: 'queued',
    important: false,
    attempts: 0,
    next_try_ms: null,
    error: null,
    file: null,
    file_name: null,
    created_by: 'nobody',
    rule_id: 'rule',
    created_ms: index,
    updated_ms: index,
    done_ms: null,
    expires_ms: null,
    version: 1,
    ...of,
  };
}
