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

export interface ToldIdle {
  event_id: string;
  rule_version: number | null;
  threshold_s: number;
  /** The fix at which it was told, and when that was received. */
  time_ms: number;
  received_ms: number;
}

/** A vehicle that stands with its ignition on. */
export interface IdleState {
  /** The first fix of it. */
  since: EvidenceFix;
  last_ms: number;
  /** By key; a measure that tells nothing of this standing is not here. */
  told: Readonly<Record<string, ToldIdle>>;
}

export interface IdleNews {
  key: string;
  told: ToldIdle;
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
  idle_kmh: number;
  /** After a longer time without a fix nobody knows whether it idled. */
  gap_s: number;
  /** Asked only while it idles. */
  measures: () => readonly IdleMeasure[];
  newId: () => string;
}

/** Moves a vehicle's idling by one fix. Pure; by the fixes' times alone. */
export function advanceIdle(step: IdleStep): { after: IdleState | null; news: readonly IdleNews[] } {
  const { previous, fix } = step;
  if (step.before === null && !isIdle(step, previous)) return idleNot;
  const news: IdleNews[] = [];
  let idle = step.before;
  if (idle !== null && fix.time_ms - idle.last_ms > step.gap_s * 1_000) {
    news.push(...endIdle(idle, idle.last_ms));
    idle = null;
  }
  if (!isIdle(step, previous)) {
    if (idle !== null) news.push(...endIdle(idle, fix.time_ms));
    return { after: null, news };
  }
  const { time_ms, lat, lon, speed_kmh } = fix;
  const since = idle?.since ?? { time_ms, lat, lon, speed_kmh };
  const measures = step.measures();
  const told: Record<string, ToldIdle> = {};
  for (const [key, it] of Object.entries(idle?.told ?? {})) {
    if (measures.some((measure) => measure.key === key)) told[key] = it;
    else news.push({ key, told: it, since, until_ms: time_ms, isOver: true });
  }
  for (const { key, rule_version, min_duration_s, from_ms } of measures) {
    const due_ms = since.time_ms + min_duration_s * 1_000;
    if (told[key] !== undefined || time_ms < due_ms || due_ms < from_ms) continue;
    const it: ToldIdle = {
      event_id: step.newId(),
      rule_version,
      threshold_s: min_duration_s,
      time_ms,
      received_ms: fix.received_ms,
    };
    told[key] = it;
    news.push({ key, told: it, since, until_ms: time_ms, isOver: false });
  }
  return { after: { since, last_ms: time_ms, told }, news };
}

const idleNot: { after: null; news: readonly IdleNews[] } = { after: null, news: [] };

/** What is told when idling is over at a moment; Unix ms. */
export function endIdle({ since, told }: IdleState, at_ms: number): IdleNews[] {
  return Object.entries(told).map(([key, it]) => ({
    key,
    told: it,
    since,
    until_ms: at_ms,
    isOver: true,
  }));
}

/** Without a speed of its own a fix goes by the way since the one before; with neither nobody knows. */
function isIdle({ ignition, fix, idle_kmh }: IdleStep, previous: EvidenceFix | null): boolean {
  if (ignition !== true) return false;
  if (fix.speed_kmh !== null) return fix.speed_kmh < idle_kmh;
  return previous !== null && speedAt(previous, fix) < idle_kmh;
}
