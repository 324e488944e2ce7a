import { createStore } from 'zustand/vanilla';
import { eventRoutes, type Event } from '../../server/contract/events.ts';
import {
  historyRoutes,
  pastMoment,
  type PastMoment,
  type PastVehicle,
} from '../../server/contract/history.ts';
import { unpackTracks } from '../../server/contract/packedTracks.ts';
import type { Vehicle, VehicleStatus } from '../../server/contract/vehicles.ts';
import type { User } from '../../server/contract/users.ts';
import type { Task } from '../../server/contract/video.ts';
import { PAGE_LIMIT, type Api } from '../api/client.ts';
import type { Clock } from '../clock/clock.ts';
import { oncePerFrame, type Frames } from '../clock/frames.ts';
import type { ServerTime } from '../clock/serverTime.ts';
import { canOpen, type Navigation } from '../navigation/navigation.ts';
import { createLoader } from '../resources/loader.ts';
import type { ResourceStore } from '../resources/resourceStore.ts';
import type { SettingsStore } from '../settings/settingsStore.ts';
import type { FleetStream } from '../stream/fleetStream.ts';
import { choiceAfter, type Choose } from './choice.ts';
import { following, overlapOf, viewAround } from './barView.ts';
import { NO_EVENTS, periodOf, readDayEvents, readDayTasks, type DayEvents } from './dayEvents.ts';
import { createDayTracks } from './dayTracks.ts';
import { readHistoryAddress, writeHistoryAddress } from './historyAddress.ts';
import { ofMoment, withLater } from './pastFleet.ts';
import { createFleetAt, type PastState } from './pastTrack.ts';
import { dayOf, hourOf } from './historyDay.ts';
import { firstState, LOADING, NO_COUNTS, type HistoryState } from './historyState.ts';
import { createHistoryClock } from './historyClock.ts';
import { readDayRows } from './segments.ts';
import type { TrackPeriod } from './trackCache.ts';
import { createVehicleDay } from './vehicleDay.ts';

/** React follows the instant this often, the map with every picture. */
const PANES_PAUSE_MS = 250;
/** After so long without a move the instant counts as chosen: what was then is asked for, and the address names it. */
const REST_MS = 350;
/** A day that is scrubbed passes hours in which nobody stays. */
const HOUR_PAUSE_MS = 150;
/** While it is played, what was then is asked for this often. */
const PLAYING_REST_MS = 10_000;

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
  vehicles: ResourceStore<Vehicle>;
  /** Takes video tasks of the past that were read. */
  keepTasks: (tasks: readonly Task[]) => void;
  user: User;
  navigation: Navigation;
  frames: Frames;
}

/** The fleet at any past instant. Nothing is read before `open`. */
export function createHistory(deps: HistoryDeps) {
  const { api, clock, serverTime, settings, stream, user, navigation, frames } = deps;
  const player = createHistoryClock({ clock, frames, at: serverTime.now(), end: () => serverTime.now() });
  const store = createStore(() => firstState(settings.getState().time, serverTime.now()));
  const mayReadEvents = canOpen(user, 'events');
  const fleet = createFleetAt();
  const states = new Map<string, PastState>();
  const frameHandlers = new Set<() => void>();
  let isOpen = false;
  let isAtAddress = false;
  let view: MapView | null = null;

  const tracks = createDayTracks({
    api,
    clock,
    now: () => serverTime.now(),
    settings,
    stream,
    shown() {
      const { day, vehicles, chosenIds } = store.getState();
      const idOf = (it: PastVehicle) => it.vehicle_id;
      const all = vehicles.map(idOf);
      const known = new Set(all);
      const chosen = chosenIds.filter((id) => known.has(id));
      return { day, all, wanted: vehiclesShown().map(idOf), chosen };
    },
    onChange() {
      store.setState(({ edition }) => ({ edition: edition + 1 }));
      frame.ask();
    },
    onState: (tracksLoad) => store.setState({ tracksLoad }),
    onProgress: (progress) => store.setState({ progress }),
  });
  const values = createVehicleDay({
    clock,
    stream,
    async read({ vehicleId, ...day }, signal) {
      const query = periodOf(day);
      const response = await api.open(historyRoutes.values, {
        params: { vehicle: vehicleId },
        query,
        signal,
      });
      return unpackTracks(new Uint8Array(await response.arrayBuffer()))[0] ?? null;
    },
  });
  const may = { reports: canOpen(user, 'reports'), events: mayReadEvents };
  const segments = createVehicleDay({
    clock,
    stream,
    read: (day, signal) => readDayRows(api, day, may, signal),
  });
  /** Nothing is known of the fleet before its moment is here. */
  const loadTracks = (): void => {
    if (isOpen && store.getState().moment !== null) tracks.loader.load();
  };

  const vehiclesShown = (): readonly PastVehicle[] => {
    const { vehicles, groupId, onlyChosen, chosenIds } = store.getState();
    if (groupId === null && !onlyChosen) return vehicles;
    const chosen = new Set(chosenIds);
    return vehicles.filter(
      (it) =>
        (groupId === null || it.group_ids.includes(groupId)) && (!onlyChosen || chosen.has(it.vehicle_id)),
    );
  };

  const compute = (): void => {
    const { numbers } = settings.getState();
    const { at } = player.store.getState();
    const counts = { ...NO_COUNTS };
    const byVehicle = tracks.byVehicle();
    states.clear();
    for (const vehicle of vehiclesShown()) {
      const track = byVehicle.get(vehicle.vehicle_id);
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
      if (vehicles.length !== before.size || vehicles.some((it) => !before.has(it.vehicle_id))) loadTracks();
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

  // They are kept where all tasks are, and the stream keeps them from then on.
  const clipsLoader = createLoader({
    clock,
    read: (signal) =>
      canOpen(user, 'video') ? readDayTasks(api, store.getState().day, signal) : Promise.resolve([]),
    take: deps.keepTasks,
    onState: () => undefined,
  });

  let hour: TrackPeriod | null = null;
  let stopHour: (() => void) | null = null;
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
  const loaders = [momentLoader, tracks.loader, dayLoader, clipsLoader, journalLoader];

  // The instant rests: the address names it, and what was then is asked for.
  let stopRest: (() => void) | null = null;
  const rest = (): void => {
    stopRest = null;
    const { at, isPlaying } = player.store.getState();
    if (!isPlaying) store.setState({ restAt: at });
    askedMoment = Math.round(at);
    momentLoader.load();
    noteAddress();
    tracks.goOn(at);
    if (isPlaying) stopRest = clock.after(PLAYING_REST_MS, rest);
  };
  const noteAddress = (): void => {
    if (!isOpen || isAtAddress || navigation.store.getState().place !== 'history') return;
    isAtAddress = true;
    const { vehicleId, chosenIds, span } = store.getState();
    const vehicleIds = vehicleId === null ? [] : [vehicleId, ...chosenIds.filter((it) => it !== vehicleId)];
    navigation.note(writeHistoryAddress({ vehicleIds, at: player.store.getState().at, span }));
    isAtAddress = false;
  };
  const onInstant = (at: number): void => {
    if (store.getState().restAt !== null) store.setState({ restAt: null });
    const { day, view } = store.getState();
    if (at < day.from || at >= day.to) showDay(at);
    else if (at < view.from || at >= view.to) store.setState({ view: following(view, day, at) });
    const hourNow = hourOf(at, store.getState().day.from);
    if (hour?.from !== hourNow.from) {
      hour = hourNow;
      store.setState({ journal: [], journalLoad: LOADING });
      stopHour?.();
      stopHour = clock.after(HOUR_PAUSE_MS, () => journalLoader.load());
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
    const day = dayOf(settings.getState().time, at);
    const { span } = store.getState();
    store.setState({
      day,
      view: day,
      span: span === null ? null : overlapOf(span, day),
      dayEvents: NO_EVENTS,
      progress: { done: 0, total: 0 },
      tracksLoad: LOADING,
    });
    fleet.forget();
    tracks.collect();
    loadTracks();
    dayLoader.load();
    clipsLoader.load();
  };

  const readAddress = (): void => {
    const { place, query } = navigation.store.getState();
    if (place !== 'history' || isAtAddress) return;
    isAtAddress = true;
    const { vehicleIds, at, span = null } = readHistoryAddress(query);
    const isOther = vehicleIds?.join() !== store.getState().chosenIds.join();
    if (vehicleIds !== undefined && isOther) choose(vehicleIds, vehicleIds[0] ?? null);
    if (at !== undefined) {
      player.seek(at);
      chooseSpan(span);
      const { day, span: within } = store.getState();
      if (within !== null) store.setState({ view: viewAround(within, day) });
    }
    isAtAddress = false;
  };
  const choose = (chosenIds: readonly string[], vehicleId: string | null): void => {
    const { onlyChosen } = store.getState();
    store.setState({ chosenIds, vehicleId, onlyChosen: onlyChosen && chosenIds.length > 0 });
    noteAddress();
    loadTracks();
    frame.ask();
  };
  const select = (vehicleId: string | null, how: Choose = 'only'): void => {
    const listed = vehiclesShown().map((it) => it.vehicle_id);
    const next = vehicleId === null ? null : choiceAfter(store.getState(), vehicleId, how, listed);
    choose(next?.chosenIds ?? [], next?.vehicleId ?? null);
  };
  const chooseSpan = (span: TrackPeriod | null): void => {
    const { day } = store.getState();
    const within = span === null ? null : overlapOf(span, day);
    // All of the day is no part of it.
    const isAll = within !== null && within.from <= day.from && within.to >= day.to;
    store.setState({ span: isAll ? null : within });
    noteAddress();
  };

  return {
    store,
    player,
    select,
    /** What each vehicle did at the instant; those that had never been heard of are not in it. */
    states: states as ReadonlyMap<string, PastState>,
    /** Of the day; undefined while it is not here, null: there is none. */
    track: (vehicleId: string) => tracks.byVehicle().get(vehicleId),
    tracks: tracks.byVehicle,
    /** What terminals sent beside the tracks. */
    values,
    /** Trips, stops and events of the vehicle that is looked at. */
    segments,
    /** Chooses a part of the day, or none. */
    chooseSpan,
    /** Shows a part of the day in the time bar, or all of it. */
    show: (view: TrackPeriod | null) => store.setState({ view: view ?? store.getState().day }),
    vehiclesShown,
    mayReadEvents,
    /** Where the map looked last; null before it was seen. */
    firstView: () => view,
    keepView: (last: MapView) => {
      view = last;
    },
    retry: () => [...loaders, values, segments].forEach((it) => it.retry()),
    /** Shows this group alone (null: all), vehicles of this status alone, or the chosen alone. */
    filter(change: Partial<Pick<HistoryState, 'groupId' | 'statusFilter' | 'onlyChosen'>>) {
      store.setState(change);
      frame.ask();
    },
    showSide: (side: HistoryState['side']) => store.setState({ side }),
    colourBy: (colourBy: HistoryState['colourBy']) => store.setState({ colourBy }),
    /** Calls once per picture in which something changed. */
    onFrame(run: () => void) {
      frameHandlers.add(run);
      return () => frameHandlers.delete(run);
    },
    resolve: (metresPerPixel: number) => tracks.resolve(metresPerPixel),
    /** Follows what is stored of the tracks that are kept; returns its end. */
    start() {
      const undo = [tracks.start(), values.start(), segments.start()];
      return () => undo.forEach((run) => run());
    },
    /** Begins to read and to follow the instant; returns its end. */
    open(): () => void {
      isOpen = true;
      tracks.open();
      let wasLost = false;
      const { at: named } = readHistoryAddress(navigation.store.getState().query);
      if (named !== undefined) player.seek(named);
      const { at } = player.store.getState();
      store.setState({ shownAt: at });
      showDay(at);
      readAddress();
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
        stream.onLink(({ phase }) => {
          if (phase === 'live' && wasLost) {
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
        tracks.close();
        values.want(null);
        segments.want(null);
        for (const stop of [stopRest, stopPanes, stopHour]) stop?.();
        stopRest = stopPanes = stopHour = null;
        hour = null;
        frame.stop();
      };
    },
  };
}

export type History = ReturnType<typeof createHistory>;
