import { createStore } from 'zustand/vanilla';
import type { Clock } from '../clock/clock.ts';
import { createLoader } from '../resources/loader.ts';
import type { LoadState } from '../resources/resourceStore.ts';
import type { FleetStream } from '../stream/fleetStream.ts';
import type { TrackPeriod } from './trackCache.ts';

/** Vehicle-days that are kept: the values of a day of every second take some 25 MB. */
const KEPT = 4;
/** What came since is read again this often at most. */
const AGAIN_MS = 15_000;

/** A vehicle and the day of the depot that is looked at. */
export interface VehicleDay extends TrackPeriod {
  vehicleId: string;
}

export interface VehicleDayState<T> {
  wanted: VehicleDay | null;
  /** What was read of the day that is wanted; null while it is not here. */
  found: T | null;
  load: LoadState;
}

export interface VehicleDayDeps<T> {
  clock: Clock;
  stream: Pick<FleetStream, 'on' | 'onLink'>;
  read: (day: VehicleDay, signal: AbortSignal) => Promise<T>;
}

/** Something that is read of one vehicle and day at a time, once it is wanted; and again when more of it was stored. */
export function createVehicleDay<T>({ clock, stream, read }: VehicleDayDeps<T>) {
  const store = createStore<VehicleDayState<T>>(() => ({
    wanted: null,
    found: null,
    load: { phase: 'loading' },
  }));
  // In order of use: a Map keeps the order in which entries were put.
  const kept = new Map<string, { day: VehicleDay; found: T; isStale: boolean }>();
  const keyOf = ({ vehicleId, from }: VehicleDay) => `${vehicleId} ${from}`;
  let stopAgain: (() => void) | null = null;

  const loader = createLoader({
    clock,
    async read(signal) {
      const { wanted: day } = store.getState();
      return day === null ? null : { day, found: await read(day, signal) };
    },
    take(answer) {
      if (answer === null) return;
      const key = keyOf(answer.day);
      kept.delete(key);
      kept.set(key, { ...answer, isStale: false });
      for (const oldest of kept.keys()) {
        if (kept.size <= KEPT) break;
        kept.delete(oldest);
      }
      store.setState({ found: answer.found });
    },
    onState: (load) => store.setState({ load }),
  });

  /** Times are read of the few vehicles that are kept alone: thousands of positions come each second. */
  const onStored = (vehicleId: string, first: string, last: string): void => {
    const isOf = (day: VehicleDay | null): boolean =>
      day?.vehicleId === vehicleId && Date.parse(last) >= day.from && Date.parse(first) < day.to;
    for (const entry of kept.values()) if (isOf(entry.day)) entry.isStale = true;
    if (!isOf(store.getState().wanted)) return;
    stopAgain ??= clock.after(AGAIN_MS, () => {
      stopAgain = null;
      if (store.getState().wanted !== null) loader.load();
    });
  };

  return {
    store,
    retry: () => loader.retry(),
    /** Shows another vehicle-day; null: none. */
    want(day: VehicleDay | null): void {
      const { wanted } = store.getState();
      if (day === null) {
        loader.stop();
        store.setState({ wanted: null, found: null });
        return;
      }
      if (wanted !== null && keyOf(wanted) === keyOf(day)) return;
      const entry = kept.get(keyOf(day));
      store.setState({ wanted: day, found: entry?.found ?? null, load: { phase: 'loading' } });
      if (entry === undefined || entry.isStale) loader.load();
      else {
        loader.stop();
        store.setState({ load: { phase: 'ready' } });
      }
    },
    /** Follows what is stored of it; returns its end. */
    start(): () => void {
      let wasLost = false;
      const undo = [
        stream.on('position', ({ positions }) =>
          positions.forEach(({ vehicle_id, time }) => onStored(vehicle_id, time, time)),
        ),
        stream.on('late_track', ({ vehicle_id, from, to }) => onStored(vehicle_id, from, to)),
        stream.onLink(({ phase }) => {
          // Nobody says what came meanwhile.
          if (phase === 'live' && wasLost) {
            kept.clear();
            if (store.getState().wanted !== null) loader.load();
          }
          wasLost = phase === 'lost';
        }),
        () => stopAgain?.(),
        () => loader.stop(),
      ];
      return () => undo.forEach((run) => run());
    },
  };
}
