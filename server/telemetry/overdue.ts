import type { SettingsFields } from '../contract/settings.ts';

/** How regularly a vehicle is heard: the gaps between its messages as they came in, in whole seconds, oldest first. */
export interface ReportingGaps {
  /** When the present burst of messages began, Unix ms; null before the first. */
  burst_ms: number | null;
  /** With the ignition on, or of a terminal that does not report it. */
  on: readonly number[];
  off: readonly number[];
}

/** What of a vehicle's state says whether it is overdue. */
export interface Reporting {
  last_contact_ms: number | null;
  ignition: boolean | null;
  gaps: ReportingGaps;
}

export const noGaps: ReportingGaps = { burst_ms: null, on: [], off: [] };

/** So many gaps are remembered. */
const GAPS = 20;
/** Fewer say nothing of what is usual. */
const FEWEST_GAPS = 3;
/** Messages that come within this time are one report: a terminal sends what it has gathered in several. */
const BURST_MS = 5_000;
const INTERVALS = 3;
const LEAST_MS = 60_000;

/** The gaps once a message came at `received_ms`. What lies before `started_ms` the host was not there to hear. */
export function withGap(
  { gaps, ignition }: Reporting,
  received_ms: number,
  started_ms: number,
): ReportingGaps {
  const { burst_ms } = gaps;
  if (burst_ms === null || burst_ms < started_ms) return { ...gaps, burst_ms: received_ms };
  const gap_ms = received_ms - burst_ms;
  if (gap_ms < BURST_MS) return gaps;
  const key = keyOf(ignition);
  return {
    ...gaps,
    burst_ms: received_ms,
    [key]: [...gaps[key], Math.round(gap_ms / 1_000)].slice(-GAPS),
  };
}

const keyOf = (ignition: boolean | null) => (ignition === false ? 'off' : 'on');

/** How long a vehicle usually is silent in its present state, ms; null: too little is known. */
export function usualInterval({ gaps, ignition }: Reporting): number | null {
  const known = gaps[keyOf(ignition)];
  if (known.length < FEWEST_GAPS) return null;
  const sorted = known.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = 0, high = 0] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return ((low + high) / 2) * 1_000;
}

export interface Listening {
  /** When this host began to listen; Unix ms. */
  started_ms: number;
  settings: Pick<SettingsFields, 'settling_s'>;
}

/**
 * Since when a vehicle is overdue, Unix ms: silent for more than three of its usual intervals (the median of its last 20
 * gaps with the ignition as it is), and for a minute at least. Null while it is not. Terminals that could not reach a
 * host that was down come back within `settling_s`.
 */
export function overdueSince(reporting: Reporting, now_ms: number, { started_ms, settings }: Listening) {
  const contact_ms = reporting.last_contact_ms;
  // Nearly all of a fleet ends here: the median is for those that are silent.
  if (contact_ms === null || now_ms - contact_ms <= LEAST_MS) return null;
  const interval_ms = usualInterval(reporting);
  if (interval_ms === null) return null;
  const at_ms = contact_ms + Math.max(LEAST_MS, INTERVALS * interval_ms);
  const since_ms =
    contact_ms < started_ms ? Math.max(at_ms, started_ms + settings.settling_s * 1_000) : at_ms;
  return now_ms > since_ms ? since_ms : null;
}
