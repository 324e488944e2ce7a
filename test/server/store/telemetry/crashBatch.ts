import type { Batch } from '../../../../server/store/telemetry/telemetryStore.ts';
import type { PositionRow } from '../../../../server/store/telemetry/rows.ts';

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
    tasks: [],
    states: [{ vehicle_id: `state ${index}`, state: `${index}` }],
    refused: [],
  };
}
