import type { Store } from '../../store/operations.ts';
import type { PositionRow } from '../../store/telemetry/rows.ts';
import { trackWriter } from '../../telemetry/track.ts';

export interface Period {
  vehicle_id: string;
  from_ms: number;
  to_ms: number;
}

export interface CountedText {
  text: AsyncIterable<string>;
  /** How many lines or features were written so far. */
  count(): number;
}

/** The positions of a period, as `GET /vehicles/{vehicle}/track` writes them. */
export function formatPositions(
  format: 'csv' | 'geojson',
  vehicle: Period & { name: string; terminal_id: string },
  store: Pick<Store, 'track'>,
): CountedText {
  const writer = trackWriter(format, vehicle);
  let written = 0;
  async function* text(): AsyncGenerator<string> {
    yield writer.head;
    for await (const page of store.track(periodOf(vehicle))) {
      for (const row of page) {
        if (writer.drawnOnly && !row.valid) continue;
        yield writer.row(row, written === 0);
        written++;
      }
    }
    yield writer.tail;
  }
  return { text: text(), count: () => written };
}

/** The drawn positions of a period. */
export async function* drawnTrack(
  period: Period,
  store: Pick<Store, 'track'>,
): AsyncGenerator<PositionRow[]> {
  for await (const page of store.track(periodOf(period))) yield page.filter((row) => row.valid);
}

function periodOf({ vehicle_id, from_ms, to_ms }: Period): Period {
  return { vehicle_id, from_ms, to_ms };
}
