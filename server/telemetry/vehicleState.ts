import type { ReportedDwells } from './dwells.ts';
import { namedNow } from '../store/namesOf010.ts';
import type { PositionRow } from '../store/telemetry/rows.ts';
import type { Manoeuvres } from './harshEngine.ts';
import type { IdleState } from './idleEngine.ts';
import type { Episodes } from './overspeedEngine.ts';
import { rememberEarly, type FutureAlarms, type PlacedAlarms } from './rejectedAlarms.ts';
import { nothingMeasured } from './terminalReport.ts';
import type { Signals } from './signals.ts';
import { noGaps, withGap, type Reporting } from './overdue.ts';
import type { SilenceState } from './silences.ts';
import type { EventUpdate } from './engineContext.ts';
import type { TripState } from './tripDetector.ts';
import type { SettingsFields } from '../contract/settings.ts';
import type { VehicleStatus } from '../contract/vehicles.ts';

/** What is remembered of a vehicle between two batches; stored in the same transaction as the positions. */
export interface VehicleState extends SilenceState, Reporting {
  /** The greatest time that a stored message names. */
  last_stored_ms: number | null;
  /** Since when its engine runs and it stands, for the status `idle`. */
  idle_since_ms: number | null;
  episodes: Episodes;
  /** The alarms of the last live message, or of one since that was rejected. */
  alarms: readonly string[];
  /** The messages from the future whose alarms were reported last, oldest first. */
  early: readonly FutureAlarms[];
  /** The last value of each thing that a message need not repeat. */
  ignition: boolean | null;
  /** The speed by the latest message, with or without a fix. */
  speed_kmh: number | null;
  battery_pct: number | null;
  /** What the live messages said last; late ones have no part in it. */
  signals: Signals;
  trip: TripState | null;
  /** Null while it does not idle. */
  idling: IdleState | null;
  manoeuvres: Manoeuvres;
  dwells: ReportedDwells;
}

export interface Evaluated {
  state: VehicleState;
  updates: EventUpdate[];
}

export const initialVehicleState: VehicleState = {
  newest: null,
  evaluated: null,
  last_stored_ms: null,
  last_contact_ms: null,
  idle_since_ms: null,
  sides: {},
  episodes: {},
  alarms: [],
  early: [],
  ignition: null,
  speed_kmh: null,
  battery_pct: null,
  signals: { time_ms: null, ignition: null, ignition_since_ms: null, isLow: false },
  trip: null,
  idling: null,
  manoeuvres: {},
  dwells: {},
  offline: null,
  silences: {},
  gaps: noGaps,
};

const form = 2;

/** A state as it is written: without what is not known, and without a newest fix twice. */
type Written = Partial<Omit<VehicleState, 'newest' | 'evaluated'>> & {
  newest?: Partial<PositionRow>;
  evaluated?: Partial<PositionRow> | 'newest';
};

/** Rewritten with each fix of the vehicle: what `readState` fills in is left out. */
export function writeState(state: VehicleState): string {
  const { newest, evaluated, speed_kmh, ...others } = state;
  const written: Written = { ...known(others), speed_kmh };
  if (newest !== null) written.newest = known(newest);
  if (evaluated !== null) written.evaluated = evaluated === newest ? 'newest' : known(evaluated);
  return JSON.stringify({ form, state: written });
}

/** The fields that say more than what stands in `initialVehicleState` or `nothingMeasured`: null, or nothing in a list. */
function known<Fields extends object>(fields: Fields): Partial<Fields> {
  const some: Partial<Fields> = {};
  for (const key in fields) if (!isSilent(key, fields[key])) some[key] = fields[key];
  return some;
}

function isSilent(key: string, value: unknown): boolean {
  if (value === null) return true;
  if (typeof value !== 'object') return key === 'valid' && value === true;
  for (const _ in value) return false;
  return true;
}

/** What is known of a vehicle that reported, whatever became of its reports. */
export interface Contact {
  /** When it was heard last; Unix ms. */
  received_ms: number;
  /** Those of a message that was rejected, if it is the last word on them. */
  alarms?: readonly string[] | undefined;
  /** Alarms reported from messages from the future, oldest first. */
  early: readonly PlacedAlarms[];
}

/**
 * The state once the vehicle was heard; the same object when that says nothing new.
 *
 * @param started_ms when this host began to listen
 */
export function withContact(
  state: VehicleState,
  { received_ms, alarms = state.alarms, early }: Contact,
  started_ms: number,
): VehicleState {
  const last_contact_ms = Math.max(state.last_contact_ms ?? received_ms, received_ms);
  if (last_contact_ms === state.last_contact_ms && alarms === state.alarms && early.length === 0)
    return state;
  const gaps = withGap(state, received_ms, started_ms);
  return { ...state, last_contact_ms, gaps, alarms, early: rememberEarly(state.early, early) };
}

/**
 * Whether a message of that time, Unix ms, is the newest one of its vehicle that names a moment which can have been.
 */
export function isLatest({ last_stored_ms }: VehicleState, time_ms: number): boolean {
  return last_stored_ms === null || time_ms >= last_stored_ms;
}

/** Whether a position may be stored at that time already; Unix ms. */
export function maybeStored({ last_stored_ms, early }: VehicleState, time_ms: number): boolean {
  return time_ms <= Math.max(last_stored_ms ?? -Infinity, early.at(-1)?.received_ms ?? -Infinity);
}

/** Null for a state of another form: the vehicle then starts with an initial state, which raises no event. */
export function readState(text: string): VehicleState | null {
  const state = stateOf(JSON.parse(text) as { form?: unknown; state?: object });
  if (state === null) return null;
  const newest = wholePosition(state.newest);
  return {
    ...initialVehicleState,
    // A state from before the speed was kept on its own has that of its newest fix.
    speed_kmh: newest?.speed_kmh ?? null,
    ...state,
    newest,
    evaluated: state.evaluated === 'newest' ? newest : wholePosition(state.evaluated),
  };
}

/** What 0.1.0 wrote: it named what had been reported, and where a limit is from, otherwise. */
interface WrittenByForm1 {
  episodes?: Record<string, object>;
  dwells?: Record<string, { told: readonly string[] }>;
  idling?: { told: object };
  offline?: { told: readonly string[] };
}

function stateOf({ form: written, state }: { form?: unknown; state?: object }): Written | null {
  if (state === undefined) return null;
  if (written === 1) return ofForm1(state);
  return written === form ? state : null;
}

function ofForm1({ episodes, dwells, idling, offline, ...others }: WrittenByForm1): Written {
  const renamed = ({ told, ...rest }: { told: unknown }) => ({ ...rest, reported: told });
  return {
    ...others,
    ...(episodes && {
      episodes: Object.fromEntries(Object.entries(episodes).map(([key, it]) => [key, namedNow('limit', it)])),
    }),
    ...(dwells && {
      dwells: Object.fromEntries(Object.entries(dwells).map(([id, it]) => [id, renamed(it)])),
    }),
    ...(idling && { idling: renamed(idling) }),
    ...(offline && { offline: renamed(offline) }),
  } as Written;
}

function wholePosition(written: Partial<PositionRow> | null | undefined): PositionRow | null {
  return written === null || written === undefined
    ? null
    : ({ ...nothingMeasured, alarms: [], attributes: {}, ...written } as PositionRow);
}

type Numbers = Pick<SettingsFields, 'offline_s' | 'moving_speed_kmh' | 'idle_speed_kmh' | 'idle_s'>;

/** What a vehicle does at `now_ms` (Unix ms), by its last message. */
export function vehicleStatus(
  state: Pick<VehicleState, 'last_contact_ms' | 'last_stored_ms' | 'speed_kmh' | 'idle_since_ms'> | undefined,
  numbers: Numbers,
  now_ms: number,
): VehicleStatus {
  if (state?.last_contact_ms == null) return 'never';
  if (now_ms - state.last_contact_ms >= numbers.offline_s * 1_000) return 'offline';
  if ((state.speed_kmh ?? 0) >= numbers.moving_speed_kmh) return 'moving';
  const idleMs = state.idle_since_ms === null ? -1 : (state.last_stored_ms ?? 0) - state.idle_since_ms;
  return idleMs >= numbers.idle_s * 1_000 ? 'idle' : 'stopped';
}

/**
 * The speed after a vehicle's latest message, km/h. A message without a fix need not repeat it, but with the ignition
 * off nothing drives on.
 */
export function speedAfter(before: VehicleState, { speed_kmh, valid, ignition }: PositionRow): number | null {
  return speed_kmh ?? (valid || ignition === false ? null : before.speed_kmh);
}

/** Since when the vehicle stands with its ignition on, after its latest message. */
export function idleSince(before: VehicleState, row: PositionRow, idle_speed_kmh: number): number | null {
  const ignition = row.ignition ?? before.ignition;
  if (ignition !== true || (speedAfter(before, row) ?? 0) >= idle_speed_kmh) return null;
  return before.idle_since_ms ?? row.time_ms;
}
