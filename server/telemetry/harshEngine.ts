import type { SettingsFields } from '../contract/settings.ts';
import { lonDifference } from '../geofences/geodesy.ts';

export type HarshKind = 'harsh_acceleration' | 'harsh_braking' | 'harsh_cornering';

/** A fix as the engine needs it; speed in km/h, course in degrees clockwise from north. */
export interface HarshFix {
  time_ms: number;
  speed_kmh: number | null;
  course_deg: number | null;
}

/** The last manoeuvre of each kind: its newest moment, and whether it was measured here or said by the terminal. */
export type Manoeuvres = Readonly<Partial<Record<HarshKind, { last_ms: number; isMeasured: boolean }>>>;

export type HarshNumbers = Pick<
  SettingsFields,
  'harsh_acceleration_ms2' | 'harsh_braking_ms2' | 'harsh_cornering_ms2' | 'harsh_gap_s'
>;

/** What was found between two fixes, m/s². */
export interface Harsh {
  kind: HarshKind;
  measured: number;
  threshold: number;
}

/** What goes on, or is said again, within this time is the same manoeuvre. */
const sameManoeuvreMs = 5_000;
/** Of nearer fixes a speed that is rounded to 1 km/h says nothing: in 0.1 s that looks like 2.8 m/s². */
const minGapMs = 500;
/** The course of what hardly moves is the receiver's noise. */
const slowestTurnKmh = 10;

/** Whether a moment belongs to a manoeuvre that is known already. */
export function isSameManoeuvre(known: Manoeuvres[HarshKind], time_ms: number): boolean {
  return known !== undefined && Math.abs(time_ms - known.last_ms) <= sameManoeuvreMs;
}

const none: readonly Harsh[] = [];

/** Looks at the way between two fixes. Pure. A manoeuvre over several fixes is found once. */
export function advanceHarsh(
  before: Manoeuvres,
  previous: HarshFix | null,
  fix: HarshFix,
  numbers: HarshNumbers,
): { after: Manoeuvres; found: readonly Harsh[] } {
  const measured = previous === null ? none : forces(previous, fix, numbers);
  if (measured.length === 0) return { after: before, found: none };
  const found = measured.filter(({ kind }) => !isSameManoeuvre(before[kind], fix.time_ms));
  const after: Partial<Record<HarshKind, { last_ms: number; isMeasured: boolean }>> = { ...before };
  for (const { kind } of measured) after[kind] = { last_ms: fix.time_ms, isMeasured: true };
  return { after, found };
}

/** What reaches its threshold between two fixes. */
function forces(from: HarshFix, to: HarshFix, numbers: HarshNumbers): readonly Harsh[] {
  const gapMs = to.time_ms - from.time_ms;
  if (gapMs > numbers.harsh_gap_s * 1_000 || gapMs < minGapMs) return none;
  if (from.speed_kmh === null || to.speed_kmh === null) return none;
  const gap_s = gapMs / 1_000;
  const along = rounded((to.speed_kmh - from.speed_kmh) / 3.6 / gap_s);
  const { harsh_acceleration_ms2, harsh_braking_ms2, harsh_cornering_ms2 } = numbers;
  const found: Harsh[] = [];
  if (along >= harsh_acceleration_ms2)
    found.push({ kind: 'harsh_acceleration', measured: along, threshold: harsh_acceleration_ms2 });
  if (-along >= harsh_braking_ms2)
    found.push({ kind: 'harsh_braking', measured: -along, threshold: harsh_braking_ms2 });
  if (from.course_deg === null || to.course_deg === null) return found;
  if (from.speed_kmh <= slowestTurnKmh || to.speed_kmh <= slowestTurnKmh) return found;
  const turn = (Math.abs(lonDifference(to.course_deg, from.course_deg)) * Math.PI) / 180;
  const aside = rounded((((from.speed_kmh + to.speed_kmh) / 2 / 3.6) * turn) / gap_s);
  if (aside >= harsh_cornering_ms2)
    found.push({ kind: 'harsh_cornering', measured: aside, threshold: harsh_cornering_ms2 });
  return found;
}

/** To a hundredth: 12.6 km/h in a second are 3.5 m/s², whatever the floating point makes of it. */
function rounded(ms2: number): number {
  return Math.round(ms2 * 100) / 100;
}
