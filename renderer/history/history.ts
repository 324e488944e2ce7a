import { createStore } from 'zustand/vanilla';
import { eventRoutes, type Event } from '../../server/contract/events.ts';
import {
  historyRoutes,
  maxHistoryVehicles,
  pastMoment,
  type PastMoment,
  type PastVehicle,
} from '../../server/contract/history.ts';
import { unpackTracks } from '../../server/contract/packedTracks.ts';
import type { Position } from '../../server/contract/positions.ts';
import type { Vehicle, VehicleStatus } from '../../server/contract/vehicles.ts';
import type { User } from '../../server/contract/users.ts';
import { PAGE_LIMIT, type Api } from '../api/client.ts';
import type { Clock } from '../clock/clock.ts';
import { oncePerFrame, type Frames } from '../clock/frames.ts';
import type { ServerTime } from '../clock/serverTime.ts';
import { canOpen, type Navigation } from '../navigation/navigation.ts';
import { createLoader } from '../resources/loader.ts';
import type { ResourceStore } from '../resources/resourceStore.ts';
import type { SettingsStore } from '../settings/settingsStore.ts';
import type { FleetStream } from '../stream/fleetStream.ts';
import type { PositionStore } from '../telemetry/positionStore.ts';
import { NO_EVENTS, periodOf, readDayEvents, type DayEvents } from './dayEvents.ts';
import { ofMoment, withLater } from './pastFleet.ts';
import { createFleetAt, toPastTrack, type PastState, type PastTrack } from './pastTrack.ts';
import { dayOf, hourOf } from './historyDay.ts';
import { firstState, LOADING, NO_COUNTS, type HistoryState } from './historyState.ts';
import { createHistoryClock } from './historyClock.ts';
import { createTrackCache, type TrackPeriod } from './trackCache.ts';

/** Levels of detail, finest first: how far a track may be from where the vehicle was, metres. */
const TRACK_LEVELS_M = [5, 25, 100] as const;
/** Whole fleets larger than this are drawn from coarser tracks, whatever the zoom. */
const FINE_FLEET = 1_500;
const CACHE_BYTES = 128 * 2 ** 20;
/** React follows the instant this often, the map with every picture. */
const PANES_PAUSE_MS = 250;
/** After so long without a move the instant counts as chosen: what was then is asked for, and the address names it. */
const REST_MS = 350;
/** While it is played, what was then is asked for this often. */
const PLAYING_REST_MS = 10_000;
/** Late positions come in bursts. */
const LATE_PAUSE_MS = 2_000;
/** Today goes on: tracks that end before the instant are read again this often at most. */
const TODAY_PAUSE_MS = 30_000;

interface MapView {
  lat: number;
  lon: number;
  zoom: number;
}

export interface HistoryDeps {
  api: Api;
  clock: Clock;
  serverTime: ServerTime;
  settings: SettingsStore;
  stream: FleetStream;
  positions: PositionStore;
  vehicles: ResourceStore<Vehicle>;
  user: User;
  navigation: Navigation;
  frames: Frames;
}

/** The fleet at any past instant. Nothing is read before `open`. */
export function createHistory(deps: HistoryDeps) {
  const { api, clock, serverTime, settings, stream, positions, user, navigation, frames } = deps;
  const player = createHistoryClock({ clock, frames, at: serverTime.now(), end: () => serverTime.now() });
  const store = createStore(() => firstState(settings.getState().time, serverTime.now()));
  const mayReadEvents = canOpen(user, 'events');
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
  const fleet = createFleetAt();
  /** The tracks of the day, as fine as they are here; null: the depot has none. */
  let tracks = new Map<string, PastTrack | null>();
  const states = new Map<string, PastState>();
  const frameHandlers = new Set<() => void>();
  let isOpen = false;
  let isAtAddress = false;
  let zoomLevel: number = TRACK_LEVELS_M[2];
  let tracksReadAt = 0;
  const grown = new Set<string>();
  let view: MapView | null = null;

  const vehiclesShown = (): readonly PastVehicle[] => {
    const { vehicles, groupId } = store.getState();
    return groupId === null ? vehicles : vehicles.filter((it) => it.group_ids.includes(groupId));
  };
  const levelFor = (count: number): number => (count > FINE_FLEET ? TRACK_LEVELS_M[2] : zoomLevel);

  const compute = (): void => {
    const { numbers } = settings.getState();
    const { at } = player.store.getState();
    const counts = { ...NO_COUNTS };
    states.clear();
    for (const vehicle of vehiclesShown()) {
      const track = tracks.get(vehicle.vehicle_id);
      const state = track === undefined ? ofMoment(vehicle) : track && fleet.at(track, at, numbers);
      if (state === null) counts.never += 1;
      else {
        counts[state.status] += 1;
        states.set(vehicle.vehicle_id, state);
      }
    }
    pendingCounts = counts;
    for (const run of frameHandlers) run();
  };
  let pendingCounts: Record<VehicleStatus, number> = NO_COUNTS;
  const frame = oncePerFrame(frames, compute);

  // Panes follow four times a second.
  let stopPanes: (() => void) | null = null;
  const showPanes = (): void => {
    stopPanes = null;
    store.setState({ shownAt: player.store.getState().at, counts: pendingCounts });
  };
  const askPanes = (): void => {
    stopPanes ??= clock.after(PANES_PAUSE_MS, showPanes);
  };
  frameHandlers.add(askPanes);

  const collectTracks = (): void => {
    const { day, edition } = store.getState();
    const found = new Map<string, PastTrack | null>();
    for (const { vehicle_id } of store.getState().vehicles) {
      const track = cache.get(vehicle_id, day.from, TRACK_LEVELS_M);
      if (track !== undefined) found.set(vehicle_id, track);
    }
    tracks = found;
    store.setState({ edition: edition + 1 });
    frame.ask();
  };

  const tracksLoader = createLoader({
    clock,
    async read(signal) {
      const { day, vehicleId } = store.getState();
      const ids = vehiclesShown().map((it) => it.vehicle_id);
      collectTracks();
      tracksReadAt = serverTime.now();
      grown.clear();
      // Who is looked at comes first, and in all detail.
      if (vehicleId !== null && ids.includes(vehicleId)) {
        const own = { vehicleIds: [vehicleId], ...day, toleranceM: TRACK_LEVELS_M[0] };
        await cache.load(own, signal, collectTracks);
      }
      const query = { vehicleIds: ids, ...day, toleranceM: levelFor(ids.length) };
      await cache.load(query, signal, (done, total) => {
        store.setState({ progress: { done: ids.length - total + done, total: ids.length } });
        collectTracks();
      });
      store.setState({ progress: { done: ids.length, total: ids.length } });
    },
    // They came batch by batch.
    take: () => undefined,
    onState: (tracksLoad) => store.setState({ tracksLoad }),
  });

  let askedMoment = 0;
  const momentLoader = createLoader<PastMoment>({
    clock,
    read: (signal) =>
      api.read(historyRoutes.moment, pastMoment, {
        query: { at: new Date(askedMoment).toISOString() },
        signal,
      }),
    take(moment) {
      const before = new Set(store.getState().vehicles.map((it) => it.vehicle_id));
      const vehicles = withLater(moment.vehicles, deps.vehicles.store.getState().byId.values());
      store.setState({ moment, vehicles });
      if (vehicles.length !== before.size || vehicles.some((it) => !before.has(it.vehicle_id)))
        tracksLoader.load();
      frame.ask();
    },
    onState: (momentLoad) => store.setState({ momentLoad }),
  });

  const dayLoader = createLoader<DayEvents>({
    clock,
    read: (signal) =>
      mayReadEvents ? readDayEvents(api, store.getState().day, signal) : Promise.resolve(NO_EVENTS),
    take: (dayEvents) => store.setState({ dayEvents }),
    onState: () => undefined,
  });

  let hour: TrackPeriod | null = null;
  const journalLoader = createLoader<readonly Event[]>({
    clock,
    async read(signal) {
      if (hour === null || !mayReadEvents) return [];
      const query = { ...periodOf(hour), limit: PAGE_LIMIT };
      const { items } = await api.request(eventRoutes.list, { query, signal });
      return items.toReversed();
    },
    take: (journal) => store.setState({ journal }),
    onState: (journalLoad) => store.setState({ journalLoad }),
  });
  const loaders = [momentLoader, tracksLoader, dayLoader, journalLoader];

  // The instant rests: the address names it, and what was then is asked for.
  let stopRest: (() => void) | null = null;
  const rest = (): void => {
    stopRest = null;
    const { at, isPlaying } = player.store.getState();
    if (!isPlaying) store.setState({ restAt: at });
    askedMoment = Math.round(at);
    momentLoader.load();
    noteAddress();
    if (at > tracksReadAt - TODAY_PAUSE_MS && grown.size > 0) refetch(grown);
    if (isPlaying) stopRest = clock.after(PLAYING_REST_MS, rest);
  };
  const noteAddress = (): void => {
    if (!isOpen || navigation.store.getState().place !== 'history') return;
    isAtAddress = true;
    const at = new Date(Math.round(player.store.getState().at)).toISOString();
    navigation.note({ at, vehicle: store.getState().vehicleId });
    isAtAddress = false;
  };
  const onInstant = (at: number): void => {
    if (store.getState().restAt !== null) store.setState({ restAt: null });
    const { day } = store.getState();
    if (at < day.from || at >= day.to) showDay(at);
    const hourNow = hourOf(at, store.getState().day.from);
    if (hour?.from !== hourNow.from) {
      hour = hourNow;
      store.setState({ journal: [], journalLoad: LOADING });
      journalLoader.load();
    }
    frame.ask();
    if (player.store.getState().isPlaying) {
      stopRest ??= clock.after(PLAYING_REST_MS, rest);
      return;
    }
    stopRest?.();
    stopRest = clock.after(REST_MS, rest);
  };
  const showDay = (at: number): void => {
    store.setState({
      day: dayOf(settings.getState().time, at),
      dayEvents: NO_EVENTS,
      progress: { done: 0, total: 0 },
      tracksLoad: LOADING,
    });
    fleet.forget();
    collectTracks();
    if (store.getState().moment !== null) tracksLoader.load();
    dayLoader.load();
  };

  // What comes late, or while the past is looked at, is fetched again for those vehicles alone.
  const late = new Set<string>();
  let stopLate: (() => void) | null = null;
  const refetch = (ids: Set<string>): void => {
    const { day } = store.getState();
    for (const id of ids) cache.invalidate(id, day.from, day.to - day.from);
    ids.clear();
    tracksLoader.load();
  };
  const onPosition = ({ vehicle_id, time }: Position): void => {
    const at = Date.parse(time);
    const { day } = store.getState();
    const newest = positions.get(vehicle_id)?.last.time;
    const isLate = newest !== undefined && at < Date.parse(newest);
    if (at < day.from || at >= day.to) {
      cache.invalidate(vehicle_id, at, day.to - day.from);
      return;
    }
    if (!isLate) {
      grown.add(vehicle_id);
      return;
    }
    late.add(vehicle_id);
    stopLate ??= clock.after(LATE_PAUSE_MS, () => {
      stopLate = null;
      refetch(late);
    });
  };

  const readAddress = (): void => {
    const { place, query } = navigation.store.getState();
    if (place !== 'history' || isAtAddress) return;
    const vehicleId = query['vehicle'] ?? null;
    const at = Date.parse(query['at'] ?? '');
    if (query['vehicle'] !== undefined && vehicleId !== store.getState().vehicleId) select(vehicleId);
    if (Number.isFinite(at)) player.seek(at);
  };
  const select = (vehicleId: string | null): void => {
    store.setState({ vehicleId });
    noteAddress();
    if (vehicleId !== null && isOpen && store.getState().moment !== null) tracksLoader.load();
    frame.ask();
  };

  return {
    store,
    player,
    select,
    /** What each vehicle did at the instant; those that had never been heard of are not in it. */
    states: states as ReadonlyMap<string, PastState>,
    /** Of the day; undefined while it is not here, null: there is none. */
    track: (vehicleId: string) => tracks.get(vehicleId),
    tracks: () => tracks as ReadonlyMap<string, PastTrack | null>,
    vehiclesShown,
    mayReadEvents,
    /** Where the map looked last; null before it was seen. */
    firstView: () => view,
    keepView: (last: MapView) => {
      view = last;
    },
    retry: () => loaders.forEach((it) => it.retry()),
    /** Shows this group alone (null: all), or vehicles of this status alone. */
    filter(change: Partial<Pick<HistoryState, 'groupId' | 'statusFilter'>>) {
      store.setState(change);
      frame.ask();
    },
    /** Calls once per picture in which something changed. */
    onFrame(run: () => void) {
      frameHandlers.add(run);
      return () => frameHandlers.delete(run);
    },
    /** Fetches finer tracks where the map has come nearer: so many metres are one pixel. */
    resolve(metresPerPixel: number) {
      const level = TRACK_LEVELS_M.findLast((it) => it <= metresPerPixel) ?? TRACK_LEVELS_M[0];
      if (level === zoomLevel) return;
      const isFiner = level < zoomLevel;
      zoomLevel = level;
      if (isFiner && isOpen && store.getState().moment !== null) tracksLoader.load();
    },
    /** Begins to read and to follow the instant; returns its end. */
    open(): () => void {
      isOpen = true;
      let wasLost = false;
      readAddress();
      const { at } = player.store.getState();
      store.setState({ shownAt: at });
      showDay(at);
      onInstant(at);
      const undo = [
        player.store.subscribe((now, before) => {
          if (now.at !== before.at) onInstant(now.at);
          if (now.isPlaying !== before.isPlaying) {
            stopRest?.();
            stopRest = clock.after(REST_MS, rest);
          }
        }),
        navigation.store.subscribe(readAddress),
        stream.on('position', ({ positions: found }) => found.forEach(onPosition)),
        stream.onLink(({ phase }) => {
          if (phase === 'live' && wasLost) {
            cache.clear();
            rest();
            loaders.forEach((it) => it.load());
          }
          wasLost = phase === 'lost';
        }),
      ];
      return () => {
        isOpen = false;
        player.pause();
        undo.forEach((run) => run());
        loaders.forEach((it) => it.stop());
        for (const stop of [stopRest, stopLate, stopPanes]) stop?.();
        stopRest = stopLate = stopPanes = null;
        hour = null;
        frame.stop();
        // What came meanwhile is not known here.
        cache.clear();
      };
    },
  };
}

export type History = ReturnType<typeof createHistory>;
