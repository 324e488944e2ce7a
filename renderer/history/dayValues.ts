import { createStore } from 'zustand/vanilla';
import { historyRoutes } from '../../server/contract/history.ts';
import { unpackTracks, type TrackColumns } from '../../server/contract/packedTracks.ts';
import type { Api } from '../api/client.ts';
import type { Clock } from '../clock/clock.ts';
import { createLoader } from '../resources/loader.ts';
import type { LoadState } from '../resources/resourceStore.ts';
import type { FleetStream } from '../stream/fleetStream.ts';
import { periodOf } from './dayEvents.ts';
import type { TrackPeriod } from './trackCache.ts';

/** Vehicle-days that are kept: a day of every second, with all its values, takes some 25 MB. */
const KEPT = 4;
/** What came since is read again this often at most. */
const AGAIN_MS = 15_000;

/** A vehicle and the day of the depot that is looked at. */
export interface ValueDay extends TrackPeriod {
  vehicleId: string;
}

export interface DayValues {
  wanted: ValueDay | null;
  /** The numbers of the day that is wanted, by name; null while they are not here. */
  columns: TrackColumns | null;
  load: LoadState;
}

/** What terminals sent beside tracks, of the vehicle-day that is looked at. Nothing is read before it is wanted. */
export function createDayValues({
  api,
  clock,
  stream,
}: {
  api: Api;
  clock: Clock;
  stream: Pick<FleetStream, 'on'>;
}) {
  const store = createStore<DayValues>(() => ({ wanted: null, columns: null, load: { phase: 'loading' } }));
  // In order of use: a Map keeps the order in which entries were put.
  const kept = new Map<string, { day: ValueDay; columns: TrackColumns; isStale: boolean }>();
  const keyOf = ({ vehicleId, from }: ValueDay) => `${vehicleId} ${from}`;
  let stopAgain: (() => void) | null = null;

  const loader = createLoader({
    clock,
    async read(signal) {
      const { wanted: day } = store.getState();
      if (day === null) return null;
      const response = await api.open(historyRoutes.values, {
        params: { vehicle: day.vehicleId },
        query: periodOf(day),
        signal,
      });
      const [columns] = unpackTracks(new Uint8Array(await response.arrayBuffer()));
      return columns === undefined ? null : { day, columns };
    },
    take(found) {
      if (found === null) return;
      const key = keyOf(found.day);
      kept.delete(key);
      kept.set(key, { ...found, isStale: false });
      for (const oldest of kept.keys()) {
        if (kept.size <= KEPT) break;
        kept.delete(oldest);
      }
      store.setState({ columns: found.columns });
    },
    onState: (load) => store.setState({ load }),
  });

  const onStored = (vehicleId: string, from: number, to: number): void => {
    for (const entry of kept.values()) {
      const { day } = entry;
      if (day.vehicleId === vehicleId && to >= day.from && from < day.to) entry.isStale = true;
    }
    const { wanted } = store.getState();
    if (wanted?.vehicleId !== vehicleId || to < wanted.from || from >= wanted.to) return;
    stopAgain ??= clock.after(AGAIN_MS, () => {
      stopAgain = null;
      if (store.getState().wanted !== null) loader.load();
    });
  };

  return {
    store,
    retry: () => loader.retry(),
    /** Shows the numbers of another vehicle-day; null: of none. */
    want(day: ValueDay | null): void {
      const { wanted } = store.getState();
      if (day === null) {
        loader.stop();
        store.setState({ wanted: null, columns: null });
        return;
      }
      if (wanted !== null && keyOf(wanted) === keyOf(day)) return;
      const entry = kept.get(keyOf(day));
      store.setState({ wanted: day, columns: entry?.columns ?? null });
      if (entry === undefined || entry.isStale) loader.load();
      else {
        loader.stop();
        store.setState({ load: { phase: 'ready' } });
      }
    },
    /** Follows what is stored of them; returns its end. */
    start(): () => void {
      const undo = [
        stream.on('position', ({ positions }) =>
          positions.forEach(({ vehicle_id, time }) =>
            onStored(vehicle_id, Date.parse(time), Date.parse(time)),
          ),
        ),
        stream.on('late_track', ({ vehicle_id, from, to }) =>
          onStored(vehicle_id, Date.parse(from), Date.parse(to)),
        ),
        () => stopAgain?.(),
        () => loader.stop(),
      ];
      return () => undo.forEach((run) => run());
    },
  };
}
