import type { Event } from '../../server/contract/events.ts';
import type { PastMoment, PastVehicle } from '../../server/contract/history.ts';
import type { VehicleStatus } from '../../server/contract/vehicles.ts';
import type { DepotTime } from '../format/depotTime.ts';
import type { LoadState } from '../resources/resourceStore.ts';
import type { Choice } from './choice.ts';
import { NO_EVENTS, type DayEvents } from './dayEvents.ts';
import { dayOf } from './historyDay.ts';
import type { TrackPeriod } from './trackCache.ts';

export interface HistoryState extends Choice {
  /** Shows the chosen alone. */
  onlyChosen: boolean;
  groupId: string | null;
  statusFilter: VehicleStatus | null;
  day: TrackPeriod;
  /** The part of the day that the time bar shows. */
  view: TrackPeriod;
  /** A part of the day that is chosen: tracks are drawn of it alone. */
  span: TrackPeriod | null;
  colourBy: 'speed' | 'status';
  /** What stands beside the map. */
  side: 'journal' | 'segments';
  /** The instant, as panes show it. */
  shownAt: number;
  /** The instant at which it rests; null while it moves. */
  restAt: number | null;
  moment: PastMoment | null;
  /**
   * Those of the moment, by their names of then, and those that were added later: they may have positions of the time
   * before.
   */
  vehicles: readonly PastVehicle[];
  momentLoad: LoadState;
  tracksLoad: LoadState;
  /** Vehicles whose tracks of the day are here, and all. */
  progress: { done: number; total: number };
  /** Moves on whenever tracks came. */
  edition: number;
  dayEvents: DayEvents;
  /** Of the hour, oldest first. */
  journal: readonly Event[];
  journalLoad: LoadState;
  counts: Readonly<Record<VehicleStatus, number>>;
}

export const NO_COUNTS = { moving: 0, idle: 0, stopped: 0, offline: 0, never: 0 };
export const LOADING: LoadState = { phase: 'loading' };

/** Before anything was read. */
export function firstState(time: DepotTime, now: number): HistoryState {
  return {
    vehicleId: null,
    chosenIds: [],
    onlyChosen: false,
    groupId: null,
    statusFilter: null,
    day: dayOf(time, now),
    view: dayOf(time, now),
    span: null,
    colourBy: 'speed',
    side: 'journal',
    shownAt: now,
    restAt: null,
    moment: null,
    vehicles: [],
    momentLoad: LOADING,
    tracksLoad: LOADING,
    progress: { done: 0, total: 0 },
    edition: 0,
    dayEvents: NO_EVENTS,
    journal: [],
    journalLoad: LOADING,
    counts: NO_COUNTS,
  };
}
