import type { VehiclePeriod } from '../store/telemetry/rows.ts';

/** Of which vehicles something says what was at a moment. */
export interface Shown {
  vehicle_ids: ReadonlySet<string>;
  time_ms: number;
}

/** What is being deleted of vehicles, for what is looked up, or sent, before and stored after it. */
export function createErasures() {
  const underWay = new Set<VehiclePeriod>();
  const watchers = new Set<VehiclePeriod[]>();
  return {
    /** Until the undo is called, all of this is being deleted. */
    begin(period: VehiclePeriod): () => void {
      underWay.add(period);
      for (const seen of watchers) seen.push(period);
      return () => void underWay.delete(period);
    },

    /** While `work` runs, `isErased` says whether any of this was being deleted since its beginning. */
    async during<T>(work: (isErased: (shown: Shown) => boolean) => Promise<T>): Promise<T> {
      const seen = [...underWay];
      watchers.add(seen);
      try {
        return await work(({ vehicle_ids, time_ms }) =>
          seen.some((it) => vehicle_ids.has(it.vehicle_id) && time_ms >= it.from_ms && time_ms < it.to_ms),
        );
      } finally {
        watchers.delete(seen);
      }
    },
  };
}
