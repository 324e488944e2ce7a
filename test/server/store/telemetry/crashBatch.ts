import type { Batch } from '../../../../server/store/telemetry/rows.ts';
import { batch, event, morning, position, task } from './sampleRows.ts';

export const rowsPerBatch = 20;

/** One batch of the crash test: its number stands in every row, so that a part of one cannot pass for a whole. */
export function crashBatch(index: number): Batch {
  const received_ms = morning + index;
  const pair = {
    vehicle_id: 'vehicle 0',
    from_ms: index,
    to_ms: index + 1,
    event_id: `event ${index}`,
    rule_id: 'rule',
    created_ms: index,
    updated_ms: index,
  };
  return batch({
    positions: Array.from({ length: rowsPerBatch }, (_, row) =>
      position({
        vehicle_id: `vehicle ${row}`,
        time_ms: index,
        received_ms,
        lat: row,
        lon: index % 180,
        odometer_m: index,
        attributes: { batch: index },
      }),
    ),
    events: [
      event({
        event_id: `event ${index}`,
        kind: 'geofence_enter',
        vehicle_id: 'vehicle 0',
        time_ms: index,
        received_ms,
        details: { ...event().details, measured: index },
      }),
    ],
    tasks: [
      task({ ...pair, task_id: `small ${index}`, stream: 'sub', main_task_id: `full ${index}` }),
      task({ ...pair, task_id: `full ${index}`, stream: 'main' }),
    ],
    states: [{ vehicle_id: `state ${index}`, state: `${index}` }],
  });
}
