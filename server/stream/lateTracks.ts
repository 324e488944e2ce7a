import type { Clock } from '../clock.ts';
import type { Viewer } from '../http/viewer.ts';
import type { PositionRow } from '../store/telemetry/rows.ts';
import type { StreamItem } from './streamItems.ts';

/** What is older than this when it is stored is late: the message of the newest position does not speak of it. */
const late_ms = 120_000;
/** Late positions come in bursts: one message says what came of a vehicle in so long. */
const burst_ms = 1_000;

/** Gathers what was stored late, and publishes of each vehicle from when to when its track has changed. */
export function createLateTracks(deps: {
  clock: Clock;
  publish: (items: readonly StreamItem[]) => void;
  sees: (viewer: Viewer, vehicleId: string) => boolean;
}) {
  const { clock, publish, sees } = deps;
  let spans = new Map<string, { from: number; to: number }>();
  let stop: (() => void) | null = null;

  function flush(): void {
    stop = null;
    const gathered = spans;
    spans = new Map();
    publish(
      [...gathered].map(([vehicle_id, { from, to }]): StreamItem => {
        const json = JSON.stringify({
          vehicle_id,
          from: new Date(from).toISOString(),
          to: new Date(to).toISOString(),
        });
        return {
          topic: 'late_track',
          seq: null,
          json: () => json,
          sees: (viewer) => sees(viewer, vehicle_id),
          gone: null,
        };
      }),
    );
  }

  return {
    /** Takes positions that were stored now. */
    stored(rows: readonly Pick<PositionRow, 'vehicle_id' | 'time_ms'>[]): void {
      const before_ms = clock.now() - late_ms;
      for (const { vehicle_id, time_ms } of rows) {
        if (time_ms >= before_ms) continue;
        const span = spans.get(vehicle_id);
        if (span === undefined) spans.set(vehicle_id, { from: time_ms, to: time_ms });
        else {
          span.from = Math.min(span.from, time_ms);
          span.to = Math.max(span.to, time_ms);
        }
      }
      if (spans.size > 0) stop ??= clock.after(burst_ms, flush);
    },
    stop: (): void => stop?.(),
  };
}
