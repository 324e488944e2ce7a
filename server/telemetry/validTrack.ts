import type { PositionRow } from '../store/telemetry/rows.ts';
import type { Store } from '../store/operations.ts';

/** The drawn positions of a vehicle from `from_ms` to `to_ms`, both included, in order of time; for short periods. */
export async function validTrack(
  store: Pick<Store, 'track'>,
  vehicle_id: string,
  from_ms: number,
  to_ms: number,
): Promise<PositionRow[]> {
  const rows: PositionRow[] = [];
  for await (const page of store.track({ vehicle_id, from_ms, to_ms }))
    rows.push(...page.filter((row) => row.valid));
  return rows;
}
