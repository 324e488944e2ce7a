import { speedAt } from './tripDetector.ts';
import type { EvidenceFix } from './eventRows.ts';

/** One time after which standing with the ignition on is idling: that of the settings, or a rule's own. */
export interface IdleMeasure {
  /** `base`, or the rule's id. */
  key: string;
  rule_version: number | null;
  min_duration_s: number;
  /** What was due before then raises nothing by it; Unix ms. */
  from_ms: number;
}

export interface ReportedIdle {
  event_id: string;
  rule_version: number | null;
  threshold_s: number;
  /** The fix at which it was reported, and when that was received. */
  time_ms: number;
  received_ms: number;
}

/** A vehicle that stands with its ignition on. */
export interface IdleState {
  /** The first fix of it. */
  since: EvidenceFix;
  last_ms: number;
  /** By key; a measure that reports nothing of this stop is not here. */
  reported: Readonly<Record<string, ReportedIdle>>;
}

export interface IdleUpdate {
  key: string;
  reported: ReportedIdle;
  since: EvidenceFix;
  /** The newest fix of it, or when it ended. */
  until_ms: number;
  isOver: boolean;
}

export interface IdleStep {
  before: IdleState | null;
  previous: EvidenceFix | null;
  fix: EvidenceFix & { received_ms: number };
  /** The last known one. */
  ignition: boolean | null;
  idle_speed_kmh: number;
  /** After a longer time without a fix nobody knows whether it idled. */
  gap_s: number;
  /** Asked only while it idles. */
  measures: () => readonly IdleMeasure[];
  newId: () => string;
}

/** Moves a vehicle's idling by one fix. Pure; by the fixes' times alone. */
export function advanceIdle(step: IdleStep): { after: IdleState | null; updates: readonly IdleUpdate[] } {
  const { previous, fix } = step;
  if (step.before === null && !isIdle(step, previous)) return idleNot;
  const updates: IdleUpdate[] = [];
  let idle = step.before;
  if (idle !== null && fix.time_ms - idle.last_ms > step.gap_s * 1_000) {
    updates.push(...endIdle(idle, idle.last_ms));
    idle = null;
  }
  if (!isIdle(step, previous)) {
    if (idle !== null) updates.push(...endIdle(idle, fix.time_ms));
    return { after: null, updates };
  }
  const { time_ms, lat, lon, speed_kmh } = fix;
  const since = idle?.since ?? { time_ms, lat, lon, speed_kmh };
  const measures = step.measures();
  const reported: Record<string, ReportedIdle> = {};
  for (const [key, it] of Object.entries(idle?.reported ?? {})) {
    if (measures.some((measure) => measure.key === key)) reported[key] = it;
    else updates.push({ key, reported: it, since, until_ms: time_ms, isOver: true });
  }
  for (const { key, rule_version, min_duration_s, from_ms } of measures) {
    const due_ms = since.time_ms + min_duration_s * 1_000;
    if (reported[key] !== undefined || time_ms < due_ms || due_ms < from_ms) continue;
    const it: ReportedIdle = {
      event_id: step.newId(),
      rule_version,
      threshold_s: min_duration_s,
      time_ms,
      received_ms: fix.received_ms,
    };
    reported[key] = it;
    updates.push({ key, reported: it, since, until_ms: time_ms, isOver: false });
  }
  return { after: { since, last_ms: time_ms, reported }, updates };
}

const idleNot: { after: null; updates: readonly IdleUpdate[] } = { after: null, updates: [] };

/** What is reported when idling ends at a time; Unix ms. */
export function endIdle({ since, reported }: IdleState, at_ms: number): IdleUpdate[] {
  return Object.entries(reported).map(([key, it]) => ({
    key,
    reported: it,
    since,
    until_ms: at_ms,
    isOver: true,
  }));
}

/** Without a speed of its own a fix goes by the way since the one before; with neither nobody knows. */
function isIdle({ ignition, fix, idle_speed_kmh }: IdleStep, previous: EvidenceFix | null): boolean {
  if (ignition !== true) return false;
  if (fix.speed_kmh !== null) return fix.speed_kmh < idle_speed_kmh;
  return previous !== null && speedAt(previous, fix) < idle_speed_kmh;
}
