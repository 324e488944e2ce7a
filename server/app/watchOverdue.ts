import type { Cause } from '../contract/causes.ts';
import { causeOf } from '../contract/causeTexts.ts';
import type { Clock } from '../clock.ts';
import type { SettingsFields } from '../contract/settings.ts';
import type { LiveFleet } from '../telemetry/liveFleet.ts';
import { overdueSince, usualInterval, type Reporting } from '../telemetry/overdue.ts';

/** How often the fleet is looked through. */
const LOOK_MS = 5_000;
/** Of so many terminals that were due, */
const FEWEST_DUE = 3;
/** all have been overdue for so long: */
const SILENT_MS = 180_000;
/** of those that report at least this often, and were heard within the hour before. */
const LONGEST_INTERVAL_MS = 600_000;
const HOUR_MS = 3_600_000;

export interface OverdueWatchDeps {
  fleet: Pick<LiveFleet, 'state'>;
  /** Those that are not archived. */
  vehicles: () => readonly { vehicle_id: string }[];
  settings: () => Pick<SettingsFields, 'settling_s'>;
  /** Vehicles that are overdue now, and those that no longer are. */
  onChange: (change: { began: readonly string[]; ended: readonly string[] }) => void;
  /** In words: all terminals that should have reported are silent; null: they are not. */
  onSilence: (cause: Cause | null) => void;
  /** Since when the host has heard its terminals without a gap, Unix ms. */
  listeningSince: () => number;
  clock: Clock;
}

/** Looks through the fleet for what no message brings: that none came. */
export function watchOverdue(deps: OverdueWatchDeps) {
  const { fleet, clock, onChange, onSilence } = deps;
  let overdue: ReadonlySet<string> = new Set();
  /** The newest message when the silence was reported; null while there is none to report. */
  let silentSince_ms: number | null = null;
  let stop = (): void => undefined;

  function look(): void {
    const now_ms = clock.now();
    const found = new Set<string>();
    const listening = { started_ms: deps.listeningSince(), settings: deps.settings() };
    const vehicles = deps.vehicles();
    const newest_ms = vehicles.reduce(
      (newest, { vehicle_id }) => Math.max(newest, fleet.state(vehicle_id).last_contact_ms ?? 0),
      0,
    );
    let due = 0;
    let longOverdue = 0;
    for (const { vehicle_id } of vehicles) {
      const state = fleet.state(vehicle_id);
      const since_ms = overdueSince(state, now_ms, listening);
      if (since_ms !== null) found.add(vehicle_id);
      if (!isDue(state, now_ms, newest_ms)) continue;
      due += 1;
      if (since_ms !== null && now_ms - since_ms >= SILENT_MS) longOverdue += 1;
    }
    publish(found);
    reportSilence(newest_ms, due >= FEWEST_DUE && longOverdue === due && now_ms - newest_ms > SILENT_MS, due);
    stop = clock.after(LOOK_MS, look);
  }

  function publish(found: ReadonlySet<string>): void {
    const before = overdue;
    overdue = found;
    const began = [...found].filter((id) => !before.has(id));
    const ended = [...before].filter((id) => !found.has(id));
    if (began.length > 0 || ended.length > 0) onChange({ began, ended });
  }

  /** What is reported lasts until somebody is heard: by then nobody may be due any more. */
  function reportSilence(newest_ms: number, isSilent: boolean, due: number): void {
    if (silentSince_ms !== null && newest_ms > silentSince_ms) {
      silentSince_ms = null;
      onSilence(null);
    } else if (silentSince_ms === null && isSilent) {
      silentSince_ms = newest_ms;
      onSilence(causeOf('health.intake_silent', { due }));
    }
  }

  stop = clock.after(LOOK_MS, look);
  return {
    /** The vehicles that are overdue by the last look. */
    all: () => overdue,
    stop: () => stop(),
  };
}

/**
 * Whether a terminal was to report by now. One that is parked, that was silent for longer before, that reports by the
 * hour, or that is long gone, says nothing of the others.
 */
function isDue(state: Reporting, now_ms: number, newest_ms: number): boolean {
  const { last_contact_ms, gaps, ignition } = state;
  if (last_contact_ms === null || ignition === false || last_contact_ms < newest_ms - HOUR_MS) return false;
  const interval_ms = usualInterval(state);
  if (interval_ms === null || interval_ms > LONGEST_INTERVAL_MS) return false;
  return now_ms - last_contact_ms > Math.max(...gaps.on) * 1_000;
}
