import { historyRoutes, maxHistoryVehicles } from '../../server/contract/history.ts';
import { unpackTracks } from '../../server/contract/packedTracks.ts';
import type { Api } from '../api/client.ts';
import type { Clock } from '../clock/clock.ts';
import { createLoader } from '../resources/loader.ts';
import type { LoadState } from '../resources/resourceStore.ts';
import type { SettingsStore } from '../settings/settingsStore.ts';
import type { FleetStream } from '../stream/fleetStream.ts';
import { periodOf } from './dayEvents.ts';
import { toPastTrack, type PastTrack } from './pastTrack.ts';
import { createTrackCache, type TrackPeriod } from './trackCache.ts';

/** Levels of detail, finest first: how far a track may be from where the vehicle was, metres. */
const TRACK_LEVELS_M = [5, 25, 100] as const;
/** Whole fleets larger than this are drawn from coarser tracks, whatever the zoom. */
const FINE_FLEET = 1_500;
const CACHE_BYTES = 128 * 2 ** 20;
/** Late positions come in bursts. */
const LATE_PAUSE_MS = 2_000;
/** Today goes on: tracks that end before the instant are read again this often at most. */
const TODAY_PAUSE_MS = 30_000;

export interface DayTracksDeps {
  api: Api;
  clock: Clock;
  now: () => number;
  settings: SettingsStore;
  stream: Pick<FleetStream, 'on' | 'onLink'>;
  /** What is shown: a day; all of its vehicles, those whose tracks are wanted, and those that are looked at. */
  shown: () => {
    day: TrackPeriod;
    all: readonly string[];
    wanted: readonly string[];
    chosen: readonly string[];
  };
  /** Other tracks are here. */
  onChange: () => void;
  onState: (state: LoadState) => void;
  onProgress: (progress: { done: number; total: number }) => void;
}

/** The tracks of the day that is shown, as fine as they are here; what came since is read again. */
export function createDayTracks(deps: DayTracksDeps) {
  const { api, clock, settings, shown } = deps;
  const cache = createTrackCache({
    batch: maxHistoryVehicles,
    limitBytes: CACHE_BYTES,
    async fetch({ vehicleIds, from, to, toleranceM }, signal) {
      const response = await api.open(historyRoutes.tracks, {
        body: {
          vehicle_ids: [...vehicleIds],
          ...periodOf({ from, to }),
          tolerance_m: toleranceM,
          values: [],
        },
        signal,
      });
      const bytes = new Uint8Array(await response.arrayBuffer());
      const idleSpeed = settings.getState().numbers.idle_speed_kmh;
      return unpackTracks(bytes).map((it) => toPastTrack(it, idleSpeed));
    },
  });
  let tracks = new Map<string, PastTrack | null>();
  let isOpen = false;
  let zoomLevel: number = TRACK_LEVELS_M[2];
  let readAt = 0;
  /** Vehicles that have gone on since the day was read. */
  const grown = new Set<string>();
  const levelFor = (count: number): number => (count > FINE_FLEET ? TRACK_LEVELS_M[2] : zoomLevel);

  const collect = (): void => {
    const { day, all } = shown();
    const found = new Map<string, PastTrack | null>();
    for (const id of all) {
      const track = cache.get(id, day.from, TRACK_LEVELS_M);
      if (track !== undefined) found.set(id, track);
    }
    tracks = found;
    deps.onChange();
  };

  const loader = createLoader({
    clock,
    async read(signal) {
      const { day, wanted, chosen } = shown();
      collect();
      readAt = deps.now();
      grown.clear();
      // Those that are looked at come first, and in all detail.
      const finest = { vehicleIds: chosen, ...day, toleranceM: TRACK_LEVELS_M[0] };
      await cache.load(finest, signal, collect);
      const query = { vehicleIds: wanted, ...day, toleranceM: levelFor(wanted.length) };
      const total = wanted.length;
      await cache.load(query, signal, (done, missing) => {
        deps.onProgress({ done: total - missing + done, total });
        collect();
      });
      deps.onProgress({ done: total, total });
    },
    // They came batch by batch.
    take: () => undefined,
    onState: deps.onState,
  });

  let stopLate: (() => void) | null = null;
  const reloadSoon = (): void => {
    stopLate ??= clock.after(LATE_PAUSE_MS, () => {
      stopLate = null;
      loader.load();
    });
  };
  /** Something of a vehicle was stored that lies between two instants. */
  const onStored = (vehicleId: string, from: number, to: number): void => {
    const { day } = shown();
    if (cache.invalidate(vehicleId, from, to) && isOpen && to >= day.from && from < day.to) reloadSoon();
  };
  const onNewest = (vehicleId: string, at: number): void => {
    const { day } = shown();
    if (isOpen && at >= day.from && at < day.to) grown.add(vehicleId);
    else cache.invalidate(vehicleId, at, at);
  };

  return {
    /** Of the day; without those that are not here, null for those that have none. */
    byVehicle: () => tracks as ReadonlyMap<string, PastTrack | null>,
    /** Shows what is here of another day. */
    collect,
    loader,
    /** Fetches finer tracks where the map has come nearer: so many metres are one pixel. */
    resolve(metresPerPixel: number) {
      const level = TRACK_LEVELS_M.findLast((it) => it <= metresPerPixel) ?? TRACK_LEVELS_M[0];
      if (level === zoomLevel) return;
      const isFiner = level < zoomLevel;
      zoomLevel = level;
      if (isFiner && isOpen) loader.load();
    },
    /** The instant has come near to the end of what was read of today: reads what has come since. */
    goOn(at: number) {
      if (at <= readAt - TODAY_PAUSE_MS || grown.size === 0) return;
      const { day } = shown();
      for (const id of grown) cache.invalidate(id, day.from, day.to - 1);
      loader.load();
    },
    open() {
      isOpen = true;
    },
    close() {
      const { day } = shown();
      isOpen = false;
      loader.stop();
      stopLate?.();
      stopLate = null;
      for (const id of grown) cache.invalidate(id, day.from, day.to - 1);
      grown.clear();
    },
    /** Follows what is stored, also while nothing is shown: so what is kept holds when it is shown again. Returns its end. */
    start(): () => void {
      let wasLost = false;
      const undo = [
        deps.stream.on('position', ({ positions }) => {
          if (!isOpen && cache.isIdle()) return;
          for (const { vehicle_id, time } of positions) onNewest(vehicle_id, Date.parse(time));
        }),
        deps.stream.on('late_track', ({ vehicle_id, from, to }) =>
          onStored(vehicle_id, Date.parse(from), Date.parse(to)),
        ),
        deps.stream.onLink(({ phase }) => {
          // Nobody says what came late meanwhile.
          if (phase === 'live' && wasLost) cache.invalidateAll();
          wasLost = phase === 'lost';
        }),
      ];
      return () => undo.forEach((run) => run());
    },
  };
}
