import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../server/clock.ts';
import { openMemoryStore } from '../../../../server/store/memoryStore.ts';
import type { EventRow } from '../../../../server/store/telemetry/rows.ts';
import { eventRow } from '../../../../server/telemetry/eventRows.ts';
import { eventsOf } from '../../../../server/video/evidence/eventFiles.ts';
import { batch } from '../../store/telemetry/sampleRows.ts';

const hour = 3_600_000;

describe('the events of a period', () => {
  it('the events of a period come oldest first over days and pages, each once, of this vehicle alone', async () => {
    const store = openMemoryStore(systemClock);
    const at = (vehicle_id: string, time_ms: number, n: number) =>
      eventRow({
        event_id: `${vehicle_id} ${String(n).padStart(5, '0')}`,
        kind: 'moving',
        vehicle_id,
        time_ms,
        received_ms: time_ms,
        details: {},
      });
    // More in one hour than a page holds, then one every six hours for three days.
    const crowd = Array.from({ length: 1_500 }, (_, i) => at('van', 100 * hour + i * 1_000, i));
    const rest = Array.from({ length: 12 }, (_, i) => at('van', 102 * hour + i * 6 * hour, 2_000 + i));
    await store.commit(batch({ events: [...crowd, ...rest, at('bus', 101 * hour, 0)] }));

    const ids: string[] = [];
    const period = { vehicle_id: 'van', from_ms: 100 * hour + 1_000, to_ms: 102 * hour + 11 * 6 * hour };
    const seen = (row: EventRow) => ({ row, geofence: null });
    for await (const { row } of eventsOf(period, store, seen)) ids.push(row.event_id);
    expect(ids).toEqual([...crowd.slice(1), ...rest].map((row) => row.event_id));
  });
});
