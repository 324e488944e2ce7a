import type { SettingsFields } from '../contract/settings.ts';
import type { PositionRow } from '../store/telemetry/rows.ts';

/** What the live messages of a vehicle said last of its ignition and battery. */
export interface Signals {
  /** The time of the newest live message; null before the first. */
  time_ms: number | null;
  ignition: boolean | null;
  /** When the ignition changed to that; null: nobody saw it. */
  ignition_since_ms: number | null;
  /** The battery was reported as low and has not recovered since. */
  isLow: boolean;
}

export interface SignalStep {
  before: Signals;
  row: Pick<PositionRow, 'time_ms' | 'ignition' | 'battery_pct'>;
  /** The last known charge, when the message does not say. */
  known_pct: number | null;
  /** The terminal itself says that its battery is low, and did not in the message before. */
  saysLow: boolean;
  numbers: Pick<SettingsFields, 'low_battery_pct' | 'low_battery_clear_pct'>;
}

export interface SignalUpdate {
  after: Signals;
  /** The ignition was switched; `duration_s`: how long it had been the other way, null when nobody saw that begin. */
  switched: { kind: 'ignition_on' | 'ignition_off'; duration_s: number | null } | null;
  /** The battery is low; `threshold_pct` is null when only the terminal says so. */
  low: { measured_pct: number | null; threshold_pct: number | null } | null;
}

/** Moves ignition and battery by one live message, with or without a fix. Pure. First knowledge switches nothing. */
export function advanceSignals({ before, row, known_pct, saysLow, numbers }: SignalStep): SignalUpdate {
  const { time_ms, battery_pct } = row;
  const ignition = row.ignition ?? before.ignition;
  const isSwitched = before.ignition !== null && ignition !== before.ignition;
  const since_ms = before.ignition_since_ms;
  const switched =
    !isSwitched || ignition === null
      ? null
      : ({
          kind: ignition ? 'ignition_on' : 'ignition_off',
          duration_s: since_ms === null ? null : (time_ms - since_ms) / 1_000,
        } as const);

  const { low_battery_pct } = numbers;
  // A clearing charge below the low one would make each message news.
  const clear_pct = Math.max(numbers.low_battery_clear_pct, low_battery_pct);
  const isUnder = battery_pct !== null && battery_pct <= low_battery_pct;
  const low =
    before.isLow || !(isUnder || saysLow)
      ? null
      : { measured_pct: battery_pct, threshold_pct: isUnder ? low_battery_pct : null };
  const charge = battery_pct ?? known_pct;
  // What only the terminal says lasts as long as it says so, if no charge is known that could recover.
  const isLow = (before.isLow || low !== null) && charge !== null && charge <= clear_pct;
  return {
    after: { time_ms, ignition, ignition_since_ms: isSwitched ? time_ms : since_ms, isLow },
    switched,
    low,
  };
}
