import { createHash } from 'node:crypto';
import type { EventRow, TaskRow } from '../store/telemetry/rows.ts';

/** The events of finished tasks for the rules: the video is there, or it could not be fetched. */
export function videoEvents(rows: readonly TaskRow[]): EventRow[] {
  return rows.flatMap((row): EventRow[] => {
    if (row.status !== 'done' && row.status !== 'failed') return [];
    return [
      {
        event_id: eventId(row),
        kind: row.status === 'done' ? 'video_done' : 'video_failed',
        vehicle_id: row.vehicle_id,
        time_ms: row.updated_ms,
        received_ms: row.updated_ms,
        late: false,
        lat: null,
        lon: null,
        geozone_id: null,
        details: {
          measured: null,
          threshold: null,
          unit: null,
          duration_s: (row.to_ms - row.from_ms) / 1_000,
          alarm: row.status === 'failed' ? (row.error?.code ?? null) : null,
          limit_source: null,
          ended_at: null,
          fixes: [],
          task_id: row.task_id,
        },
        rule_id: null,
        rule_version: null,
      },
    ];
  });
}

/** The same end reported twice is one event; a retry that fails is another. */
function eventId({ task_id, status, attempts }: TaskRow): string {
  const hash = createHash('sha256').update(`${task_id} ${status} ${attempts}`).digest('hex');
  // A UUID of version 8 (RFC 9562, 5.8), whose other bits are our own.
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-');
}
