import type { PastTrack } from './pastTrack.ts';

/** A period of one vehicle, of which a track is kept: a day of the depot, which has 23 to 25 hours. Unix ms. */
export interface TrackPeriod {
  from: number;
  to: number;
}

export interface TrackQuery extends TrackPeriod {
  vehicleIds: readonly string[];
  /** How far the track may be from where the vehicle was, metres. */
  toleranceM: number;
}

export interface TrackCacheDeps {
  /** Fetches tracks of at most `batch` vehicles; those that are not there or not visible are left out. */
  fetch: (query: TrackQuery, signal: AbortSignal) => Promise<readonly PastTrack[]>;
  /** Vehicles of one call. */
  batch: number;
  /** Calls at once. */
  parallel?: number;
  limitBytes: number;
}

interface Entry {
  vehicleId: string;
  from: number;
  to: number;
  toleranceM: number;
  /** Something of this time has come since: it is fetched again. */
  isStale: boolean;
  /** Null: the depot has none for this user. */
  track: PastTrack | null;
  bytes: number;
}

const EMPTY_BYTES = 100;

/** Tracks of vehicle-days at several levels of detail, the least recently used out first. */
export function createTrackCache({ fetch, batch, parallel = 2, limitBytes }: TrackCacheDeps) {
  // In order of use: a Map keeps the order in which entries were put.
  const entries = new Map<string, Entry>();
  const byVehicle = new Map<string, Set<Entry>>();
  /** What is asked for now, and the vehicles of which something came since. */
  const calls = new Set<TrackPeriod & { changed: Set<string> }>();
  let bytes = 0;
  const keyOf = (vehicleId: string, from: number, toleranceM: number) => `${vehicleId} ${from} ${toleranceM}`;

  const remove = (key: string): void => {
    const entry = entries.get(key);
    if (entry === undefined) return;
    bytes -= entry.bytes;
    entries.delete(key);
    const others = byVehicle.get(entry.vehicleId);
    others?.delete(entry);
    if (others?.size === 0) byVehicle.delete(entry.vehicleId);
  };
  const put = (entry: Entry): void => {
    const key = keyOf(entry.vehicleId, entry.from, entry.toleranceM);
    remove(key);
    // What is finer and older would be shown instead.
    for (const it of [...(byVehicle.get(entry.vehicleId) ?? [])])
      if (it.isStale && it.from === entry.from) remove(keyOf(it.vehicleId, it.from, it.toleranceM));
    entries.set(key, entry);
    byVehicle.set(entry.vehicleId, (byVehicle.get(entry.vehicleId) ?? new Set()).add(entry));
    bytes += entry.bytes;
    for (const oldest of entries.keys()) {
      if (bytes <= limitBytes) break;
      remove(oldest);
    }
  };

  return {
    /** The finest track that is there, at this level or a finer one; undefined while there is none, null for "has none". */
    get(vehicleId: string, from: number, levels: readonly number[]): PastTrack | null | undefined {
      for (const level of levels) {
        const key = keyOf(vehicleId, from, level);
        const entry = entries.get(key);
        if (entry === undefined) continue;
        entries.delete(key);
        entries.set(key, entry);
        return entry.track;
      }
      return undefined;
    },
    /**
     * Fetches what is missing, in batches; `onBatch` is called with what each has brought.
     * Throws the error of the first batch that failed, or the AbortError of `signal`.
     */
    async load(
      { vehicleIds, from, to, toleranceM }: TrackQuery,
      signal: AbortSignal,
      onBatch: (done: number, total: number, tracks: readonly PastTrack[]) => void,
    ): Promise<void> {
      const missing = vehicleIds.filter((id) => entries.get(keyOf(id, from, toleranceM))?.isStale !== false);
      const total = missing.length;
      let begun = 0;
      let done = 0;
      const work = async (): Promise<void> => {
        while (begun < total) {
          const ids = missing.slice(begun, begun + batch);
          begun += ids.length;
          const call = { from, to, changed: new Set<string>() };
          calls.add(call);
          const found = await fetch({ vehicleIds: ids, from, to, toleranceM }, signal).finally(() =>
            calls.delete(call),
          );
          signal.throwIfAborted();
          const byId = new Map(found.map((it) => [it.columns.vehicle_id, it]));
          for (const vehicleId of ids) {
            const track = byId.get(vehicleId) ?? null;
            const size = track?.bytes ?? EMPTY_BYTES;
            const isStale = call.changed.has(vehicleId);
            put({ vehicleId, from, to, toleranceM, track, isStale, bytes: size });
          }
          done += ids.length;
          onBatch(done, total, found);
        }
      };
      await Promise.all(Array.from({ length: parallel }, work));
    },
    /**
     * Something of a vehicle came that lies between two instants, both included: what is kept of it is shown until it is
     * loaded the next time, which fetches it again. Returns whether anything of that time is kept.
     */
    invalidate(vehicleId: string, from: number, to: number): boolean {
      let isAny = false;
      for (const call of calls) if (to >= call.from && from < call.to) call.changed.add(vehicleId);
      for (const entry of byVehicle.get(vehicleId) ?? []) {
        if (to < entry.from || from >= entry.to) continue;
        entry.isStale = true;
        isAny = true;
      }
      return isAny;
    },
    /** All that is kept may have changed. */
    invalidateAll(): void {
      for (const entry of entries.values()) entry.isStale = true;
    },
    /** Nothing is kept and nothing is asked for: whatever comes makes nothing of it old. */
    isIdle: () => entries.size === 0 && calls.size === 0,
    bytes: () => bytes,
    size: () => entries.size,
  };
}
